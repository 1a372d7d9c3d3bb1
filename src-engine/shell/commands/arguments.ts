/** Reads the words behind a command's name: its options, and what stands for itself. */

import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { usageError } from './command.ts'

/** What every command takes. */
const commonOptions = {
  data: { type: 'string' },
  json: { type: 'boolean' },
  cluster: { type: 'string' },
  set: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const

export interface ParsedArguments {
  /** An option that was given several times, where it may be: a line for each. */
  readonly values: Readonly<Record<string, string | boolean | undefined>>
  readonly positionals: readonly string[]
  /** `name=value` of each `--set`. */
  readonly sets: readonly string[]
}

/** Stands before a number below zero while the arguments are read: none of our options is a number. */
const mark = '\0'
const isNegative = (text: string): boolean => /^-\.?\d/.test(text)
const unmarked = (text: string): string => (text.startsWith(mark) ? text.slice(1) : text)

/** Throws `bad_request` with the command's usage. */
export function parseArguments(
  { options, usage }: Pick<Command, 'options' | 'usage'>,
  args: readonly string[],
): ParsedArguments {
  try {
    const parsed = parseArgs({
      args: args.map((text) => (isNegative(text) ? mark + text : text)),
      options: { ...commonOptions, ...options },
      allowPositionals: true,
      strict: true,
    })
    const { set = [], ...others } = parsed.values
    const values = Object.entries(others).map(([name, value]) => {
      const told = Array.isArray(value) ? value.join('\n') : value
      return [name, typeof told === 'string' ? unmarked(told) : told] as const
    })
    return {
      values: Object.fromEntries(values),
      positionals: parsed.positionals.map(unmarked),
      sets: set,
    }
  } catch (thrown) {
    const said = thrown instanceof Error ? thrown.message : String(thrown)
    throw usageError(sentenceOf(said), `Usage: sagasmith ${usage}`)
  }
}

/** Node's own words, without what it tells of arguments that begin with a dash, which no command takes. */
function sentenceOf(said: string): string {
  const [first = ''] = said.split('\n')
  const missing = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument/.exec(first)?.[1]
  if (missing !== undefined) return `“${missing}” wants a value.`
  return /^Unknown option '[^']+'/.exec(first)?.[0].concat('.') ?? first
}
