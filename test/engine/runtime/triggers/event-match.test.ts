/** Whether an event is one that a trigger waits for: its name, and the fields that it must have. */

import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../../src-engine/model/json.ts'
import { isNamed, passes } from '../../../../src-engine/runtime/triggers/event-match.ts'

describe('a name with stars', () => {
  test.for([
    ['order.paid', 'order.paid', true],
    ['order.paid', 'order.paid.late', false],
    ['order.*', 'order.', true],
    ['order.*', 'orders.paid', false],
    ['*.paid', 'order.paid', true],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c', false],
    ['ab*ba', 'aba', false],
    ['ab*ba', 'abba', true],
    ['a*bc*c', 'abc', false],
    ['*', '', true],
  ] as const)('“%s” fits “%s”: %s', ([pattern, name, fits]) => {
    expect(isNamed(pattern, name)).toBe(fits)
  })
})

describe('a filter of fields', () => {
  const fits = (filter: JsonValue, payload: JsonValue): Promise<boolean> => {
    const event = { id: 'e', name: 'paid', correlation: null, payload, at: '', source: null }
    const never = (): never => {
      throw new Error('there is nothing to evaluate')
    }
    const host = { specsByKind: new Map(), resolver: { resolveParameters: never } }
    return passes({ host }, filter, { event, now: 0 })
  }

  test.for([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 2], c: 3 } }, true],
    [{ a: { b: [1] } }, { a: { b: [1, 2] } }, false],
    [{ a: {} }, { a: 1 }, false],
    [{ a: null }, {}, false],
    [{ a: null }, { a: null }, true],
    // What every object has from elsewhere is no field of it.
    [JSON.parse('{"__proto__": {}}'), { a: 1 }, false],
    [{ a: 1 }, 'text', false],
    ['  ', { a: 1 }, true],
  ] as const)('%j passes %j: %s', async ([filter, payload, does]) => {
    expect(await fits(filter as JsonValue, payload as JsonValue)).toBe(does)
  })
})
