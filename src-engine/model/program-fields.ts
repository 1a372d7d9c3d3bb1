/** Fields of every kind that runs a program: how its output is read, and what its exit code means. */

import { z } from 'zod'
import type { JsonObject } from './json.ts'
import { taskOutputBytesMax } from './limits.ts'
import { patternProblem } from './output/pattern-guard.ts'
import type { PortSpec } from './task-spec.ts'

const codeList = /^\s*(\d{1,3}(\s*-\s*\d{1,3})?(\s*,\s*\d{1,3}(\s*-\s*\d{1,3})?)*)?\s*$/

const outputForms = ['text', 'lines', 'json', 'jsonl', 'none'] as const
const outputChoices = {
  text: { title: 'One text' },
  lines: { title: 'A list of lines' },
  json: { title: 'JSON' },
  jsonl: { title: 'JSON, one value per line' },
  none: { title: 'Not at all' },
}

/** What becomes of the program's standard output; a pattern may say what of it is wanted. */
export const outputFields = {
  output: z
    .enum([...outputForms, 'matches'])
    .default('text')
    .meta({
      title: 'Read the output as',
      choices: { ...outputChoices, matches: { title: 'What a pattern finds' } },
    }),
  pattern: z
    .string()
    .default('')
    .meta({
      title: 'Pattern',
      description:
        'A regular expression. Each match becomes an object of its named groups: (?<name>…). ^ and $ mean lines.',
      expressions: false,
      placeholder: '^(?<file>[^:]+):(?<line>[0-9]+)',
      when: { output: ['matches'] },
    }),
}

/** Refuses a pattern that finds nothing, or may never end; for `superRefine`. */
export function checkPattern(
  { output, pattern }: { readonly output: string; readonly pattern: string },
  check: z.RefinementCtx,
): void {
  if (output !== 'matches') return
  const message = pattern === '' ? 'Write the pattern to look for' : patternProblem(pattern)
  if (message !== null) check.addIssue({ code: 'custom', path: ['pattern'], message: `${message}.` })
}

/** Which exit codes are success, and which fail for good; read with `isCodeIn`. */
export const exitCodeFields = {
  successCodes: z.string().regex(codeList, 'Write codes such as “0, 3-5”.').default('0').meta({
    title: 'Success codes',
    description: 'Exit codes that count as success.',
    placeholder: '0, 3-5',
    group: 'Exit codes',
  }),
  finalCodes: z.string().regex(codeList, 'Write codes such as “2, 64-78”.').default('').meta({
    title: 'Never retry on',
    description: 'Exit codes that fail the step at once, whatever its retries.',
    placeholder: '2, 64-78',
    group: 'Exit codes',
  }),
}

/** More are a table of their own. */
const exitMeaningsMax = 20

/** What single exit codes mean, in people's words; asked before the lists of codes. */
export const exitMeaningsField = z
  .array(
    z.object({
      codes: z
        .string()
        .regex(codeList, 'Write codes such as “3, 10-19”.')
        .min(1)
        .meta({ title: 'Exit codes', placeholder: '3, 10-19' }),
      name: z.string().min(1).meta({ title: 'What it means', placeholder: 'Nothing found' }),
      countsAs: z
        .enum(['success', 'way', 'retry', 'fail'])
        .default('success')
        .meta({
          title: 'It counts as',
          choices: {
            success: { title: 'Success' },
            way: { title: 'Success, by a way out of its own' },
            retry: { title: 'Failure, which may be tried again' },
            fail: { title: 'Failure for good' },
          },
        }),
    }),
  )
  .max(exitMeaningsMax)
  .default([])
  .meta({
    title: 'Meanings',
    description: 'Tried from top to bottom, before the lists. The output and the error say which it was.',
    group: 'Exit codes',
  })

/** The way out of a meaning that has one. */
export const exitWay = (index: number): string => `exit-${index + 1}`

/** The ways out of raw parameters, beside the usual one. */
export function exitWays(raw: JsonObject): readonly PortSpec[] {
  const rows: readonly unknown[] = Array.isArray(raw['exitMeanings']) ? raw['exitMeanings'] : []
  return rows.slice(0, exitMeaningsMax).flatMap((row, index) => {
    if (typeof row !== 'object' || row === null || !('countsAs' in row) || row.countsAs !== 'way') return []
    const name = 'name' in row && typeof row.name === 'string' ? row.name.trim() : ''
    return [{ id: exitWay(index), title: name === '' ? `Meaning ${index + 1}` : name }]
  })
}

/** How much a program may print, in bytes. */
export const maxOutputBytesField = z.int().min(1).max(taskOutputBytesMax).default(1_000_000).meta({
  title: 'Largest output',
  description: 'In bytes. A program that prints more is stopped and the step fails.',
  group: 'Limits',
})

/** As whom a program of this machine runs, and what it may use at most. */
export const localProgramFields = {
  asUser: z
    .string()
    .regex(/^([A-Za-z_][\w.-]{0,31}\$?|\d{1,10})?$/, 'Write a name or number, such as “www-data”.')
    .default('')
    .meta({
      title: 'Run as',
      description:
        'A user of the machine. Only an engine that runs as root can be another; never on Windows.',
      placeholder: 'www-data',
      expressions: false,
      group: 'Environment',
    }),
  cpuSeconds: z.int().min(0).max(1_000_000).default(0).meta({
    title: 'Processor time',
    description: 'In seconds, for each process. 0: no limit. Not on Windows.',
    group: 'Limits',
  }),
  memoryMb: z.int().min(0).max(1_048_576).default(0).meta({
    title: 'Memory',
    description:
      'In MB of addresses, for each process; Node.js and Java take up many more than they use. 0: no limit. Linux only.',
    group: 'Limits',
  }),
  processesMax: z.int().min(0).max(100_000).default(0).meta({
    title: 'Processes',
    description:
      'How many the program and all that it starts may be at once, threads among them. 0: no limit. On Linux, where the engine may make control groups.',
    group: 'Limits',
  }),
}

/** A command as it is told, with who runs it where that is somebody else. */
export const toldAs = ({ asUser }: JsonObject, command: string): string =>
  typeof asUser === 'string' && asUser !== '' ? `sudo -u ${asUser} ${command}` : command

/** A word of a command line as it is told: quoted where its ends could not be seen. */
export const wordTold = (word: unknown): string => {
  const text = String(word)
  return /^[^\s"']+$/.test(text) ? text : JSON.stringify(text)
}
