/** Parse CSV: text with rows and columns becomes data. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    text: z.string().meta({
      title: 'Text',
      description: 'The CSV text.',
      widget: 'multiline',
    }),
    delimiter: z.string().min(1).max(4).default(',').meta({
      title: 'Between columns',
      description: 'The character that separates columns: a comma, a semicolon, or \\t for a tab.',
    }),
    header: z.boolean().default(true).meta({
      title: 'First row has the names',
      description: 'Rows become objects with these names; without it they become lists.',
    }),
    values: z
      .enum(['auto', 'text'])
      .default('auto')
      .meta({
        title: 'Values',
        choices: {
          auto: { title: 'Recognize them', hint: 'Numbers and true/false become what they look like.' },
          text: { title: 'Keep all as text' },
        },
      }),
    trim: z.boolean().default(true).meta({
      title: 'Trim spaces',
      description: 'Removes spaces around values that are not in quotes.',
      group: 'Reading',
    }),
    skipEmptyLines: z.boolean().default(true).meta({ title: 'Skip empty lines', group: 'Reading' }),
    quote: z.string().max(1).default('"').meta({
      title: 'Quote',
      description: 'Goes around values that hold the separator. Empty: there are no quotes.',
      group: 'Reading',
    }),
    relaxColumns: z.boolean().default(false).meta({
      title: 'Rows may differ in length',
      description: 'Without it, a row with too few or too many columns fails the step and names its line.',
      group: 'Reading',
    }),
    maxRows: z.int().min(1).max(1_000_000).default(100_000).meta({
      title: 'Most rows',
      description: 'A longer file fails the step.',
      group: 'Reading',
    }),
  }),
)

/** The resolved parameters of a CSV text to parse. */
export type ParseCsvParameters = z.infer<ReturnType<typeof parameters>>

export const parseCsvSpec = {
  kind: 'parse-csv',
  title: 'Parse CSV',
  description: 'Turns CSV text into rows that later steps can work with.',
  icon: 'table',
  category: 'data',
  keywords: ['csv', 'parse', 'table', 'rows', 'columns', 'excel', 'spreadsheet', 'tsv', 'import'],
  get parameters() {
    return parameters()
  },
  defaults: { text: '{{ input.content }}' },
  hasInput: true,
  outputs: () => singleOutput,
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => (raw['header'] === false ? 'rows as lists' : 'rows by column name'),
} satisfies TaskSpec<ParseCsvParameters>
