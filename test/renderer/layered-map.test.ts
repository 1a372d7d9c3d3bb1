import { expect, test } from 'vitest'
import { LayeredMap } from '../../src-renderer/rules/layered-map.ts'

test('says what was changed last, and otherwise what the map below it says', () => {
  const base = new Map([
    ['a', 1],
    ['b', 2],
  ])
  const first = new LayeredMap(base)
  const second = first.with([
    ['b', 3],
    ['c', 4],
  ])
  const third = second.with([
    ['a', undefined],
    ['c', 5],
  ])
  expect(new Map(first)).toEqual(base)
  expect(new Map(second)).toEqual(
    new Map([
      ['a', 1],
      ['b', 3],
      ['c', 4],
    ]),
  )
  expect(new Map(third)).toEqual(
    new Map([
      ['b', 3],
      ['c', 5],
    ]),
  )
  expect([third.get('a'), third.get('b'), third.get('c'), third.get('d')]).toEqual([
    undefined,
    3,
    5,
    undefined,
  ])
})

test('says the same after more changes than it keeps beside the map below it', () => {
  const whole = new Map<number, number>(Array.from({ length: 300 }, (_, key) => [key, key]))
  let layered = new LayeredMap(new Map(whole))
  for (let turn = 0; turn < 500; turn += 1) {
    const key = (turn * 7) % 330
    if (turn % 3 === 0) whole.delete(key)
    else whole.set(key, turn)
    layered = layered.with([[key, whole.get(key)]])
    expect(layered.get(key)).toBe(whole.get(key))
  }
  expect(new Map(layered)).toEqual(whole)
})
