/** Expressions as fields: what is seen is what is written, and what it makes is what a run makes. */

import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { createExpressionService } from '../../src-engine/runtime/expressions/expression-service.ts'
import { createSeededRandom } from '../../src-engine/runtime/seeded-random.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { exampleOf, namesIn } from '../../src-renderer/forms/mapping/before-after.ts'
import type { Mapping } from '../../src-renderer/forms/mapping/field-mapping.ts'
import { mappingExpression, mappingOf } from '../../src-renderer/forms/mapping/field-mapping.ts'
import {
  emptyMapping,
  seenFromEntry,
  untaken,
  withTaken,
  withValue,
  writtenMapping,
} from '../../src-renderer/forms/mapping/mapping-edits.ts'
import { textExpression, textTemplate } from '../../src-renderer/forms/mapping/text-expression.ts'
import { fieldOf } from '../../src-renderer/forms/schema-fields.ts'
import { withValueTaken } from '../../src-renderer/forms/take-value.ts'

const expressions = createExpressionService({ clock: systemClock })
afterAll(() => expressions.close())
const input: JsonObject = {
  id: 7,
  'full name': 'Ada',
  password: 'x',
  address: { city: 'Ghent' },
  rows: [
    { sku: 'a', count: 2, note: null },
    { sku: 'b', count: 3 },
  ],
}
const made = (mapping: Mapping) =>
  expressions.evaluateOver({
    ...{ expression: mappingExpression(mapping), scope: { input, extra: { id: 8, more: true } } },
    ...{ now: 0, seed: 'x' },
  })
const mapping = (parts: Partial<Mapping>): Mapping => ({ ...emptyMapping, ...parts })

describe('what a mapping makes', () => {
  test.for<[string, Partial<Mapping>, unknown]>([
    ['picked and renamed', { fields: [{ to: 'number', from: 'input.id' }] }, { number: 7 }],
    [
      'nested',
      {
        fields: [
          { to: 'who.name', from: 'input.`full name`' },
          { to: 'sum', from: '$sum(input.rows.count)' },
          { to: 'who.city', from: 'input.address.city' },
        ],
      },
      { who: { name: 'Ada', city: 'Ghent' }, sum: 5 },
    ],
    [
      'texts',
      { fields: [{ to: 'hello', from: 'Hello {{ input.`full name` }}, no. {{ input.id }}!' }] },
      { hello: 'Hello Ada, no. 7!' },
    ],
    [
      'the rest kept, without the old name of what was renamed and without what is left out',
      {
        all: ['input'],
        without: ['password', 'rows', 'address'],
        fields: [{ to: 'number', from: 'input.id' }],
      },
      { 'full name': 'Ada', number: 7 },
    ],
    ['merged', { all: ['input.address', 'extra'] }, { city: 'Ghent', id: 8, more: true }],
    [
      'merged, but for some',
      { all: ['input.address', 'extra'], without: ['id'] },
      { city: 'Ghent', more: true },
    ],
    ['nothing', {}, {}],
    [
      'per entry',
      {
        each: 'input.rows',
        fields: [
          { to: 'article', from: 'sku' },
          { to: 'label', from: '{{ count }} of {{ sku }}' },
        ],
      },
      [
        { article: 'a', label: '2 of a' },
        { article: 'b', label: '3 of b' },
      ],
    ],
    [
      'per entry, renamed among the rest',
      { each: 'input.rows', all: ['$'], without: ['note'], fields: [{ to: 'article', from: 'sku' }] },
      [
        { article: 'a', count: 2 },
        { article: 'b', count: 3 },
      ],
    ],
    ['per entry of one', { each: 'input.rows[count > 2]', fields: [{ to: 's', from: 'sku' }] }, [{ s: 'b' }]],
    ['per entry of none', { each: 'input.none', fields: [{ to: 's', from: 'sku' }] }, []],
  ])('%s', async ([, parts, expected]) => {
    expect(await made(mapping(parts))).toEqual(expected)
    expect(mappingOf(mappingExpression(mapping(parts)))).not.toBeNull()
  })
})

describe('an expression seen as fields', () => {
  test('is any object that is written out', () => {
    expect(mappingOf('{ "a": input.b, "c": { "d": 1, "e": {} }, "t": "x" }')).toEqual(
      mapping({
        fields: [
          { to: 'a', from: 'input.b' },
          { to: 'c.d', from: '1' },
          { to: 'c.e', from: '{}' },
          { to: 't', from: '"x"' },
        ],
      }),
    )
    expect(mappingOf('input')).toEqual(mapping({ all: ['input'] }))
    expect(mappingOf('$merge([$f(1, 2), nodes.a.output])')).toEqual(
      mapping({ all: ['$f(1, 2)', 'nodes.a.output'] }),
    )
  })

  test.for([
    '$sum(input.rows.price)',
    '{ "a": 1 }.b',
    '{ name: 1 }',
    '{ "a.b": 1 }',
    '{ "a": 1, "a": 2 }',
    '{ "": 1 }',
    '{ /* why */ "a": 1 }',
    '{ "a": "open }',
    '[input.rows.name]',
    '[input.{ "a": b }] & [1]',
    '$sift(input, function($v, $k) { $v > 1 })',
    '{ "a": (1 }',
    '',
  ])('not %s: it stays as it is', (expression) => {
    expect(mappingOf(expression)).toBeNull()
  })

  test('is the mapping that wrote it, whatever it was', () => {
    const random = createSeededRandom('mappings')
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T
    const some = <T>(list: readonly T[], most: number): readonly T[] => [
      ...new Set(Array.from({ length: Math.floor(random.next() * (most + 1)) }, () => pick(list))),
    ]
    const names = ['a', 'b', 'c.d', 'c.e.f', 'full name', 'Größe', 'in', 'x-y']
    const values = [
      ...['input.a', '$sum(x, y)', '"text, with } signs"', '{}', '[1, {"k": 2}]', 'Hi {{ a & "}}" }} there'],
      ...['a[b = "c"]', '(1; 2)', 'function($x) { $x }', '{{ a }}{{ b }} "q" \\ {{ c }}'],
    ]
    for (let round = 0; round < 2_000; round += 1) {
      const each = pick([null, null, 'input.rows', 'input[a > 1]', '$append(a, b)'])
      const wanted: Mapping = {
        each,
        all: some(['input', 'nodes.a.output', '$f(1, 2)', '$lookup(x, "y")'], 3),
        without: [],
        fields: some(names, 5).map((to) => ({ to, from: pick(values) })),
      }
      const all = wanted.all.length > 0 ? some(['p', 'q r', 'with "quotes"'], 2) : []
      const text = mappingExpression({ ...wanted, without: all })
      const found = mappingOf(text)
      expect(found, text).not.toBeNull()
      // Fields of one object stand together once they are written.
      const sorted = ({ fields, ...rest }: Mapping) => ({
        ...rest,
        fields: fields.toSorted((a, b) => (a.to < b.to ? -1 : 1)),
      })
      expect(sorted(found ?? emptyMapping), text).toEqual(sorted({ ...wanted, without: all }))
      expect(mappingExpression(found ?? emptyMapping)).toBe(text)
    }
  })
})

describe('texts', () => {
  test.for([
    ['Hello {{ a }}', '"Hello " & (a)'],
    ['{{ a }} {{ b }}', '"" & (a) & " " & (b)'],
    ['{{ a }}', 'a'],
    ['open {{ a', '"open {{ a"'],
  ])('%s', ([template = '', expression = '']) => {
    expect(textExpression(template)).toBe(expression)
  })
  test.for(['"a" & b', 'a & "b"', '"a"', '"a" & (b) + 1', "'a' & (b)", '"a" & (b', '"a"  &  (b)'])(
    'is not seen in %s',
    (expression) => {
      expect(textTemplate(expression)).toBeNull()
    },
  )
})

describe('what people do', () => {
  test('a field of the data is taken under its own name, or under a free one', () => {
    const one = withTaken(emptyMapping, 'full name')
    expect(one.fields).toEqual([{ to: 'full name', from: 'input.`full name`' }])
    expect(withTaken(one, 'full name').fields.at(-1)?.to).toBe('full name2')
    expect(withTaken(mapping({ each: 'input.rows' }), 'sku').fields).toEqual([{ to: 'sku', from: 'sku' }])
    expect(untaken(one, ['full name', 'id', 'a.b', ' x'])).toEqual(['id'])
  })

  test('a value that is dragged becomes a field, as the entries of the list know it', () => {
    const rows = mapping({ each: 'input.rows' })
    expect(seenFromEntry(rows, 'input.rows[3].sku.x')).toBe('sku.x')
    expect(seenFromEntry(rows, 'input.rows.sku')).toBe('sku')
    expect(seenFromEntry(rows, 'input.rowsOther.sku')).toBe('input.rowsOther.sku')
    expect(withValue(rows, { expression: 'input.rows[0].sku', name: 'sku' }).fields).toEqual([
      { to: 'sku', from: 'sku' },
    ])
    const field = fieldOf('expression', { widget: 'expression', mapped: true }, true)
    const dragged = { expression: 'input.id', name: 'id' }
    const text = mappingExpression(mapping({ fields: [{ to: 'a', from: '1' }] }))
    expect(withValueTaken(field, text, dragged)).toBe('{\n  "a": 1,\n  "id": input.id\n}')
    expect(withValueTaken(field, 'input', dragged)).toBe('input input.id')
  })

  test('what was written as fields is shown as fields, anything else as it is', () => {
    expect(writtenMapping('{\n  "a": 1\n}')).not.toBeNull()
    expect(writtenMapping('{ "a": 1 }')).toBeNull()
    expect(writtenMapping('input')).toBeNull()
  })
})

test('an example says what is new, what changed and what is gone, of the first entry of a list', () => {
  expect(exampleOf([{ a: 1, b: 2, c: 3 }], [{ a: 1, b: 3, d: 4 }])).toEqual({
    before: [
      { name: 'a', text: '1', change: 'none' },
      { name: 'b', text: '2', change: 'changed' },
      { name: 'c', text: '3', change: 'gone' },
    ],
    after: [
      { name: 'a', text: '1', change: 'none' },
      { name: 'b', text: '3', change: 'changed' },
      { name: 'd', text: '4', change: 'new' },
    ],
  })
  expect(exampleOf('text', null)).toEqual({
    before: [{ name: '', text: '"text"', change: 'gone' }],
    after: [],
  })
  expect(exampleOf({ a: 'x'.repeat(200) }, {}).before[0]?.text).toHaveLength(81)
  expect(namesIn([{ a: 1 }, 2, { b: 1, a: 2 }])).toEqual(['a', 'b'])
})
