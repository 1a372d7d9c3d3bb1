/** What differs between two values, as a tree. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ValueDifference } from '../../../../src-engine/model/comparison/value-differences.ts'
import { isSameValue, valueDifferences } from '../../../../src-engine/model/comparison/value-differences.ts'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import { canonicalJson } from '../../../../src-engine/model/json.ts'

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

/** The earlier value with each difference made to it. */
function mended(value: JsonValue, differences: readonly ValueDifference[]): JsonValue {
  const box = { value: structuredClone(value) } as { value: unknown }
  // From behind, so that a list whose end is gone is cut place by place.
  for (const { path, after } of differences.toReversed()) {
    let at = box as Record<string | number, unknown>
    const steps = ['value', ...path]
    for (const step of steps.slice(0, -1)) at = at[step] as Record<string | number, unknown>
    const last = steps.at(-1) ?? ''
    if (after !== undefined)
      Object.defineProperty(at, last, { value: after, configurable: true, enumerable: true, writable: true })
    else if (Array.isArray(at)) at.splice(Number(last), 1)
    else delete at[last]
  }
  return box.value as JsonValue
}

describe('the differences of two values', () => {
  it('names the innermost places, and what stands there in each', () => {
    const before = { order: { total: 120, lines: [{ id: 1 }, { id: 2 }] }, note: 'x' }
    const after = { order: { total: 12, lines: [{ id: 1 }, { id: 3 }, { id: 4 }] } }
    expect(valueDifferences(before, after, 10)).toEqual([
      { path: ['order', 'total'], before: 120, after: 12 },
      { path: ['order', 'lines', 1, 'id'], before: 2, after: 3 },
      { path: ['order', 'lines', 2], after: { id: 4 } },
      { path: ['note'], before: 'x' },
    ])
  })

  it('tells a list from an object, and null from nothing', () => {
    expect(valueDifferences([], {}, 5)).toEqual([{ path: [], before: [], after: {} }])
    expect(valueDifferences({ a: null }, {}, 5)).toEqual([{ path: ['a'], before: null }])
    expect(valueDifferences({}, { toString: 1 }, 5)).toEqual([{ path: ['toString'], after: 1 }])
  })

  it('stops after as many as are asked for', () => {
    expect(valueDifferences([1, 2, 3], [4, 5, 6], 2)).toHaveLength(2)
  })

  it('goes through values nested thousands deep', () => {
    const deep = (leaf: number): JsonValue => {
      let value: JsonValue = leaf
      for (let depth = 0; depth < 5_000; depth += 1) value = [value]
      return value
    }
    expect(valueDifferences(deep(1), deep(2), 5)[0]?.path).toHaveLength(5_000)
  })

  it('finds none exactly where two values are the same, and turns one into the other', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const differences = valueDifferences(before, after, 10_000)
        expect(differences.length === 0).toBe(canonicalJson(before) === canonicalJson(after))
        expect(isSameValue(before, structuredClone(before))).toBe(true)
        expect(canonicalJson(mended(before, differences))).toBe(canonicalJson(after))
      }),
    )
  })
})
