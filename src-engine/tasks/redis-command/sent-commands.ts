/** What is sent to a Redis server: the words of each command. Data is never more than one of them. */

import { SagasmithError } from '../../model/errors.ts'
import { plainText } from '../json-text.ts'
import type { RedisCommandParameters } from './spec.ts'

/** One command, as the server gets it. */
export interface SentCommand {
  readonly words: readonly [string, ...(string | number)[]]
  /** Whether its answer is one of the step's: what was asked for by name is. */
  readonly isAsked: boolean
}

/** These change what a connection is, wait without an end, or are the step's own. */
const refusedNames: ReadonlySet<string> = new Set([
  ...['SUBSCRIBE', 'PSUBSCRIBE', 'SSUBSCRIBE', 'MONITOR', 'SYNC', 'PSYNC', 'RESET', 'QUIT', 'HELLO', 'AUTH'],
  ...['SELECT', 'MULTI', 'EXEC', 'DISCARD', 'WATCH', 'CLIENT REPLY', 'DEBUG', 'SHUTDOWN'],
])

/** The commands in their order. Throws `task_input_invalid` for what no step may send. */
export function sentCommands(parameters: RedisCommandParameters): readonly SentCommand[] {
  if (parameters.mode === 'script') return [scriptCommand(parameters)]
  return parameters.commands.flatMap((command) => {
    const { name, args, ttlMs } = command
    refuseName(command)
    const [word = '', ...more] = wordsOf(name)
    const asked: SentCommand = { words: [word, ...more, ...args.map(argumentOf)], isAsked: true }
    if (ttlMs === 0) return [asked]
    const [key] = args
    if (key === undefined) {
      throw new SagasmithError('task_input_invalid', {
        message: `${name} has no key that could go away.`,
        hint: 'Its key is the first argument; write one, or set the time to 0.',
        details: { field: 'commands', name },
      })
    }
    return [asked, { words: ['PEXPIRE', argumentOf(key), ttlMs], isAsked: false }]
  })
}

function scriptCommand({ script, keys, arguments: args, readsOnly }: RedisCommandParameters): SentCommand {
  const name = readsOnly ? 'EVAL_RO' : 'EVAL'
  return { words: [name, script, keys.length, ...keys, ...args.map(argumentOf)], isAsked: true }
}

const wordsOf = (name: string): readonly string[] => name.trim().split(/\s+/)

function refuseName({ name, args }: RedisCommandParameters['commands'][number]): void {
  const words = wordsOf(name).map((word) => word.toUpperCase())
  const first = typeof args[0] === 'string' ? args[0].toUpperCase() : ''
  const names = [words[0] ?? '', words.slice(0, 2).join(' '), `${words[0]} ${first}`]
  if (!names.some((one) => refusedNames.has(one))) return
  throw new SagasmithError('task_input_invalid', {
    message: `A step can’t send ${words.join(' ')}.`,
    hint: 'Sign in, database and transaction are settings of the step; to wait for messages, use a trigger.',
    details: { field: 'commands', name },
  })
}

const argumentOf = (value: unknown): string | number =>
  typeof value === 'number' ? value : plainText(value ?? '')
