/** Ids of new runs live where the store wants them, if there are any such. */

import { expect, it } from 'vitest'
import { partitionOfRun } from '../../../../src-engine/runtime/run-place.ts'
import { newRunId } from '../../../../src-engine/runtime/starting/new-run-id.ts'
import { createSystemIds, systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'

const ids = createSystemIds(systemClock)
const { info } = createMemoryStore({ partitions: 64 })
const partitionsOf = (count: number, beginIn?: () => ReadonlySet<number>): ReadonlySet<number> => {
  const store = beginIn === undefined ? { info } : { info, beginIn }
  return new Set(Array.from({ length: count }, () => partitionOfRun(info, newRunId(store, ids))))
}

it('is in one of the partitions that the store names', () => {
  expect(partitionsOf(100, () => new Set([3, 17, 20, 33, 50, 61]))).toEqual(new Set([3, 17, 20, 33, 50, 61]))
})

it('is anywhere where the store names none, and where they are too few to look for', () => {
  expect(partitionsOf(300).size).toBeGreaterThan(32)
  expect(partitionsOf(300, () => new Set()).size).toBeGreaterThan(32)
  expect(partitionsOf(10, () => new Set([64])).size).toBeGreaterThan(1)
})

it('is another one each time', () => {
  const made = Array.from({ length: 500 }, () => newRunId({ info, beginIn: () => new Set([5]) }, ids))
  expect(new Set(made).size).toBe(500)
})

it('is where it is wanted in a store of thousands of partitions, too', () => {
  const many = createMemoryStore({ partitions: 1_600 })
  const places = Array.from({ length: 100 }, () =>
    partitionOfRun(many.info, newRunId({ info: many.info, beginIn: () => new Set([1_234]) }, ids)),
  )
  expect(new Set(places)).toEqual(new Set([1_234]))
})
