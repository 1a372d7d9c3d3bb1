import { expect, it, vi } from 'vitest'
import { runId } from '../../../src-engine/model/ids.ts'
import { atHome, homePartition, partitionOf, partitionsByEnd } from '../../../src-engine/model/partition.ts'

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

it('the ends of ids that begin alike tell the same as whole ids', () => {
  const starts = ['run_01HZX3', 'run_', 'run_öß😀', 'run_x~', 'run_x~p', 'run_x~p1']
  const ends = ['', 'a', '0zk', '7', 'ö', '~p3', '9~p12', 'p5']
  for (const count of [1, 2, 64, 1_600]) {
    for (const start of starts) {
      const byEnd = partitionsByEnd(start, count)
      expect(ends.map(byEnd)).toEqual(ends.map((end) => partitionOf(runId(start + end), count)))
    }
  }
})

it('what ids begin with is gone through once, however many ends are asked for', () => {
  const start = `run_${'x'.repeat(96)}`
  const read = vi.spyOn(String.prototype, 'charCodeAt')
  try {
    const byEnd = partitionsByEnd(start, 64)
    for (let end = 10; end < 60; end += 1) byEnd(String(end))
    expect(read).toHaveBeenCalledTimes(start.length + 50 * 2)
  } finally {
    read.mockRestore()
  }
})
