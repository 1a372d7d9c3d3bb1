import { expect, it } from 'vitest'
import { runId } from '../../../src-engine/model/ids.ts'
import { atHome, homePartition, partitionOf } from '../../../src-engine/model/partition.ts'

const ids = Array.from({ length: 64_000 }, (_, index) => runId(`run_0000${index.toString(36)}`))

it('a store with one partition has every run there', () => {
  expect(partitionOf(runId('run_x~p7'), 1)).toBe(0)
  expect(partitionOf(runId('run_x'), 1)).toBe(0)
})

it('runs spread evenly, also when their ids count up', () => {
  const counts = new Map<number, number>()
  for (const id of ids) {
    const partition = partitionOf(id, 64)
    counts.set(partition, (counts.get(partition) ?? 0) + 1)
  }
  expect(counts.size).toBe(64)
  expect(Math.max(...counts.values())).toBeLessThan(1_150)
})

it('the place of an id never changes: data is looked for there', () => {
  expect(['run_a', 'run_b', 'run_0001', 'run_öß😀'].map((id) => partitionOf(runId(id), 64))).toEqual([
    17, 40, 20, 5,
  ])
})

it('an id can name its partition', () => {
  expect(partitionOf(runId(`run_cron${atHome}`), 64)).toBe(homePartition)
  expect(partitionOf(runId('run_x~p7'), 64)).toBe(7)
  expect(partitionOf(runId('run_x~p70'), 64)).toBe(6)
})
