/** What was seen of a register counts in its epoch: a failover gives lost versions anew. */

import { describe, expect, it } from 'vitest'
import { runnerId } from '../../../src-engine/model/ids.ts'
import { noPolicy } from '../../../src-engine/model/policy/policy.ts'
import type { ExecutionRecord } from '../../../src-engine/runtime/atomic-service/execution-record.ts'
import { endRun, openRun } from '../../../src-engine/runtime/atomic-service/start-record.ts'
import { savePolicy } from '../../../src-engine/runtime/output-policy/policy-register.ts'
import { createPolicyBook } from '../../../src-engine/runtime/policy/policy-book.ts'
import { createPoolBook } from '../../../src-engine/runtime/pools/pool-book.ts'
import { boundTo, isNewer, neverSeen } from '../../../src-engine/runtime/register-look.ts'
import { writeRegisters } from '../../../src-engine/runtime/triggers/trigger-registers.ts'
import { failingOver } from './failed-over.ts'

let count = 0
const ids = { next: () => `id${(count += 1)}` }
const clock = { now: () => 1_000, monotonic: () => 0, after: () => () => {} }
const log = { debug() {}, info() {}, warn() {}, error() {} }

it('is newer by its version, and in a later epoch whatever its version', () => {
  expect(isNewer({ epoch: 1, version: 0 }, neverSeen)).toBe(true)
  expect(isNewer({ epoch: 1, version: 3 }, { epoch: 1, version: 2 })).toBe(true)
  expect(isNewer({ epoch: 1, version: 2 }, { epoch: 1, version: 2 })).toBe(false)
  expect(isNewer({ epoch: 2, version: 1 }, { epoch: 1, version: 2 })).toBe(true)
  expect(isNewer({ epoch: 1, version: 9 }, { epoch: 2, version: 1 })).toBe(false)
})

it('binds a checkpoint where one of its preconditions was seen in an epoch', () => {
  const plain = { key: 'a', version: 1 }
  expect(boundTo([plain])).toEqual({})
  expect(boundTo([plain, { key: 'b', version: 2, epoch: 4 }])).toEqual({ epoch: 4 })
})

describe('after a failover that took back what was known', () => {
  it('pools are those of the new server, also while their version is lower', async () => {
    const { store, snapshot, failOver } = failingOver()
    const given = { store, partition: 0, clock, ids, log }
    const mine = createPoolBook({ ...given, owner: 'mine' })
    await mine.change({ name: 'gpu', limit: 1 })
    const before = snapshot()
    await mine.change({ name: 'gpu', limit: 2 })
    await mine.change({ name: 'gpu', limit: 3 })
    failOver(before)
    await createPoolBook({ ...given, owner: 'other' }).change({ name: 'gpu', limit: 7 })
    await mine.refresh()
    expect(mine.rules().pools['gpu']?.limit).toBe(7)
    await store.close()
  })

  it('the safety policy is that of the new server', async () => {
    const { store, snapshot, failOver } = failingOver()
    const given = { store, partition: 0, clock, ids, log, pollIntervalMs: 1_000 }
    const book = (owner: string) => createPolicyBook({ ...given, owner: runnerId(owner) })
    const setTo = (hash: string) => ({
      to: {
        policy: noPolicy,
        snapshot: { hash, at: 0, by: 'ann', note: '', title: hash, ruleCount: 0 },
      },
      by: 'ann',
      note: null,
    })
    const mine = book('mine')
    await mine.change(setTo('first'))
    const before = snapshot()
    await mine.change(setTo('second'))
    failOver(before)
    await book('other').change(setTo('third'))
    await mine.refresh()
    expect((await mine.index()).current).toBe('third')
    expect(mine.known()).toMatchObject({ hash: 'third' })
    await store.close()
  })

  it('the output policy is changed on what is there, and refused on what is not', async () => {
    const { store, snapshot, failOver } = failingOver()
    const writer = { store, partition: 0, owner: 'mine', clock, ids }
    const document = { enabled: true, rules: [] }
    await savePolicy(writer, { document, version: 0, by: 'ann' })
    const before = snapshot()
    await savePolicy(writer, { document, version: 1, by: 'ann' })
    failOver(before)
    await expect(savePolicy(writer, { document, version: 2, by: 'ann' })).rejects.toMatchObject({
      code: 'output_policy_changed',
    })
    await savePolicy(writer, { document, version: 1, by: 'bob' })
    await store.close()
  })
})

describe('the mutex of the chores', () => {
  const member = (store: ReturnType<typeof failingOver>['store'], name: string) => {
    return { store, partition: 0, runnerId: runnerId(name), clock, ids }
  }
  const record = (name: string): ExecutionRecord => ({
    ...{ id: name, runnerId: runnerId(name), kind: 'slot', status: 'RUNNING' },
    ...{ startedAt: 0, endedAt: null, slotStart: null, slotEnd: null, reason: null },
  })
  const opened = async (parts: ReturnType<typeof member>) => {
    const answer = await openRun(parts, record(parts.runnerId))
    if (answer.kind !== 'opened') throw new Error('blocked')
    return answer.run
  }
  const done = { status: 'COMPLETED', reason: null } as const

  it('refuses what a holder writes whose start was lost, though another has the same version', async () => {
    const { store, snapshot, failOver } = failingOver()
    const before = snapshot()
    const a = member(store, 'a')
    const b = member(store, 'b')
    const lost = await opened(a)
    failOver(before)
    const held = await opened(b)
    expect(held.fence.version).toBe(lost.fence.version)
    const fired = { key: 'slot', version: 0, value: 'fired' }
    expect(await writeRegisters(a, [fired], [lost.fence])).toBe(false)
    expect(await endRun(a, lost, done)).toBe(false)
    expect(await writeRegisters(b, [fired], [held.fence])).toBe(true)
    expect(await endRun(b, held, done)).toBe(true)
    await store.close()
  })

  it('is given back by its holder, though its server was replaced meanwhile', async () => {
    const { store, snapshot, failOver } = failingOver()
    const a = member(store, 'a')
    const run = await opened(a)
    failOver(snapshot())
    expect(await writeRegisters(a, [{ key: 'slot', version: 0, value: 'fired' }], [run.fence])).toBe(false)
    expect(await endRun(a, run, done)).toBe(true)
    await opened(member(store, 'b'))
    await store.close()
  })
})
