/** Fields of every kind that runs a program: how its output is read, and what its exit code means. */

import { z } from 'zod'
import { taskOutputBytesMax } from './limits.ts'

const codeList = /^\s*(\d{1,3}(\s*-\s*\d{1,3})?(\s*,\s*\d{1,3}(\s*-\s*\d{1,3})?)*)?\s*$/

/** What becomes of the program's standard output. */
export const outputField = z
  .enum(['text', 'lines', 'json', 'jsonl', 'none'])
  .default('text')
  .meta({
    title: 'Read the output as',
    choices: {
      text: { title: 'One text' },
      lines: { title: 'A list of lines' },
      json: { title: 'JSON' },
      jsonl: { title: 'JSON, one value per line' },
      none: { title: 'Not at all' },
    },
  })

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

/** How much a program may print, in bytes. */
export const maxOutputBytesField = z.int().min(1).max(taskOutputBytesMax).default(1_000_000).meta({
  title: 'Largest output',
  description: 'In bytes. A program that prints more is stopped and the step fails.',
  group: 'Limits',
})

/** A word of a command line as it is told: quoted where its ends could not be seen. */
export const wordTold = (word: unknown): string => {
  const text = String(word)
  return /^[^\s"']+$/.test(text) ? text : JSON.stringify(text)
}
