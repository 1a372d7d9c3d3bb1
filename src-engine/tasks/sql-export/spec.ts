/** SQL to a file: the rows of a query as JSON Lines or CSV, as many as there are. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'
import {
  databaseField,
  databaseReach,
  namedValues,
  oneLine,
  sqlText,
  tooManyField,
  values,
} from '../sql/spec.ts'

const rowsMax = 100_000_000
const bytesMax = 10_000_000_000

const parameters = lazily(() =>
  z.strictObject({
    database: databaseField(),
    sql: sqlText().min(1),
    parameters: values().meta(namedValues),
    path: z.string().min(1).meta({
      title: 'Write into',
      description: 'Relative paths start at the folder of the workflow. Missing folders are made.',
      widget: 'path',
      placeholder: 'out/orders.jsonl',
    }),
    existing: z
      .enum(['replace', 'fail'])
      .default('replace')
      .meta({
        title: 'If the file exists',
        choices: {
          replace: { title: 'Replace it', hint: 'Once the new one is complete.' },
          fail: { title: 'The step fails' },
        },
      }),
    format: z
      .enum(['jsonl', 'csv'])
      .default('jsonl')
      .meta({
        title: 'Write it as',
        choices: { jsonl: { title: 'JSON, one row per line' }, csv: { title: 'CSV' } },
      }),
    delimiter: z
      .string()
      .min(1)
      .max(4)
      .default(',')
      .meta({
        title: 'Between columns',
        description: 'A comma, a semicolon, or \\t for a tab.',
        when: { format: ['csv'] },
      }),
    header: z
      .boolean()
      .default(true)
      .meta({
        title: 'Write the names',
        description: 'As the first row.',
        when: { format: ['csv'] },
      }),
    guardFormulas: z
      .boolean()
      .default(true)
      .meta({
        title: 'Guard against formulas',
        description: 'Puts an apostrophe before texts that a spreadsheet would run as a formula.',
        when: { format: ['csv'] },
      }),
    tooMany: tooManyField('Write the first'),
    maxRows: z.int().min(1).max(rowsMax).default(1_000_000).meta({ title: 'Most rows', group: 'Limits' }),
    maxBytes: z.int().min(1).max(bytesMax).default(1_000_000_000).meta({
      title: 'Largest file',
      description: 'In bytes.',
      group: 'Limits',
    }),
    timeoutMs: z.int().min(1).max(86_400_000).default(600_000).meta({
      title: 'Timeout',
      description: 'From connecting to the last row. The database is told to stop what is late.',
      widget: 'duration',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of an export. */
export type SqlExportParameters = z.infer<ReturnType<typeof parameters>>

export const sqlExportSpec = {
  kind: 'sql-export',
  title: 'SQL to a file',
  description: 'Asks a database and writes the rows into a file while they come, however many there are.',
  icon: 'hard-drive-download',
  category: 'data',
  keywords: ['sql', 'export', 'dump', 'rows', 'stream', 'csv', 'jsonl', 'database', 'file', 'large'],
  get parameters() {
    return parameters()
  },
  defaults: { database: { kind: 'sqlite', file: '' }, sql: '', path: '' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [...databaseReach, { what: 'paths', field: 'path' }],
  sideEffect: 'idempotent',
  execution: 'runner',
  summary: (raw) =>
    shortened(`${textParameter(raw, 'path', 'a file')} ← ${oneLine(textParameter(raw, 'sql', 'a query'))}`),
} satisfies TaskSpec<SqlExportParameters>
