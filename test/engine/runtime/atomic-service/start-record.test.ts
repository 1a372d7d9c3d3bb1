/** The mutex of the chores and its audit rows. */

import { describe, expect, test } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import { minute } from '../../../../src-engine/model/time.ts'
import type { ExecutionRecord } from '../../../../src-engine/runtime/atomic-service/execution-record.ts'
import { latestExecutions } from '../../../../src-engine/runtime/atomic-service/latest-executions.ts'
import type {
  OpenedRun,
  StartRecordDependencies,
} from '../../../../src-engine/runtime/atomic-service/start-record.ts'
import {
  endRun,
  listExecutions,
  openRun,
  reapAbandoned,
} from '../../../../src-engine/runtime/atomic-service/start-record.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'

function createScene() {
  const store = createMemoryStore()
  const time = { now: 1_000_000 }
  let ids = 0
  const member = (name: string): StartRecordDependencies => ({
    store,
    partition: 0,
    runnerId: runnerId(name),
    clock: { now: () => time.now, monotonic: () => time.now, after: () => () => {} },
    ids: { next: () => `id${(ids += 1)}` },
  })
  const rows = async () => (await listExecutions({ store, partition: 0 })).map(({ record }) => record)
  return { time, store, member, rows }
}

const starting = ({ runnerId: owner, clock, ids }: StartRecordDependencies): ExecutionRecord => ({
  id: `${owner}-${ids.next()}`,
  runnerId: owner,
  kind: 'slot',
  status: 'RUNNING',
  startedAt: clock.now(),
  endedAt: null,
  slotStart: null,
  slotEnd: null,
  reason: null,
})

async function mustOpen(member: StartRecordDependencies): Promise<OpenedRun> {
  const answer = await openRun(member, starting(member))
  if (answer.kind !== 'opened') throw new Error(`blocked: ${answer.record.reason}`)
  return answer.run
}

const done = { status: 'COMPLETED', reason: null } as const

describe('the start record', () => {
  test('eight starts at one instant give exactly one winner and one running row [P32]', async () => {
    const { member, rows } = createScene()
    const members = Array.from({ length: 8 }, (_, index) => member(`r${index}`))
    const answers = await Promise.all(members.map((one) => openRun(one, starting(one))))
    expect(answers.filter(({ kind }) => kind === 'opened')).toHaveLength(1)
    const statuses = (await rows()).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array<string>(7).fill('BLOCKED'), 'RUNNING'])
  })

  test('a runner that comes while another one is at work is blocked by name [P33]', async () => {
    const { member, rows } = createScene()
    const first = await mustOpen(member('a'))
    expect(await openRun(member('b'), starting(member('b')))).toMatchObject({ kind: 'blocked' })
    expect((await rows()).find(({ status }) => status === 'BLOCKED')).toMatchObject({
      runnerId: 'b',
      reason: `prior_running:${first.record.id} runner:a`,
    })
  })

  test('the same start repeated is the same run', async () => {
    const { member } = createScene()
    const run = await mustOpen(member('a'))
    expect(await openRun(member('a'), run.record)).toEqual({ kind: 'opened', run })
  })

  test('ten cycles of four runners: one winner each, never two running [P34]', async () => {
    const { member, rows, time } = createScene()
    const members = ['a', 'b', 'c', 'd'].map(member)
    for (let cycle = 0; cycle < 10; cycle += 1) {
      time.now += 5 * minute
      const answers = await Promise.all(members.map((one) => openRun(one, starting(one))))
      const winners = answers.flatMap((answer, index) =>
        answer.kind === 'opened' ? [{ run: answer.run, by: members[index] }] : [],
      )
      expect(winners).toHaveLength(1)
      expect((await rows()).filter(({ status }) => status === 'RUNNING')).toHaveLength(1)
      for (const { run, by } of winners) expect(by && (await endRun(by, run, done))).toBe(true)
    }
    expect((await rows()).filter(({ status }) => status === 'COMPLETED')).toHaveLength(10)
  })

  test.for([4, 16, 32])('the end of one run lets the next of %i runners begin [P35]', async (count) => {
    const { member, rows } = createScene()
    for (let index = 0; index < count; index += 1) {
      const one = member(`r${index}`)
      expect(await endRun(one, await mustOpen(one), done)).toBe(true)
    }
    expect((await rows()).map(({ status }) => status)).toEqual(Array<string>(count).fill('COMPLETED'))
  })

  test('what a dead runner began is abandoned, and its own end comes too late', async () => {
    const { member, rows } = createScene()
    const lost = await mustOpen(member('a'))
    const bounds = { isActive: () => true, expiresAfterMs: 300_000 }
    expect(await reapAbandoned(member('b'), bounds)).toBeNull()
    expect(await reapAbandoned(member('b'), { ...bounds, isActive: (id) => id !== 'a' })).toEqual(lost.record)
    expect(await endRun(member('a'), lost, done)).toBe(false)
    expect(await rows()).toMatchObject([{ status: 'ABANDONED', reason: 'runner_inactive' }])
    const next = await mustOpen(member('b'))
    expect(next.fence.version).toBeGreaterThan(lost.fence.version)
  })

  test('rows are told newest first, of one runner or all, and by how long they took [P38]', async () => {
    const { member, time, store } = createScene()
    for (const [name, seconds] of [
      ['a', 1],
      ['b', 20],
      ['a', 30],
    ] as const) {
      const one = member(name)
      const run = await mustOpen(one)
      time.now += seconds * 1_000
      await endRun(one, run, done)
      time.now += minute
    }
    const told = async (filter: { runnerId?: string; minDurationMs?: number; limit?: number }) => {
      const { runnerId: name, minDurationMs = 0, limit = 10 } = filter
      const id = name === undefined ? null : runnerId(name)
      const rows = await latestExecutions(store, 0, { runnerId: id, minDurationMs, limit })
      return rows.map(
        ({ runnerId: by, startedAt, endedAt }) => `${by} ${((endedAt ?? 0) - startedAt) / 1_000}`,
      )
    }
    expect(await told({})).toEqual(['a 30', 'b 20', 'a 1'])
    expect(await told({ limit: 1 })).toEqual(['a 30'])
    expect(await told({ runnerId: 'a' })).toEqual(['a 30', 'a 1'])
    expect(await told({ minDurationMs: 20_000 })).toEqual(['a 30', 'b 20'])
    expect(await told({ runnerId: 'nobody' })).toEqual([])
  })
})
