/** What a run gets of a stream's entry. */

import { expect, test } from 'vitest'
import { entryPayload } from '../../../../src-engine/triggers/redis-stream/stream-entry.ts'

const fields = [
  ['total', '12.5'],
  ['name', 'Ada'],
  ['order', '{"id":7,"lines":[1,2]}'],
  ['none', 'null'],
] as const

test('values are texts, or JSON where they are that', () => {
  const id = '1700000000123-4'
  const at = '2023-11-14T22:13:20.123Z'
  expect(entryPayload({ id, fields }, 'text')).toEqual({ id, at, fields: Object.fromEntries(fields) })
  expect(entryPayload({ id, fields }, 'json')).toEqual({
    id,
    at,
    fields: { total: 12.5, name: 'Ada', order: { id: 7, lines: [1, 2] }, none: null },
  })
})

test('what no JSON from outside may have stays a text, and a reserved name is left out', () => {
  const intrusive = '{"__proto__":{"isAdmin":true}}'
  const endless = '['.repeat(200) + ']'.repeat(200)
  const given = [
    ['a', intrusive],
    ['b', endless],
    ['c', '1e999'],
    ['__proto__', '{"isAdmin":true}'],
  ] as const
  const { fields: read } = entryPayload({ id: '1-0', fields: given }, 'json')
  expect(read).toEqual({ a: intrusive, b: endless, c: '1e999' })
  expect(Object.keys(read as object)).toEqual(['a', 'b', 'c'])
})

test('a field that comes twice counts as it came last; ids that are no instants have none', () => {
  const twice = [
    ['a', '1'],
    ['a', '2'],
  ] as const
  expect(entryPayload({ id: '18446744073709551615-0', fields: twice }, 'text')).toEqual({
    id: '18446744073709551615-0',
    at: null,
    fields: { a: '2' },
  })
})
