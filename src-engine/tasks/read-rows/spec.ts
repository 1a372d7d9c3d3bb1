/** Read rows: the next rows of a file, which may be larger than memory (a page of HTML may not); a loop takes it from batch to batch. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parameters = lazily(() =>
  z.strictObject({
    path: z.string().min(1).meta({
      title: 'File',
      description: 'Relative paths start at the folder of the workflow. In UTF-8.',
      widget: 'path',
      placeholder: 'data/orders.csv',
    }),
    format: z
      .enum(['csv', 'jsonl', 'lines', 'xml', 'yaml', 'html'])
      .default('csv')
      .meta({
        title: 'It is',
        choices: {
          csv: { title: 'CSV' },
          jsonl: { title: 'JSON Lines', hint: 'One JSON value per line.' },
          lines: { title: 'Lines of text' },
          xml: { title: 'XML', hint: 'Each element of a name is a row.' },
          yaml: { title: 'YAML', hint: 'Each document is a row, with --- between them.' },
          html: { title: 'HTML', hint: 'Rows of tables, or what a selector finds; pages of up to 10 MB.' },
        },
      }),
    rows: z.int().min(1).max(10_000).default(500).meta({
      title: 'Rows at a time',
      description: 'How many are handed on at most; empty lines don’t count.',
    }),
    from: z.unknown().default('').meta({
      title: 'Go on from',
      description: 'JSONata for what the batch before says under “next”. Nothing: from the beginning.',
      widget: 'expression',
      language: 'jsonata',
      placeholder: 'loop.value.next',
    }),
    element: z
      .string()
      .max(1_000)
      .default('')
      .meta({
        title: 'Element of a row',
        description:
          'Its name, or the end of its path: orders.order. Empty: each element in the outermost one.',
        placeholder: 'order',
        when: { format: ['xml'] },
      }),
    lists: z
      .array(z.string())
      .default([])
      .meta({
        title: 'Always lists',
        description: 'Names of elements that are a list also when there is only one: item, order.item.',
        when: { format: ['xml'] },
      }),
    each: z
      .string()
      .default('tr')
      .meta({
        title: 'For each',
        description: 'CSS selector of what is a row.',
        placeholder: 'table.orders tr',
        when: { format: ['html'] },
      }),
    fields: z
      .record(z.string(), z.string())
      .default({})
      .meta({
        title: 'Fields',
        description:
          'A CSS selector for each: its text; with @name behind it, that attribute; with @html, what is in it. None: the cells of a table’s row.',
        widget: 'key-value',
        placeholder: 'a.title@href',
        when: { format: ['html'] },
      }),
    delimiter: z
      .string()
      .min(1)
      .max(4)
      .default(',')
      .meta({
        title: 'Between columns',
        description: 'The character that separates columns: a comma, a semicolon, or \\t for a tab.',
        when: { format: ['csv'] },
      }),
    header: z
      .boolean()
      .default(true)
      .meta({
        title: 'First row has the names',
        description: 'Rows become objects with these names; without it they become lists.',
        when: { format: ['csv', 'html'] },
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
        when: { format: ['csv'] },
      }),
    maxBytes: z.int().min(1_000).max(10_000_000).default(5_000_000).meta({
      title: 'Largest batch',
      description:
        'In bytes. A batch has fewer rows when they are long; a single row that is longer fails the step.',
      group: 'Limits',
    }),
  }),
)

/** The resolved parameters of a batch; `from` is its expression's value. */
export type ReadRowsParameters = z.infer<ReturnType<typeof parameters>>

export const readRowsSpec = {
  kind: 'read-rows',
  title: 'Read rows',
  description: 'Hands on the next rows of a CSV, JSON Lines, XML, YAML, HTML or text file, batch by batch.',
  icon: 'file-spreadsheet',
  category: 'files',
  keywords: [
    'rows',
    'csv',
    'stream',
    'batch',
    'large',
    'file',
    'jsonl',
    'lines',
    'read',
    'for each',
    'tsv',
    'xml',
    'yaml',
    'html',
    'table',
  ],
  get parameters() {
    return parameters()
  },
  defaults: { path: '', from: 'loop.value.next' },
  hasInput: true,
  outputs: () => singleOutput,
  reach: [{ what: 'paths', field: 'path' }],
  sideEffect: 'pure',
  execution: 'runner',
  summary: (raw) => {
    const rows = typeof raw['rows'] === 'number' ? raw['rows'] : 500
    return shortened(`${rows} rows of ${textParameter(raw, 'path', 'a file')}`)
  },
} satisfies TaskSpec<ReadRowsParameters>
