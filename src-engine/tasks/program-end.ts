/** What the end of a program means, here or on another machine: its output as data, or the error that it is. */

import { SagasmithError } from '../model/errors.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { exitWay } from '../model/program-fields.ts'
import { isCodeIn } from './code-ranges.ts'
import { matchesOf } from './shell-command/matches.ts'
import { printedValue } from './shell-command/printed.ts'
import type { ShellCommandParameters } from './shell-command/spec.ts'
import type { TaskContext, TaskOutcome } from './task.ts'
import { completed, tellable } from './task.ts'
import type { Evaluate } from './task-ports.ts'

/** How a program ended: a code of its own, or the signal that ended it. */
export interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

export interface EndedProgram {
  /** As a message begins: `“rsync” on build.example.com`. */
  readonly title: string
  readonly ending: Ending
  readonly stdout: string
  readonly stderr: string
  /** What an error tells beside that. */
  readonly details: JsonObject
}

type Rules = Pick<
  ShellCommandParameters,
  'exitMeanings' | 'successCodes' | 'finalCodes' | 'output' | 'pattern'
>

/** What an ending means. */
interface Meaning {
  readonly isSuccess: boolean
  readonly isRetryable: boolean
  /** In people's words; null where nobody said any. */
  readonly outcome: string | null
  readonly way: string
}

/** What a program printed, as data, and what its ending means. */
export interface ReadEnd {
  readonly printed: JsonValue
  /** In people's words; null where nobody said any. */
  readonly outcome: string | null
  readonly ports: readonly string[] | null
}

/** Reads the end of a program. Throws `command_exit`, and what reading the output throws. */
export async function readEnd(
  ended: EndedProgram,
  rules: Rules,
  { context, evaluate }: { readonly context: TaskContext; readonly evaluate: Evaluate },
): Promise<ReadEnd> {
  const { ending, stdout, stderr } = ended
  const meaning = meaningOf(ending, rules)
  const tell = (text: string): string => tellable(context, text)
  if (!meaning.isSuccess) {
    throw exitError({ ...ended, stdout: tell(stdout), stderr: tell(stderr) }, meaning)
  }
  const { output, pattern } = rules
  const printed: JsonValue =
    output === 'matches'
      ? await matchesOf(stdout, pattern, { evaluate, context })
      : printedValue(stdout, output, tell)
  return { printed, outcome: meaning.outcome, ports: takenWays(rules, meaning.way) }
}

/** What it printed and how it ended, by the way of its meaning. Throws what `readEnd` throws. */
export async function programOutcome(
  ended: EndedProgram,
  rules: Rules,
  by: { readonly context: TaskContext; readonly evaluate: Evaluate },
): Promise<TaskOutcome> {
  const { printed, outcome, ports } = await readEnd(ended, rules, by)
  const { ending, stderr } = ended
  const named = outcome === null ? {} : { outcome }
  return completed({ exitCode: ending.code, ...named, stdout: printed, stderr }, ports)
}

/** Without ways of their own for some codes there is nothing to choose from. */
export const takenWays = (
  { exitMeanings }: Pick<Rules, 'exitMeanings'>,
  way: string,
): readonly string[] | null => (exitMeanings.some(({ countsAs }) => countsAs === 'way') ? [way] : null)

function meaningOf({ code }: Ending, { exitMeanings, successCodes, finalCodes }: Rules): Meaning {
  const index = code === null ? -1 : exitMeanings.findIndex(({ codes }) => isCodeIn(codes, code))
  const found = exitMeanings[index]
  if (found === undefined) {
    return {
      isSuccess: code !== null && isCodeIn(successCodes, code),
      isRetryable: code === null || !isCodeIn(finalCodes, code),
      outcome: null,
      way: 'out',
    }
  }
  return {
    isSuccess: found.countsAs === 'success' || found.countsAs === 'way',
    isRetryable: found.countsAs === 'retry',
    outcome: found.name,
    way: found.countsAs === 'way' ? exitWay(index) : 'out',
  }
}

function exitError({ title, ending, stdout, stderr, details }: EndedProgram, meaning: Meaning) {
  const { outcome, isRetryable } = meaning
  const { code, signal } = ending
  const how =
    code !== null
      ? `ended with exit code ${code}`
      : signal === 'SIGXCPU'
        ? 'took more processor time than it may'
        : `was ended${signal === null ? '' : ` by ${signal}`}`
  const lastLine = (stderr.trim() === '' ? stdout : stderr).trim().split('\n').at(-1) ?? ''
  const named = outcome === null ? '' : ` (${outcome})`
  const words = lastLine === '' ? '.' : `: ${lastLine.slice(0, 200)}`
  return new SagasmithError('command_exit', {
    message: `${title} ${how}${named}${words}`,
    details: {
      ...details,
      exitCode: code,
      ...(outcome === null ? {} : { outcome }),
      signal,
      stdout: stdout.slice(-2_000),
      stderr: stderr.slice(-2_000),
    },
    retryable: isRetryable,
  })
}
