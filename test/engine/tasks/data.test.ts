/** Texts in and out, checks and names: what is read comes back, and what is hostile is refused. */

import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { createTaskRuns } from '../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import type { TaskContext } from '../../../src-engine/tasks/task.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const host = { start: () => Promise.reject(new Error('no process in this test')) as never }
const runs = createTaskRuns({
  sandbox: host,
  packages: { allowed: [], folder: '' },
  environment: {},
  lookup: async () => [],
  evaluate: async () => null,
  sqlite: host,
})

const outcome = async (kind: string, raw: JsonObject, parts: Partial<TaskContext> = {}) => {
  const parameters = taskSpecsByKind.get(kind)?.parameters.parse(raw)
  const found = await runs.get(kind)?.execute(parameters, taskContext(parts))
  if (found === undefined) throw new Error(`no kind ${kind}`)
  return found
}
const step = async (kind: string, raw: JsonObject, parts: Partial<TaskContext> = {}) =>
  outputOf(await outcome(kind, raw, parts))
const parse = (format: string, text: string, more: JsonObject = {}) =>
  step('parse-data', { format, text, ...more })
const build = async (format: string, value: JsonValue, more: JsonObject = {}): Promise<string> => {
  const text = await step('build-data', { format, value, ...more })
  return typeof text === 'string' ? text : 'no text'
}

const samples: readonly JsonValue[] = [
  { a: 1, b: [true, null, 'x'], c: { d: 'ü <&> "\'' } },
  [{ id: 1 }, { id: 2, list: [] }],
  'text: with {odd} # things',
  { '0': 'yes', no: 'no', on: '012', date: '2024-02-29', empty: '', lines: 'a\nb\n' },
]

describe('there and back', () => {
  test.for(samples)('JSON, YAML: %o', async (value) => {
    for (const format of ['json', 'yaml']) {
      const text = await build(format, value)
      expect(await parse(format, text)).toEqual(value)
    }
  })

  test('JSON Lines', async () => {
    const items = [{ a: 1 }, 'x\ny', null, [2]]
    const text = await build('jsonl', items)
    expect(text.trimEnd().split('\n')).toHaveLength(4)
    expect(await parse('jsonl', `\uFEFF${text}\n\n`)).toEqual({ items, count: 4, skipped: 0 })
  })

  test.for([true, false])('XML, indented: %s', async (indent) => {
    const value = {
      orders: {
        '@at': '2024 & "later"',
        order: [
          { '@id': '1', name: 'a < b', '#text': 'words' },
          { '@id': '2', name: '' },
        ],
        note: 'x',
      },
    }
    const text = await build('xml', value, { indent })
    expect(text).toContain('<?xml version="1.0" encoding="UTF-8"?>')
    expect(await parse('xml', text)).toEqual(value)
  })
})

describe('XML', () => {
  test('one element is a list where that is said', async () => {
    const text = '<a><item>1</item><deep><item>2</item></deep></a>'
    expect(await parse('xml', text)).toEqual({ a: { item: '1', deep: { item: '2' } } })
    expect(await parse('xml', text, { lists: ['item'] })).toEqual({
      a: { item: ['1'], deep: { item: ['2'] } },
    })
    expect(await parse('xml', text, { lists: ['deep.item'] })).toEqual({
      a: { item: '1', deep: { item: ['2'] } },
    })
  })

  test('text in CDATA and entities of XML itself', async () => {
    expect(await parse('xml', '<a>x &lt; <![CDATA[<b>]]> &#228;</a>')).toEqual({ a: 'x < <b> ä' })
  })

  test('lists and values without a root get one', async () => {
    expect(await build('xml', [1, 2], { indent: false, root: 'list' })).toMatch(
      /<list><item>1<\/item><item>2<\/item><\/list>$/,
    )
    expect(await thrownBy(() => build('xml', { 'no name': 1 }))).toMatchObject({ code: 'data_invalid' })
  })
})

const bomb = (count: number): string =>
  Array.from({ length: count }, (_, index) =>
    index === 0 ? 'a0: &a0 [x, x]' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
  ).join('\n')

describe('refused', () => {
  test.for<[string, string, string]>([
    ['json', 'words that are none', '{"a":}'],
    ['json', 'a name that reaches into objects', '{"__proto__":{"polluted":true}}'],
    ['json', 'too deep', `${'['.repeat(70)}${']'.repeat(70)}`],
    ['jsonl', 'a line', '{}\nnope\n'],
    ['yaml', 'tags of one’s own', 'a: !!js/function "function () {}"'],
    ['yaml', 'unknown tags', 'a: !mine x'],
    ['yaml', 'a name twice', 'a: 1\na: 2'],
    ['yaml', 'an anchor that multiplies', bomb(30)],
    ['yaml', 'a name that reaches into objects', '__proto__:\n  polluted: true'],
    ['yaml', 'several documents', 'a: 1\n---\nb: 2'],
    ['yaml', 'bad indents', 'a:\n - b\n  c: d'],
    ['xml', 'what is not closed', '<a><b></a>'],
    ['xml', 'a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['xml', 'an outside entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['xml', 'an unknown entity', '<a>&x;</a>'],
    ['xml', 'too deep', `${'<a>'.repeat(70)}${'</a>'.repeat(70)}`],
    ['xml', 'a name that reaches into objects', '<a><constructor>1</constructor></a>'],
    ['xml', 'nothing', ''],
  ])('%s: %s', async ([format, , text]) => {
    expect(await thrownBy(() => parse(format, text))).toMatchObject({ code: 'data_invalid' })
    expect('polluted' in {}).toBe(false)
  })

  test('a text that is too long', async () => {
    expect(await thrownBy(() => parse('json', ' '.repeat(10_000_001)))).toMatchObject({
      code: 'payload_too_large',
    })
  })
})

test('YAML: several documents, large numbers, none', async () => {
  expect(await parse('yaml', 'a: 1\n---\n- 9007199254740993\n', { documents: 'all' })).toEqual([
    { a: 1 },
    ['9007199254740993'],
  ])
  expect(await parse('yaml', '')).toBe(null)
  expect(await parse('yaml', 'a: .inf\nb: &x {c: 1}\nd: *x')).toEqual({
    a: 'Infinity',
    b: { c: 1 },
    d: { c: 1 },
  })
})

test('JSON Lines: bad lines are left out and told', async () => {
  const context = taskContext()
  const output = await step('parse-data', { format: 'jsonl', text: '1\nx\n2', badLines: 'skip' }, context)
  expect(output).toEqual({ items: [1, 2], count: 2, skipped: 1 })
  expect(context.lines).toEqual(['task warn Line 2 is not JSON.'])
})

test('an HTML table shows values, whatever is in them', async () => {
  const rows = [
    { name: '<script>alert(1)</script>', n: 1 },
    { name: null, more: { a: '"' } },
  ]
  const text = await build('html', rows, { title: 'A & B' })
  expect(text).toContain('<title>A &amp; B</title>')
  expect(text).toContain('<thead><tr><th>name</th><th>n</th><th>more</th></tr></thead>')
  expect(text).toContain('<td>&lt;script&gt;alert(1)&lt;/script&gt;</td><td>1</td><td></td>')
  expect(text).toContain('<td>{&quot;a&quot;:&quot;\\&quot;&quot;}</td>')
  expect(await build('html', ['x'])).toMatch(/^<table>/)
})

describe('HTML', () => {
  const html = `<title>Shop</title><h1> Our <b>goods</b>\n now </h1>
    <ul><li class=good><a href="/a">A</a> <i>1</i></li><li class="good"><a href='/b'>B &amp; C</a></li><li>no</li></ul>
    <script>document.title = 'x'</script>`

  test('one object of a page', async () => {
    const fields = { title: 'h1', first: 'li a@href', inner: 'h1@html', none: '.none' }
    expect(await step('parse-html', { html, fields })).toEqual({
      ...{ title: 'Our goods now', first: '/a', inner: 'Our <b>goods</b>\n now', none: null },
    })
  })

  test('a list of what is repeated', async () => {
    const raw = { html, each: 'li.good', fields: { name: 'a', link: 'a@href', count: 'i', kind: '@class' } }
    expect(await step('parse-html', raw)).toEqual({
      items: [
        { name: 'A', link: '/a', count: '1', kind: 'good' },
        { name: 'B & C', link: '/b', count: null, kind: 'good' },
      ],
      count: 2,
    })
    const few = () => step('parse-html', { ...raw, maxItems: 1 })
    expect(await thrownBy(few)).toMatchObject({ code: 'task_output_too_large' })
  })

  test('a selector that is none', async () => {
    const work = () => step('parse-html', { html, fields: { a: 'li[' } })
    expect(await thrownBy(work)).toMatchObject({ code: 'task_input_invalid' })
  })
})

describe('validate', () => {
  const schema = { type: 'object', properties: { n: { type: 'number', minimum: 1 } }, required: ['n'] }

  test('by a schema', async () => {
    expect(await step('validate', { value: { n: 1 }, schema })).toEqual({ n: 1 })
    expect(await thrownBy(() => step('validate', { value: { n: 0 }, schema }))).toMatchObject({
      code: 'value_invalid',
      details: { count: 1 },
    })
  })

  test('by a condition, another way out, in one’s own words', async () => {
    const raw = { value: 5, check: 'expression', onInvalid: 'port', message: 'too small' }
    expect(await outcome('validate', { ...raw, condition: true })).toMatchObject({
      ports: ['valid'],
      output: 5,
    })
    expect(await outcome('validate', { ...raw, condition: 0 })).toMatchObject({
      ports: ['invalid'],
      output: { value: 5, message: 'too small', problems: [] },
    })
  })

  test('a word that is not checked lets nothing through', async () => {
    for (const odd of [{ oneOf: [] }, { properties: { a: { $ref: '#' } } }, { items: { not: {} } }, 'x']) {
      expect(await thrownBy(() => step('validate', { value: 1, schema: odd }))).toMatchObject({
        code: 'task_input_invalid',
      })
    }
  })
})

test('set values: with what arrived, or without', async () => {
  const values = { a: 1, from: 'new' }
  expect(await step('set-values', { values }, { input: { from: 'old', b: 2 } })).toEqual({
    from: 'new',
    b: 2,
    a: 1,
  })
  expect(await step('set-values', { values }, { input: 7 })).toEqual({ value: 7, ...values })
  expect(await step('set-values', { values, keep: 'none' })).toEqual(values)
})
