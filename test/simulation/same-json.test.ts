import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src-engine/model/json.ts'
import { sameJson } from '../support/same-json.ts'

const byText = (a: unknown, b: unknown): boolean => canonicalJson(a as never) === canonicalJson(b as never)

test.for([
  [
    { a: 1, b: [{ c: null, d: 'x' }] },
    { b: [{ d: 'x', c: null }], a: 1 },
  ],
  [{ a: undefined }, {}],
  [
    { a: undefined, b: 1 },
    { b: 1, c: undefined },
  ],
  [{}, { a: null }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ toString: null }, {}],
  [{}, []],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [{ 0: 1 }, [1]],
  ['1', 1],
  [null, {}],
  [[null], [[]]],
])('%j and %j are as their texts say', ([a, b]) => {
  expect(sameJson(a, b)).toBe(byText(a, b))
  expect(sameJson(b, a)).toBe(byText(a, b))
})

test('any values are the same when their texts are, and with one key or item less no more', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(value, value, (a, b) => {
      const copy = JSON.parse(JSON.stringify(a)) as unknown
      expect(sameJson(copy, JSON.parse(canonicalJson(a as never)))).toBe(true)
      expect(sameJson(a, b)).toBe(byText(a, b))
      expect(sameJson({ a, b }, { b, a })).toBe(true)
      expect(sameJson([a, b], [a])).toBe(false)
    }),
  )
})
