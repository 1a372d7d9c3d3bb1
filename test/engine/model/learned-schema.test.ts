import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { learnedSchema } from '../../../src-engine/model/learned-schema.ts'
import { validateInput } from '../../../src-engine/model/validate-input.ts'

test.each<[string, readonly JsonValue[], JsonObject]>([
  ['nothing promises nothing', [], {}],
  ['neither does null, which may be anything next time', [null], {}],
  ['a text is a text', ['a', 'b'], { type: 'string' }],
  ['a whole number may be a decimal next time', [1], { type: 'number' }],
  ['values of different kinds promise nothing', [1, 'a'], {}],
  ['an empty list says nothing of its items', [[]], { type: 'array' }],
  ['items of all lists count', [[1], [], [2]], { type: 'array', items: { type: 'number' } }],
  ['an object without fields is an object', [{}], { type: 'object' }],
  [
    'a field that all have is required, one that some have isn’t',
    [{ id: 1, note: 'x' }, { id: 2 }],
    {
      type: 'object',
      properties: { id: { type: 'number' }, note: { type: 'string' } },
      required: ['id'],
    },
  ],
  [
    'a field that was null once may be anything, and is there',
    [{ id: 1 }, { id: null }],
    { type: 'object', properties: { id: {} }, required: ['id'] },
  ],
])('%s', (_title, values, schema) => {
  expect(learnedSchema(values)).toEqual(schema)
})

test('a table by names that are data has no fields of its own', () => {
  const table = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`user-${index}`, index]))
  expect(learnedSchema([table])).toEqual({ type: 'object' })
})

test('nothing that stood in a value is told', () => {
  expect(
    JSON.stringify(learnedSchema([{ token: 'canary-5f2c', rows: [{ mail: 'canary@x.org' }] }])),
  ).not.toContain('canary')
})

test('everything fits that it was learned from', () => {
  const value = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      const schema = learnedSchema(values)
      for (const one of values) expect(validateInput(schema, one).problems).toEqual([])
    }),
  )
})

test('what lacks a field, or has another kind, doesn’t fit', () => {
  const schema = learnedSchema([{ id: 1, tags: ['a'] }])
  expect(validateInput(schema, { tags: ['a'] }).problems).toHaveLength(1)
  expect(validateInput(schema, { id: 1, tags: [2] }).problems).toHaveLength(1)
})
