/** Changes of JSON data: they lead to exactly what they were found from, and are as many as what differs. */

import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { changesBetween, withChanges } from '../../../src-engine/model/json-changes.ts'
import type { RandomSource } from '../../support/random-source.ts'
import { createRandomSource } from '../../support/random-source.ts'

/** As it comes over a line. */
const sent = <Data>(data: Data): Data => JSON.parse(JSON.stringify(data)) as Data
const led = (before: JsonObject, now: JsonObject): string =>
  JSON.stringify(withChanges(sent(before), sent(changesBetween(before, now))))

const names = ['a', 'b', 'c', 'constructor', '7', '3', '']

function randomValue(random: RandomSource, depth: number): JsonValue {
  if (depth === 0 || random.chance(0.3)) return random.pick<JsonValue>([1, 'text', true, null, ''])
  if (random.chance(0.2)) return [randomValue(random, depth - 1), 2]
  return Object.fromEntries(
    names.filter(() => random.chance(0.6)).map((name) => [name, randomValue(random, depth - 1)]),
  )
}

/** Another value that shares what isn't changed, as an edit makes it. */
function edited(random: RandomSource, value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0)
    return randomValue(random, depth)
  const name = random.pick(names)
  const { [name]: old, ...rest } = value as JsonObject
  if (random.chance(0.2)) return rest
  if (random.chance(0.1)) return { ...rest, [name]: old ?? 1 }
  return { ...(value as JsonObject), [name]: edited(random, old ?? null, depth - 1) }
}

describe('changes between two values', () => {
  test('lead from the one to the other, to the letter, whatever was edited', () => {
    const random = createRandomSource('changes')
    for (let round = 0; round < 400; round += 1) {
      const before: JsonObject = { root: randomValue(random, 4), other: 1 }
      let now: JsonObject = before
      for (let edits = random.below(5); edits >= 0; edits -= 1) now = edited(random, now, 5) as JsonObject
      if (typeof now !== 'object' || now === null || Array.isArray(now)) continue
      expect(led(before, now)).toBe(JSON.stringify(now))
    }
  })

  test('are as many as what differs, and look into nothing that is the same', () => {
    const steps = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`, { kind: 'noop' }]))
    let looks = 0
    const same = new Proxy({ kind: 'noop' }, { ownKeys: (target) => ((looks += 1), Reflect.ownKeys(target)) })
    const before = { nodes: { ...steps, same }, title: 'T' }
    const now = {
      ...before,
      nodes: { ...before.nodes, n7: { kind: 'noop', title: 'Other' }, new: { kind: 'if' } },
    }
    expect(changesBetween(before, now)).toEqual([
      { path: ['nodes', 'n7', 'title'], value: 'Other' },
      { path: ['nodes', 'new'], value: { kind: 'if' } },
    ])
    expect(changesBetween(now, before)).toEqual([
      { path: ['nodes', 'new'] },
      { path: ['nodes', 'n7', 'title'] },
    ])
    expect(changesBetween(before, before)).toEqual([])
    expect(looks).toBe(0)
  })

  test('keep the order of names: what can’t be put at its place is told with all beside it', () => {
    const before = { list: { a: 1, b: 2, c: 3 } }
    const { a, ...rest } = before.list
    const now = { list: { ...rest, a } }
    expect(changesBetween(before, now)).toEqual([{ path: ['list'], value: now.list }])
    expect(led(before, now)).toBe('{"list":{"b":2,"c":3,"a":1}}')
  })

  test('take what is undefined for what isn’t there, as JSON does', () => {
    const now = { a: undefined, b: 1 } as unknown as JsonObject
    expect(changesBetween({ a: 1, b: 1 }, now)).toEqual([{ path: ['a'] }])
    expect(changesBetween(now, { b: 1 })).toEqual([])
  })

  test('carry a name that means something else to JavaScript as data', () => {
    const now = JSON.parse('{"data":{"__proto__":{"x":1}}}') as JsonObject
    expect(led({ data: { y: 1 } }, now)).toBe('{"data":{"__proto__":{"x":1}}}')
    expect(led(now, { data: { y: 1 } })).toBe('{"data":{"y":1}}')
  })
})

describe('changes that are made', () => {
  test('share what none of them touches, and leave what was given as it was', () => {
    const before = Object.freeze({ a: Object.freeze({ x: 1 }), b: Object.freeze({ y: 1 }) })
    const now = withChanges(before, [
      { path: ['a', 'x'], value: 2 },
      { path: ['a', 'z'], value: 3 },
    ])
    expect(now).toEqual({ a: { x: 2, z: 3 }, b: { y: 1 } })
    expect(now['b']).toBe(before.b)
    expect(before.a).toEqual({ x: 1 })
  })

  test.each([
    ['through what isn’t there', [{ path: ['no', 'x'], value: 1 }]],
    ['through a list', [{ path: ['list', '0'], value: 1 }]],
    ['of what every object has', [{ path: ['__proto__', 'x'], value: 1 }]],
    ['that leave no object', [{ path: [], value: 1 }]],
  ])('%s are refused', (_, changes) => {
    expect(() => withChanges({ list: [1] }, changes)).toThrow(/chang/i)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})
