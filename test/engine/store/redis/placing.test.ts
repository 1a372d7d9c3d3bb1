/** Where new runs are begun: few partitions at a time, alike on each master, all in the long run. */

import { expect, it } from 'vitest'
import { createPlacing, runsPerTurn } from '../../../../src-engine/store/redis/placing.ts'
import type { Topology } from '../../../../src-engine/store/redis/topology.ts'

/** Eight partitions, each in the slot of its number; even ones on one master, odd ones on another. */
const slots = [0, 1, 2, 3, 4, 5, 6, 7]
const topologyOf = (masters: readonly string[]): Topology => {
  return {
    isCluster: true,
    masters,
    nodes: masters,
    ownerOf: (slot) => masters[slot % masters.length] ?? null,
  }
}

function placingOn(masters: readonly string[], writerId = '') {
  let topology = topologyOf(masters)
  const router = {
    topology: () => topology,
    ownerOf: (slot: number) => topology.ownerOf(slot) ?? '',
  }
  const next = createPlacing({ router, slots, writerId })
  return {
    next: () => [...next()].sort((a, b) => a - b),
    /** What so many runs are offered. */
    among: (runs: number) => {
      const offered = new Set(Array.from({ length: runs }, () => [...next()]).flat())
      return [...offered].sort((a, b) => a - b)
    },
    moveTo: (to: readonly string[]) => {
      topology = topologyOf(to)
    },
  }
}

it('has as many partitions of each master, and others after some runs, until it was all of them', () => {
  const placing = placingOn(['a', 'b'])
  const [one, other] = [placing.next(), placing.next()]
  expect([...one, ...other].sort((a, b) => a - b)).toEqual([0, 1, 2, 3])
  for (let run = 2; run < runsPerTurn; run += 2)
    expect([placing.next(), placing.next()]).toEqual([one, other])
  expect(placing.among(runsPerTurn)).toEqual([2, 3, 4, 5])
  const seen = new Map<number, number>()
  for (let run = 2 * runsPerTurn; run < runsPerTurn * 4 * 10; run += 1) {
    for (const partition of placing.next()) seen.set(partition, (seen.get(partition) ?? 0) + 1)
  }
  const counts = slots.map((partition) => seen.get(partition) ?? 0)
  expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.15)
})

it('follows partitions to the masters that serve them now', () => {
  const placing = placingOn(['a', 'b'])
  placing.next()
  placing.moveTo(['a', 'b', 'c'])
  // Three at once are enough to write one while others are answered.
  expect(placing.among(runsPerTurn)).toHaveLength(3)
  placing.moveTo(['a'])
  expect(placing.next()).toHaveLength(2)
})

it('begins elsewhere in each process', () => {
  const firsts = ['writer 1', 'writer 2', 'writer 3'].map((name) => placingOn(['a'], name).next().join())
  expect(new Set(firsts).size).toBe(3)
})

it('takes turns with the masters where there are many', () => {
  const placing = placingOn(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const seen = new Set<number>()
  for (let run = 0; run < runsPerTurn * 8; run += 1) {
    const chosen = placing.next()
    expect(chosen).toHaveLength(1)
    for (const partition of chosen) seen.add(partition)
  }
  expect(seen.size).toBe(8)
})
