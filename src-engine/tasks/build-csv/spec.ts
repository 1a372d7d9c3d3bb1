/** Build CSV: rows become text for spreadsheets. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    rows: z.unknown().meta({
      title: 'Rows',
      description: 'JSONata for a list of objects, or of lists.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'input.rows',
    }),
    columns: z.array(z.string()).default([]).meta({
      title: 'Columns',
      description: 'Names of the columns, in order. Empty: all that occur, in the order they occur.',
    }),
    header: z.boolean().default(true).meta({ title: 'Write the names', description: 'As the first row.' }),
    delimiter: z.string().min(1).max(4).default(',').meta({
      title: 'Between columns',
      description: 'The character that separates columns: a comma, a semicolon, or \\t for a tab.',
    }),
    quoteAll: z.boolean().default(false).meta({
      title: 'Quote every value',
      description: 'Otherwise only values that need it.',
      group: 'Writing',
    }),
    lineEnd: z
      .enum(['lf', 'crlf'])
      .default('lf')
      .meta({
        title: 'Line ends',
        choices: {
          lf: { title: 'As on Linux and macOS', hint: 'One character (LF); Windows reads it, too.' },
          crlf: { title: 'As on Windows', hint: 'Two characters (CR LF), for older Windows programs.' },
        },
        group: 'Writing',
      }),
    guardFormulas: z.boolean().default(true).meta({
      title: 'Guard against formulas',
      description: 'Puts an apostrophe before texts that a spreadsheet would run as a formula.',
      group: 'Writing',
    }),
  }),
)

/** The resolved parameters of a CSV text to build; `rows` is its expression's value. */
export type BuildCsvParameters = z.infer<ReturnType<typeof parameters>>

export const buildCsvSpec = {
  kind: 'build-csv',
  title: 'Build CSV',
  description: 'Turns rows into CSV text that is safe to open in a spreadsheet.',
  icon: 'sheet',
  category: 'data',
  keywords: ['csv', 'build', 'table', 'rows', 'columns', 'excel', 'spreadsheet', 'export', 'tsv'],
  get parameters() {
    return parameters()
  },
  defaults: { rows: 'input.rows' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => shortened(textParameter(raw, 'rows', 'rows')),
} satisfies TaskSpec<BuildCsvParameters>
