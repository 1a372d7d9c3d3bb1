/** A map that lives long and whose entries don't: as any other one, and nothing that has gone is kept by it. */

import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { PassingMap } from '../../../src-engine/model/passing-map.ts'
import { createRandomSource } from '../../support/random-source.ts'

describe('a map through which entries pass', () => {
  test('has what a map has, in the same order', () => {
    const random = createRandomSource('passing')
    const one = new PassingMap<number, number>()
    const other = new Map<number, number>()
    for (let turn = 0; turn < 5_000; turn += 1) {
      const key = random.below(60)
      if (random.chance(0.001)) {
        one.clear()
        other.clear()
      } else if (random.chance(0.5)) {
        one.set(key, turn)
        other.set(key, turn)
      } else expect(one.delete(key)).toBe(other.delete(key))
      expect([one.size, one.get(key), one.has(key)]).toEqual([other.size, other.get(key), other.has(key)])
    }
    expect([...one.keys()]).toEqual([...other.keys()])
    expect([...one.values()]).toEqual([...other.values()])
  })

  test('what has gone waits for no collection of everything', () => {
    setFlagsFromString('--expose-gc')
    // The flag counts for contexts that are made from now on.
    const collect = runInNewContext('gc') as (how: { type: 'minor' | 'major' }) => void
    const oldMib = () => {
      const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
      return (old?.space_used_size ?? 0) / 2 ** 20
    }
    // What is written in the source would be put among what is old at once, where most of it grows old.
    const text = JSON.stringify(Array.from({ length: 500 }, (_, index) => [index]))
    const map = new PassingMap<number, unknown>()
    const pass = (from: number, to: number): void => {
      for (let key = from; key < to; key += 1) {
        map.set(key, JSON.parse(text))
        if (key >= 50) map.delete(key - 50)
        if (key % 200 === 0) collect({ type: 'minor' })
      }
    }
    // By then the map itself is old.
    pass(0, 400)
    collect({ type: 'major' })
    const before = oldMib()
    pass(400, 4_000)
    // All that passed is some 20 MiB.
    expect(oldMib() - before).toBeLessThan(8)
  })
})
