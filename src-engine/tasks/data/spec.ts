/** Steps on texts and values: read and write JSON, JSON Lines, YAML, XML and HTML, check a value, name values. */

import { z } from 'zod'
import { lazily } from '../../model/lazily.ts'
import { shortened, textParameter } from '../../model/summary.ts'
import type { PortSpec, TaskSpec } from '../../model/task-spec.ts'
import { singleOutput } from '../../model/task-spec.ts'

const parseParameters = lazily(() =>
  z.strictObject({
    text: z.string().meta({ title: 'Text', widget: 'multiline', placeholder: '{{ input.content }}' }),
    format: z
      .enum(['json', 'jsonl', 'yaml', 'xml'])
      .default('json')
      .meta({
        title: 'It is',
        choices: {
          json: { title: 'JSON' },
          jsonl: { title: 'JSON Lines', hint: 'One JSON value per line; gives a list.' },
          yaml: { title: 'YAML' },
          xml: { title: 'XML' },
        },
      }),
    badLines: z
      .enum(['fail', 'skip'])
      .default('fail')
      .meta({
        title: 'A line that is not JSON',
        choices: { fail: { title: 'Fails the step' }, skip: { title: 'Is left out, and told' } },
        when: { format: ['jsonl'] },
      }),
    documents: z
      .enum(['one', 'all'])
      .default('one')
      .meta({
        title: 'Documents',
        choices: {
          one: { title: 'There is one' },
          all: { title: 'A list of all', hint: 'YAML texts may hold several, with --- between them.' },
        },
        when: { format: ['yaml'] },
      }),
    lists: z
      .array(z.string())
      .default([])
      .meta({
        title: 'Always lists',
        description: 'Names of elements that are a list also when there is only one: item, orders.order.',
        when: { format: ['xml'] },
      }),
  }),
)

const buildParameters = lazily(() =>
  z.strictObject({
    value: z.unknown().meta({ title: 'Value', widget: 'multiline', placeholder: '{{ input }}' }),
    format: z
      .enum(['json', 'jsonl', 'yaml', 'xml', 'html'])
      .default('json')
      .meta({
        title: 'Write it as',
        choices: {
          json: { title: 'JSON' },
          jsonl: { title: 'JSON Lines', hint: 'A list, one value per line.' },
          yaml: { title: 'YAML' },
          xml: { title: 'XML', hint: 'As “Parse data” reads it: @name is an attribute, #text the text.' },
          html: { title: 'HTML table', hint: 'A list of objects, one row each.' },
        },
      }),
    indent: z
      .boolean()
      .default(true)
      .meta({
        title: 'For people to read',
        description: 'With lines and indents.',
        when: { format: ['json', 'xml'] },
      }),
    root: z
      .string()
      .default('root')
      .meta({
        title: 'Outermost element',
        description: 'When the value isn’t an object with one name.',
        when: { format: ['xml'] },
      }),
    title: z
      .string()
      .default('')
      .meta({
        title: 'Heading',
        description: 'Makes a whole page of it. Empty: the table alone, for a mail.',
        when: { format: ['html'] },
      }),
  }),
)

const htmlParameters = lazily(() =>
  z.strictObject({
    html: z.string().meta({ title: 'HTML', widget: 'multiline', placeholder: '{{ input.body }}' }),
    each: z.string().default('').meta({
      title: 'For each',
      description: 'CSS selector of what is repeated; gives a list. Empty: the whole page, gives one object.',
      placeholder: 'table.orders tr',
    }),
    fields: z.record(z.string(), z.string()).default({}).meta({
      title: 'Fields',
      description:
        'A CSS selector for each: its text; with @name behind it, that attribute; with @html, what is in it.',
      widget: 'key-value',
      placeholder: 'a.title@href',
    }),
    maxItems: z.int().min(1).max(10_000).default(1_000).meta({ title: 'Most items', group: 'Limits' }),
  }),
)

const validateParameters = lazily(() =>
  z.strictObject({
    value: z.unknown().meta({ title: 'Value', widget: 'multiline', placeholder: '{{ input }}' }),
    check: z
      .enum(['schema', 'expression'])
      .default('schema')
      .meta({
        title: 'Check it by',
        choices: { schema: { title: 'A JSON Schema' }, expression: { title: 'A condition' } },
      }),
    schema: z
      .unknown()
      .default({})
      .meta({
        title: 'JSON Schema',
        widget: 'code',
        language: 'json',
        expressions: false,
        when: { check: ['schema'] },
      }),
    condition: z
      .unknown()
      .default(true)
      .meta({
        title: 'Condition',
        description: 'JSONata that must be true.',
        widget: 'expression',
        language: 'jsonata',
        placeholder: 'input.total > 0',
        when: { check: ['expression'] },
      }),
    message: z.string().default('').meta({
      title: 'What to say',
      description: 'In the error, or on the way out, when it doesn’t fit. Empty: what was found.',
    }),
    onInvalid: z
      .enum(['fail', 'port'])
      .default('fail')
      .meta({
        title: 'When it doesn’t fit',
        choices: { fail: { title: 'The step fails' }, port: { title: 'Leave by another way' } },
      }),
  }),
)

const setParameters = lazily(() =>
  z.strictObject({
    values: z.record(z.string(), z.unknown()).default({}).meta({
      title: 'Values',
      description: 'Names and what they stand for; later steps read them from this step’s output.',
      widget: 'key-value',
      placeholder: '{{ input.total * 1.19 }}',
    }),
    keep: z
      .enum(['all', 'none'])
      .default('all')
      .meta({
        title: 'What arrived',
        choices: {
          all: { title: 'Goes along', hint: 'The values are added to it; the same names are replaced.' },
          none: { title: 'Stays behind' },
        },
      }),
  }),
)

/** The resolved parameters of a text to read. */
export type ParseDataParameters = z.infer<ReturnType<typeof parseParameters>>
/** The resolved parameters of a text to write. */
export type BuildDataParameters = z.infer<ReturnType<typeof buildParameters>>
/** The resolved parameters of a page to read. */
export type ParseHtmlParameters = z.infer<ReturnType<typeof htmlParameters>>
/** The resolved parameters of a check. */
export type ValidateParameters = z.infer<ReturnType<typeof validateParameters>>
/** The resolved parameters of named values. */
export type SetValuesParameters = z.infer<ReturnType<typeof setParameters>>

const common = { category: 'data', hasInput: true, sideEffect: 'pure', execution: 'runner' } as const

const formatTitles: Readonly<Record<string, string>> = {
  json: 'JSON',
  jsonl: 'JSON Lines',
  yaml: 'YAML',
  xml: 'XML',
  html: 'HTML table',
}
const formatOf = (format: unknown): string =>
  (typeof format === 'string' ? formatTitles[format] : undefined) ?? 'JSON'

export const parseDataSpec = {
  ...common,
  kind: 'parse-data',
  title: 'Parse data',
  description: 'Reads a text as JSON, JSON Lines, YAML or XML.',
  icon: 'file-braces',
  keywords: ['parse', 'json', 'jsonl', 'ndjson', 'yaml', 'xml', 'text', 'read', 'decode'],
  get parameters() {
    return parseParameters()
  },
  defaults: { text: '{{ input }}', format: 'json' },
  outputs: () => singleOutput,
  summary: (raw) => formatOf(raw['format']),
} satisfies TaskSpec<ParseDataParameters>

export const buildDataSpec = {
  ...common,
  kind: 'build-data',
  title: 'Build data',
  description: 'Writes a value as JSON, JSON Lines, YAML, XML or an HTML table.',
  icon: 'file-code',
  keywords: ['build', 'json', 'jsonl', 'yaml', 'xml', 'html', 'table', 'text', 'write', 'encode', 'format'],
  get parameters() {
    return buildParameters()
  },
  defaults: { value: '{{ input }}', format: 'json' },
  outputs: () => singleOutput,
  summary: (raw) => formatOf(raw['format']),
} satisfies TaskSpec<BuildDataParameters>

export const parseHtmlSpec = {
  ...common,
  kind: 'parse-html',
  title: 'Parse HTML',
  description: 'Takes texts and addresses out of a web page, by CSS selectors.',
  icon: 'code-xml',
  keywords: ['html', 'parse', 'scrape', 'css', 'selector', 'page', 'web', 'extract', 'table', 'links'],
  get parameters() {
    return htmlParameters()
  },
  defaults: { html: '{{ input.body }}', fields: { title: 'h1' } },
  outputs: () => singleOutput,
  summary: (raw) => shortened(textParameter(raw, 'each', 'a page')),
} satisfies TaskSpec<ParseHtmlParameters>

const verdicts: readonly PortSpec[] = [
  { id: 'valid', title: 'Valid' },
  { id: 'invalid', title: 'Invalid' },
]

export const validateSpec = {
  ...common,
  kind: 'validate',
  title: 'Validate',
  description: 'Checks a value by a JSON Schema or a condition; fails, or goes another way.',
  icon: 'list-checks',
  keywords: ['validate', 'check', 'assert', 'schema', 'json schema', 'verify', 'guard', 'require'],
  get parameters() {
    return validateParameters()
  },
  defaults: { value: '{{ input }}', check: 'schema', schema: {} },
  outputs: (raw) => (raw['onInvalid'] === 'port' ? verdicts : singleOutput),
  summary: (raw) =>
    raw['check'] === 'expression' ? shortened(textParameter(raw, 'condition', 'a condition')) : 'by a schema',
} satisfies TaskSpec<ValidateParameters>

export const setValuesSpec = {
  ...common,
  kind: 'set-values',
  title: 'Set values',
  description: 'Names values, so that later steps can use them.',
  icon: 'variable',
  keywords: ['set', 'values', 'variables', 'fields', 'assign', 'edit', 'add', 'merge', 'state'],
  get parameters() {
    return setParameters()
  },
  defaults: { values: {} },
  outputs: () => singleOutput,
  summary: (raw) => {
    const { values } = raw
    const names = typeof values === 'object' && values !== null ? Object.keys(values) : []
    return names.length === 0 ? 'no values yet' : shortened(names.join(', '))
  },
} satisfies TaskSpec<SetValuesParameters>
