import { expect, test } from 'vitest'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import { valueSummary } from '../../../src-engine/model/value-summary.ts'

test.each([
  [null, 'null'],
  [true, 'boolean'],
  [3, 'number'],
  ['a', '1 character'],
  ['secret', '6 characters'],
  [[], ['0 items']],
  [
    [{ a: 'xy' }, { b: 1 }],
    ['2 items', { a: '2 characters' }],
  ],
  [{ a: { b: { c: { d: 'deep' } } } }, { a: { b: { c: '1 field' } } }],
  [[[[['deep']]]], ['1 item', ['1 item', ['1 item', ['1 item']]]]],
] as const)('%j', (value, expected) => expect(valueSummary(value as JsonValue)).toEqual(expected))

test('of many fields it has the first, and how many more there are', () => {
  const summary = valueSummary(
    Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`f${index}`, index])),
  )
  expect(Object.keys(summary as object)).toHaveLength(21)
  expect(summary).toMatchObject({ f19: 'number', '…': '5 fields more' })
})
