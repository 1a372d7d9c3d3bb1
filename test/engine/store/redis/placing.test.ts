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
    next: () => [...next()],
    /** What the runs of so many turns are offered, in that order. */
    turns: (count: number): readonly (readonly number[])[] =>
      Array.from({ length: count }, () => {
        const offered = new Set(Array.from({ length: runsPerTurn }, () => [...next()]).flat())
        return [...offered]
      }),
    moveTo: (to: readonly string[]) => {
      topology = topologyOf(to)
    },
  }
}

it('begins runs in one partition, then in one of the next master, until it was all of them', () => {
  const turns = placingOn(['a', 'b']).turns(8).flat()
  expect(turns).toHaveLength(8)
  expect(new Set(turns).size).toBe(8)
  expect(new Set(turns.map((partition, turn) => (partition + turn) % 2)).size).toBe(1)
})

it('has as many runs in each, in the long run', () => {
  const turns = placingOn(['a', 'b', 'c'])
    .turns(9 * 100)
    .flat()
  const ofMaster = [0, 1, 2].map((master) => turns.filter((partition) => partition % 3 === master).length)
  expect(ofMaster).toEqual([300, 300, 300])
  const counts = slots.map((partition) => turns.filter((one) => one === partition).length)
  // One master has two partitions, the others three.
  expect(counts).toEqual([100, 100, 150, 100, 100, 150, 100, 100])
})

it('follows partitions to the masters that serve them now', () => {
  const placing = placingOn(['a', 'b'])
  placing.next()
  placing.moveTo(['a', 'b', 'c'])
  // Not only when the turn of the one before is over.
  expect(
    new Set(
      placing
        .turns(3)
        .flat()
        .map((partition) => partition % 3),
    ).size,
  ).toBe(3)
  placing.moveTo(['a'])
  expect(
    placing
      .turns(8)
      .flat()
      .sort((a, b) => a - b),
  ).toEqual(slots)
})

it('begins elsewhere in each process', () => {
  const firsts = ['writer 1', 'writer 2', 'writer 3'].map((name) => placingOn(['a'], name).next().join())
  expect(new Set(firsts).size).toBe(3)
})
