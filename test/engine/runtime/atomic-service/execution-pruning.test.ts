/** Audit rows of the chores that are over age or count. */

import { describe, expect, test } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import { minute } from '../../../../src-engine/model/time.ts'
import { createExecutionPruning } from '../../../../src-engine/runtime/atomic-service/execution-pruning.ts'
import {
  endRun,
  listExecutions,
  openRun,
} from '../../../../src-engine/runtime/atomic-service/start-record.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'

function createScene() {
  const store = createMemoryStore()
  const time = { now: 1_000_000 }
  let ids = 0
  let looks = 0
  const counting: Store = {
    ...store,
    list: (...query) => {
      looks += 1
      return store.list(...query)
    },
  }
  const runner = {
    store: counting,
    partition: 0,
    runnerId: runnerId('a'),
    clock: { now: () => time.now, monotonic: () => time.now, after: () => () => {} },
    ids: { next: () => `id${(ids += 1)}` },
  }
  const open = async () => {
    const id = `row${String((ids += 1)).padStart(6, '0')}`
    const owner = { id, runnerId: runner.runnerId, kind: 'due', status: 'RUNNING' } as const
    const times = { startedAt: time.now, endedAt: null, slotStart: null, slotEnd: null }
    const answer = await openRun(runner, { ...owner, ...times, reason: null })
    if (answer.kind !== 'opened') throw new Error(`blocked: ${answer.record.reason}`)
    return answer.run
  }
  const turn = async () => endRun(runner, await open(), { status: 'COMPLETED', reason: null })
  const rows = async () => (await listExecutions({ store, partition: 0 })).map(({ record }) => record)
  const pruning = (retentionMs: number, recordsMax: number) =>
    createExecutionPruning(runner, {
      atomicServiceExecutionRetentionMs: retentionMs,
      atomicServiceExecutionMaxRecords: recordsMax,
    })
  return { time, open, turn, rows, pruning, runner, looks: () => looks }
}

describe('rows of past turns', () => {
  test('rows over age or count go, the newest stay, and a running one always [P38]', async () => {
    const { time, open, turn, rows, pruning } = createScene()
    for (let index = 0; index < 5; index += 1) {
      await turn()
      time.now += 10 * minute
    }
    expect(await pruning(0, 0).turnEnded(1)).toBe(0)
    expect(await pruning(45 * minute, 0).turnEnded(1)).toBe(1)
    expect(await pruning(0, 2).turnEnded(1)).toBe(2)
    const running = await open()
    time.now += 600 * minute
    expect(await pruning(minute, 1).turnEnded(1)).toBe(2)
    expect(await rows()).toEqual([running.record])
  })

  test('not every turn looks at all: a twentieth more of them is kept meanwhile', async () => {
    const { turn, rows, pruning, looks } = createScene()
    const { turnEnded } = pruning(0, 100)
    let most = 0
    for (let index = 0; index < 300; index += 1) {
      await turn()
      await turnEnded(1)
      most = Math.max(most, (await rows()).length)
    }
    expect(most).toBeLessThanOrEqual(105)
    expect((await rows()).length).toBeGreaterThanOrEqual(100)
    expect(looks()).toBeLessThanOrEqual(300 / 5 + 1)
  })

  test('the turns of all runners count', async () => {
    const { turn, pruning, looks } = createScene()
    const { turnEnded } = pruning(0, 1_000)
    for (let index = 0; index < 100; index += 1) {
      await turn()
      await turnEnded(10)
    }
    expect(looks()).toBe(1 + Math.floor(99 / 5))
  })

  test('one that is over age stays for a twentieth longer at most', async () => {
    const { time, turn, rows, pruning, looks } = createScene()
    const { turnEnded } = pruning(60 * minute, 0)
    for (let index = 0; index < 600; index += 1) {
      time.now += minute
      await turn()
      await turnEnded(1)
      const [oldest] = await rows()
      expect(time.now - (oldest?.endedAt ?? 0)).toBeLessThanOrEqual(63 * minute)
    }
    // Once an hour's rows are there, every fourth minute.
    expect(looks()).toBeLessThanOrEqual(600 / 3)
  })

  test('whoever finds another runner at it looks again in the next turn', async () => {
    const { turn, rows, runner } = createScene()
    for (let index = 0; index < 45; index += 1) await turn()
    let isRefusing = true
    const store: Store = {
      ...runner.store,
      commit: async (partition, checkpoints) =>
        isRefusing
          ? [{ kind: 'refused', refusal: { kind: 'invalid', problems: [] } }]
          : runner.store.commit(partition, checkpoints),
    }
    const { turnEnded } = createExecutionPruning(
      { ...runner, store },
      { atomicServiceExecutionRetentionMs: 0, atomicServiceExecutionMaxRecords: 40 },
    )
    expect(await turnEnded(1)).toBe(0)
    isRefusing = false
    expect(await turnEnded(1)).toBe(5)
    expect(await rows()).toHaveLength(40)
  })
})
