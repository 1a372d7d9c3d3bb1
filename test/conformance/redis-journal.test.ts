/** What a failover takes back is brought back by those who wrote it: a partition goes back, and comes again. */

import { expect, test } from 'vitest'
import { runId } from '../../src-engine/model/ids.ts'
import { newRun } from '../../src-engine/model/new-records.ts'
import { partitionOf } from '../../src-engine/model/partition.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { lateMs } from '../../src-engine/store/redis/journal/late-takes.ts'
import {
  aServer,
  aStore,
  begin,
  copyOf,
  end,
  goBack,
  knock,
  now,
  run,
  stateOf,
  step,
  workOn,
} from './journal-scene.ts'
import { accept, commit, theInvocation, theRun, verifyHistory } from './scene.ts'
import { aClaim, aRun, movingRun, starting } from './story.ts'

test('what a partition lost is written again by who wrote it, before anything new is', async () => {
  const server = await aServer()
  const { store, reports } = await aStore(server)
  await accept(store, starting(run, [step]))
  const copy = await copyOf(server)
  await workOn(store, 'a')
  await accept(store, movingRun(await theRun(store, run.id), 'PAUSED'))
  const before = await stateOf(store)
  await goBack(server, copy)
  await knock(store)
  const after = await stateOf(store)
  expect(after).toEqual({ ...before, told: after.told })
  expect(after.told.slice(0, before.told.length)).toEqual(before.told)
  expect(reports).toMatchObject([{ partition: 0, epoch: 2, lost: 4, broughtBack: 4, there: 0, gone: [] }])
  await verifyHistory(store)
})

test('a step that was done and lost is done: no runner is offered it again', async () => {
  const server = await aServer()
  const { store } = await aStore(server)
  const { store: other } = await aStore(server)
  await accept(store, starting(run, [step]))
  const copy = await copyOf(server)
  await workOn(store, 'a')
  await goBack(server, copy)
  // The other one meets the new epoch first, and would have it.
  await knock(other)
  expect((await other.claim(aClaim('b', { now: now() }))).claimed).toEqual([])
  await expect.poll(async () => (await theInvocation(other, step.id)).status).toBe('SUCCESS')
  await expect.poll(() => other.claim(aClaim('b', { now: now() }))).toEqual({ claimed: [], blocked: [] })
  await verifyHistory(store)
})

test('two runners whose lost work builds on each other’s bring it back together', async () => {
  const server = await aServer()
  const { store: one, reports: ofOne } = await aStore(server)
  const { store: two, reports: ofTwo } = await aStore(server)
  const copy = await copyOf(server)
  await accept(one, starting(run, [step]))
  expect((await two.claim(aClaim('b', { now: now() }))).claimed).toHaveLength(1)
  await begin(two, 'b')
  await accept(one, movingRun(await theRun(one, run.id), 'PAUSED'))
  await end(two, 'b')
  await accept(one, movingRun(await theRun(one, run.id), 'RUNNING'))
  const before = await stateOf(one)
  await goBack(server, copy)
  // The one whose work is all built on the other's comes first.
  await knock(two)
  await expect.poll(() => [...ofOne, ...ofTwo].length).toBe(2)
  const after = await stateOf(two)
  expect(after).toEqual({ ...before, told: after.told })
  expect(ofOne).toMatchObject([{ lost: 3, broughtBack: 3, gone: [] }])
  expect(ofTwo).toMatchObject([{ lost: 3, broughtBack: 3, gone: [] }])
  await verifyHistory(one)
})

test('what others have gone on from is listed, and never forced on them', async () => {
  const server = await aServer()
  const { store, reports } = await aStore(server)
  const { store: other } = await aStore(server, null)
  await accept(store, starting(run, [step]))
  const copy = await copyOf(server)
  await workOn(store, 'a')
  await goBack(server, copy)
  // Nobody told this one of journals: it takes the step at once.
  expect((await other.claim(aClaim('b', { now: now() }))).claimed).toHaveLength(1)
  const taken = await theInvocation(other, step.id)
  await knock(store)
  await expect.poll(() => reports.length).toBe(1)
  expect(await theInvocation(other, step.id)).toEqual(taken)
  expect(reports[0]).toMatchObject({ lost: 3, broughtBack: 0, there: 0, isCut: false })
  expect(reports[0]?.gone.map(({ did, doneSteps, why }) => ({ did, doneSteps, why }))).toEqual([
    { did: ['r1/n REGISTERED → PENDING'], doneSteps: [], why: 'overtaken' },
    { did: ['r1/n PENDING → RUNNING'], doneSteps: [], why: 'overtaken' },
    { did: ['r1/n RUNNING → SUCCESS'], doneSteps: ['r1/n'], why: 'overtaken' },
  ])
  await verifyHistory(store)
})

test('what builds on the lost work of a runner that is gone is given up after a while, and listed', async () => {
  const server = await aServer()
  const { store: gone } = await aStore(server, null)
  const { store, reports } = await aStore(server, { holdMs: 50, patienceMs: 300 })
  const copy = await copyOf(server)
  await accept(gone, starting(run, [step]))
  await accept(store, movingRun(await theRun(store, run.id), 'PAUSED'))
  await goBack(server, copy)
  await knock(store)
  await expect.poll(() => reports.length).toBe(1)
  expect(reports[0]?.gone).toMatchObject([{ did: ['r1 RUNNING → PAUSED'], why: 'unfounded' }])
  expect(await store.load(0, 'run', { runId: run.id })).toBeNull()
})

test('a partition that goes back again and again is brought back each time', async () => {
  const server = await aServer()
  const { store, reports } = await aStore(server)
  const empty = await copyOf(server)
  await accept(store, starting(run, [step]))
  const begun = await copyOf(server)
  await workOn(store, 'a')
  const before = await stateOf(store)
  await goBack(server, begun)
  await knock(store, 'first')
  // Behind the epoch that began, and then behind everything.
  await goBack(server, begun)
  await knock(store, 'second')
  await goBack(server, empty)
  await knock(store, 'third')
  const after = await stateOf(store)
  expect(after).toEqual({ ...before, told: after.told })
  expect(reports.map(({ lost, broughtBack, gone }) => [lost, broughtBack, gone.length])).toEqual([
    [3, 3, 0],
    [4, 4, 0],
    [6, 6, 0],
  ])
  for (const name of ['first', 'second', 'third']) {
    expect((await theRun(store, runId(name))).status).toBe('RUNNING')
  }
  await verifyHistory(store)
})

test('what was not lost is left alone, though another server leads: what was pruned stays gone', async () => {
  const server = await aServer()
  const { store, reports } = await aStore(server)
  await accept(store, starting(run))
  await accept(store, movingRun(await theRun(store, run.id), 'FAILED'))
  await store.prune({ partition: 0, endedBefore: now(), keep: null, blobsBefore: null, limit: 10 })
  await server.admin.hset('sagasmith:{p0}:head', 'line', 'another')
  await knock(store)
  expect(store.info.epochs[0]).toBe(2)
  expect(await store.load(0, 'run', { runId: run.id })).toBeNull()
  expect(reports).toEqual([])
})

test('registers and versions come back, too, and those that somebody changed meanwhile don’t', async () => {
  const server = await aServer()
  const { store, reports } = await aStore(server)
  const { store: other } = await aStore(server, null)
  const copy = await copyOf(server)
  const set = (key: string, value: number, version = 0) => {
    const checkpoint = starting(aRun())
    return {
      ...checkpoint,
      opId: `set-${key}-${value}` as typeof checkpoint.opId,
      expect: { invocations: [], registers: [{ key, version }] },
      writes: { ...checkpoint.writes, run: null, invocations: [], registers: [{ key, value }] },
      events: [],
    }
  }
  await accept(store, set('kept', 1), set('taken', 1))
  await accept(store, set('kept', 2, 1))
  await goBack(server, copy)
  await accept(other, set('taken', 9))
  await knock(store)
  expect(await store.load(0, 'register', { key: 'kept' })).toMatchObject({ value: 2, version: 2 })
  expect(await store.load(0, 'register', { key: 'taken' })).toMatchObject({ value: 9, version: 1 })
  expect(reports).toMatchObject([{ lost: 3, broughtBack: 2, gone: [{ why: 'overtaken' }] }])
})

test('more than the journal holds is told as more', async () => {
  const server = await aServer()
  const bounds = { entries: 2, bytes: 1_000_000, ageMs: 60_000 }
  const { store, reports } = await aStore(server, { bounds, holdMs: 50, patienceMs: 100 })
  const copy = await copyOf(server)
  await accept(store, starting(run, [step]))
  await workOn(store, 'a')
  await goBack(server, copy)
  await knock(store)
  await expect.poll(() => reports.length).toBe(1)
  expect(reports[0]).toMatchObject({ lost: 2, broughtBack: 0, isCut: true })
  expect(reports[0]?.gone.map(({ why }) => why)).toEqual(['unfounded', 'unfounded'])
})

test('a run that was accepted and lost is refused to nobody who asks for it again', async () => {
  const server = await aServer()
  const { store } = await aStore(server)
  const copy = await copyOf(server)
  const checkpoint = starting(newRun({ ...aRun(), input: { kind: 'inline', json: '{}' }, now: now() }))
  await accept(store, checkpoint)
  await goBack(server, copy)
  expect(await commit(store, checkpoint)).toEqual({ kind: 'repeated' })
})

test('nobody builds on an own write that was lost and that somebody else made in another way', async () => {
  const server = await aServer()
  const { store } = await aStore(server, null)
  const { store: other } = await aStore(server, null)
  await accept(store, starting(run))
  const copy = await copyOf(server)
  const lost = movingRun(await theRun(store, run.id), 'PAUSED')
  await accept(store, lost)
  const next = movingRun(await theRun(store, run.id), 'RUNNING')
  await goBack(server, copy)
  await accept(other, movingRun(await theRun(other, run.id), 'PAUSED'))
  const expected = { ...next.expect, run: { id: run.id, version: 2, after: lost.opId } }
  const answer = await commit(store, { ...next, expect: expected })
  expect(answer).toMatchObject({ kind: 'refused', refusal: { kind: 'lost-race' } })
})

test('a run that comes back late waits for the permit that somebody else has got meanwhile', async () => {
  const server = await aServer()
  const clock = { ...systemClock, late: 0, now: () => systemClock.now() + clock.late }
  const { store, reports } = await aStore(server, {}, clock)
  // Counted in the other partition.
  const key = ['a', 'b', 'c', 'd', 'e'].find((one) => partitionOf(runId(one), 2) === 1) ?? ''
  const take = { key, holder: run.id, limit: 1, expiresAt: null }
  const copy = await copyOf(server)
  const begun = starting(run, [step])
  await store.takeSlots(1, { takes: [{ ...take, by: 'first' }], at: now() })
  await accept(store, { ...begun, writes: { ...begun.writes, take: [take] } })
  await goBack(server, copy)
  await store.releaseSlots(1, [take])
  await store.takeSlots(1, { takes: [{ ...take, holder: 'other' }], at: now() })
  clock.late = lateMs
  await knock(store)
  expect(await store.load(0, 'run', { runId: run.id })).toBeNull()
  await store.releaseSlots(1, [{ key, holder: 'other' }])
  await expect.poll(() => store.load(0, 'run', { runId: run.id })).toMatchObject({ id: run.id })
  expect(await store.load(1, 'slotHolders', { key })).toMatchObject([{ holder: run.id }])
  await expect.poll(() => reports).toMatchObject([{ partition: 0, lost: 1, broughtBack: 1, gone: [] }])
  await verifyHistory(store)
})
