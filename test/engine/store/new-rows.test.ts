/** Rows that one transaction adds are written together; what looks at them in the same transaction sees them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Checkpoint } from '../../../src-engine/model/checkpoint.ts'
import { storeId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { transactionRowsMax } from '../../../src-engine/model/limits.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { createBusyPauses } from '../../../src-engine/store/sqlite/busy-pauses.ts'
import { createStore } from '../../../src-engine/store/sqlite/create-store.ts'
import { migrations } from '../../../src-engine/store/sqlite/schema.ts'
import { openSqliteStore } from '../../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { accept, refuse, theRun, verifyHistory } from '../../conformance/scene.ts'
import {
  aClaim,
  anInvocation,
  aRun,
  aRunner,
  byOperator,
  byRunner,
  moving,
  movingRun,
  registered,
  registering,
  start,
  starting,
} from '../../conformance/story.ts'

const many = 80
/** Statements that write so many rows: one of the largest, and of those of 16. */
const statements = 1 + (many - 48) / 16
const runOf = (index: number) => aRun({ name: `r${String(index).padStart(5, '0')}` })
const rerunOf = (index: number) => {
  return { origin: { kind: 'rerun', runId: runOf(index).id, nodeId: null } } as const
}
const startOf = (index: number) => starting(runOf(index), [anInvocation(runOf(index), 'a')])

let database: Database.Database
let store: Store
/** Every statement that ran, with its values. */
let executed: string[]
/** A store that has nothing in memory yet. */
function openStore(): Store {
  const clock = { now: () => start, after: () => () => undefined }
  return createStore(database, {
    directory: ':memory:',
    file: ':memory:',
    storeId: storeId('s'),
    clock,
    cleanlyClosed: true,
    holder: 1,
    pauses: createBusyPauses({ blockedMs: 0, timeoutMs: 0, clock, random: null }),
  })
}
beforeEach(() => {
  executed = []
  database = new Database(':memory:', { verbose: (sql) => executed.push(String(sql)) })
  for (const { sql } of migrations) database.exec(sql)
  store = openStore()
})
afterEach(async () => {
  await verifyHistory(store, true)
  await store.close()
})

const ran = (text: string): number => executed.filter((sql) => sql.startsWith(text)).length

test('runs that are queued together cost few statements, and no look for a run that is there [S2]', async () => {
  await accept(store, startOf(0))
  executed = []
  await accept(store, ...Array.from({ length: many }, (_, index) => startOf(1 + index)))
  expect(ran('BEGIN') + ran('begin')).toBe(1)
  for (const table of ['run', 'work', 'event_row']) expect(ran(`insert into ${table} `)).toBe(statements)
  expect(ran('select key from run where id = ')).toBe(0)
})

test('a run that was read for a decision is not read again by its commit [S5]', async () => {
  await accept(store, startOf(7))
  store = openStore()
  executed = []
  const id = runOf(7).id
  const run = await theRun(store, id)
  expect(await store.load(0, 'invocations', { runId: id })).toHaveLength(1)
  await accept(store, movingRun(run, 'CANCELLED'))
  expect(ran('select position, body from event_row where run_key')).toBe(1)
})

test('a claim from the disk reads each run once, however many it takes [S2]', async () => {
  await accept(store, ...Array.from({ length: 20 }, (_, index) => startOf(index)))
  store = openStore()
  executed = []
  const { claimed } = await store.claim(aClaim('w', { limit: 10 }))
  expect(ran('select e.run_key, e.position, e.body from json_each')).toBe(1)
  expect(ran('select key, id, status, deadline_at, body')).toBe(0)
  expect(claimed).toHaveLength(10)
  for (const { run } of claimed) expect(run).toEqual(await theRun(store, run.id))
})

const readWhole = 'select e.run_key, e.position, e.body from json_each'

test('of many runs that are queued none stays in memory, of few all do [S2]', async () => {
  const long = Array.from({ length: 210 }, (_, index) => startOf(index))
  await accept(store, ...long)
  await accept(store, startOf(210))
  executed = []
  const { claimed } = await store.claim(aClaim('w', { limit: 210 }))
  expect(claimed.map(({ invocation }) => invocation.runId)).toEqual(long.map((_, index) => runOf(index).id))
  expect(ran(readWhole)).toBe(1)
  executed = []
  await store.claim(aClaim('w', { limit: 1 }))
  expect(ran(readWhole)).toBe(0)
})

/** A start whose only step begins in the same checkpoint. */
function begunAtOnce(index: number): Checkpoint {
  const run = runOf(index)
  const step = anInvocation(run, 'a')
  const move = moving({ ...step, version: 0 }, ['PENDING', 'RUNNING'], { actor: byRunner('w') })
  const base = starting(run)
  return {
    ...base,
    actor: byRunner('w'),
    expect: { ...base.expect, invocations: move.expect.invocations },
    writes: { ...base.writes, invocations: move.writes.invocations },
    events: [...base.events, registered(step), ...move.events],
  }
}

test('runs that somebody owns stay in memory, however many begin', async () => {
  const begun = Array.from({ length: 240 }, (_, index) => begunAtOnce(index))
  await accept(store, ...begun)
  executed = []
  await accept(store, ...begun.map(({ writes }) => endedTogether(writes.invocations)))
  expect(ran('select key from run where id = ')).toBe(0)
})

test('a large run that waits is not forgotten with the small ones', async () => {
  const steps = Array.from({ length: 101 }, (_, index) => anInvocation(runOf(0), `s${index}`))
  await accept(store, starting(runOf(0), steps))
  await accept(store, ...Array.from({ length: 210 }, (_, index) => startOf(1 + index)))
  await accept(store, startOf(211))
  executed = []
  const { claimed } = await store.claim(aClaim('w', { limit: 101 }))
  expect(new Set(claimed.map(({ invocation }) => invocation.runId))).toEqual(new Set([runOf(0).id]))
  expect(ran(readWhole)).toBe(0)
})

test('a run whose start was one of many of a transaction is known to what follows in it', async () => {
  const many = Array.from({ length: 210 }, (_, index) => startOf(index))
  const run = { ...runOf(1), status: 'RUNNING', startedAt: start, version: 1 } as const
  await accept(store, ...many, registering(run, [anInvocation(run, 'b')]))
  expect(executed.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
  expect(await store.load(0, 'invocations', { runId: run.id })).toHaveLength(2)
})

test('what is more than a transaction may have goes into the next one', async () => {
  // A start counts as two.
  const most = Array.from({ length: transactionRowsMax / 2 }, (_, index) => startOf(index))
  executed = []
  await accept(store, ...most)
  expect(ran('begin')).toBe(1)
  const more = Array.from({ length: most.length + 1 }, (_, index) => startOf(most.length + index))
  executed = []
  await accept(store, ...more)
  expect(ran('begin')).toBe(2)
})

/** Runs that have ended. */
async function finished(from: number, to: number): Promise<void> {
  for (let index = from; index <= to; index += 1) {
    const run = { ...runOf(index), status: 'RUNNING', startedAt: start, version: 1 } as const
    await accept(store, starting(runOf(index)), movingRun(run, 'CANCELLED'))
  }
}

const pruning = { partition: 0, endedBefore: null, keep: 0, blobsBefore: null, limit: 100 }

test('a slice of pruning shares the transaction of what is written in the same turn [S6]', async () => {
  await finished(1, 3)
  executed = []
  const [{ runs }] = await Promise.all([store.prune(pruning), accept(store, startOf(9))])
  expect(runs).toBe(3)
  expect(executed.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
})

test('a slice removes less where others wait for the same transaction, and neighbours as one stretch [S6]', async () => {
  await finished(1, 40)
  executed = []
  await store.prune({ ...pruning, limit: 20 })
  const alone = ran('begin')
  // Rows that lie side by side are looked for and written once in a slice.
  expect(ran('insert or replace into pruned_event')).toBeLessThanOrEqual(alone)
  executed = []
  const state = { over: false }
  const work = store.prune({ ...pruning, limit: 20 }).finally(() => {
    state.over = true
  })
  for (let index = 100; !state.over; index += 1) await accept(store, startOf(index))
  expect((await work).runs).toBe(20)
  expect(ran('begin')).toBeGreaterThanOrEqual(2 * alone)
})

test('what an open run of an older form names stays too', async () => {
  await finished(1, 2)
  await accept(store, starting(aRun({ ...rerunOf(1), name: 'r00008' })))
  // So the rows of form 7 are after their migration.
  database.exec("update run set origin_id = '' where phase > 0")
  expect((await store.prune(pruning)).runs).toBe(1)
  expect(await store.load(0, 'run', { runId: runOf(1).id })).not.toBeNull()
})

test('a claim in the turn of the commits gets what they made', async () => {
  const [, { claimed }] = await Promise.all([
    accept(store, startOf(1), startOf(2), startOf(3)),
    store.claim(aClaim('w', { limit: 10 })),
    accept(store, startOf(4)),
  ])
  expect(claimed.map(({ invocation }) => invocation.runId)).toEqual([1, 2, 3].map((index) => runOf(index).id))
  expect(executed.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
})

test('a row that waits is written before it is changed or removed', async () => {
  const run = { ...runOf(1), status: 'RUNNING', startedAt: start } as const
  const step = anInvocation(run, 'a')
  await accept(
    store,
    startOf(1),
    moving(step, ['CANCELLED'], { actor: byOperator }),
    movingRun({ ...run, version: 1 }, 'CANCELLED'),
    startOf(2),
  )
  expect(executed.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
  expect((await theRun(store, run.id)).status).toBe('CANCELLED')
  const { claimed } = await store.claim(aClaim('w', { limit: 10 }))
  expect(claimed.map(({ invocation }) => invocation.runId)).toEqual([runOf(2).id])
})

test('who begins takes the row of who ended, and its own goes', async () => {
  const run = runOf(1)
  const [first, second] = [anInvocation(run, 'a'), anInvocation(run, 'b')]
  const byOwner = { actor: byRunner('w') }
  const begun = moving(first, ['PENDING', 'RUNNING'], byOwner)
  await accept(store, starting(run, [first, second]), begun)
  const [running] = begun.writes.invocations
  if (running === undefined) throw new Error('it runs')
  const ended = moving(running, ['SUCCESS'], byOwner)
  const next = moving(second, ['PENDING', 'RUNNING'], byOwner)
  executed = []
  await accept(store, {
    ...ended,
    expect: { ...ended.expect, invocations: [...ended.expect.invocations, ...next.expect.invocations] },
    writes: { ...ended.writes, invocations: [...ended.writes.invocations, ...next.writes.invocations] },
    events: [...ended.events, ...next.events],
  })
  // The insert is one into a row that is there.
  expect([ran('insert into work '), ran('update work '), ran('delete from work ')]).toEqual([1, 0, 1])
  const rows = database.prepare('select id, owner, queue from work').all()
  expect(rows).toEqual([{ id: second.id, owner: 'w', queue: 2 }])
  expect((await store.claim(aClaim('v'))).claimed).toEqual([])
})

/** A checkpoint in which steps of a run are registered and begun at once. */
function begunTogether(run: RunRecord, names: readonly string[]): Checkpoint {
  const steps = names.map((name) => anInvocation(run, name))
  const moves = steps.map((step) =>
    moving({ ...step, version: 0 }, ['PENDING', 'RUNNING'], { actor: byRunner('w') }),
  )
  const base = registering(run, [])
  return {
    ...base,
    actor: byRunner('w'),
    expect: { ...base.expect, invocations: moves.flatMap(({ expect: { invocations } }) => invocations) },
    writes: { ...base.writes, invocations: moves.flatMap(({ writes }) => writes.invocations) },
    events: [...steps.map(registered), ...moves.flatMap(({ events }) => events)].map((event) => {
      return { ...event, runVersion: run.version + 1 }
    }),
  }
}

/** Ends steps that run, in one checkpoint. */
function endedTogether(running: readonly InvocationRecord[]): Checkpoint {
  const [first, ...others] = running.map((step) => moving(step, ['SUCCESS'], { actor: byRunner('w') }))
  if (first === undefined) throw new Error('there is one to end')
  const all = [first, ...others]
  return {
    ...first,
    expect: { ...first.expect, invocations: all.flatMap(({ expect: { invocations } }) => invocations) },
    writes: { ...first.writes, invocations: all.flatMap(({ writes }) => writes.invocations) },
    events: all.flatMap(({ events }) => events),
  }
}

const begunRun = { ...runOf(1), status: 'RUNNING', startedAt: start, version: 1 } as const
const stepNames = Array.from({ length: many }, (_, index) => `s${index}`)

test('steps that begin together, and end together, cost few statements', async () => {
  const begun = begunTogether(begunRun, stepNames)
  await accept(store, starting(runOf(1)), begun)
  expect(ran('insert into work ')).toBe(statements)
  executed = []
  await accept(store, endedTogether(begun.writes.invocations))
  expect([ran('delete from work '), ran('update work ')]).toEqual([statements, 0])
  expect(database.prepare('select count(*) from work').pluck().get()).toBe(0)
})

/** Ends the running steps of a checkpoint, and begins another one of the run. */
function goingOn(before: Checkpoint, name: string): Checkpoint {
  const { run, invocations } = before.writes
  if (run === null) throw new Error('it is of a run')
  const running = invocations.filter(({ status }) => status === 'RUNNING')
  const ends = endedTogether(running)
  const begins = begunTogether(run, [name])
  const runVersion = run.version + 1
  return {
    ...begins,
    expect: { ...begins.expect, invocations: [...ends.expect.invocations, ...begins.expect.invocations] },
    writes: { ...begins.writes, invocations: [...ends.writes.invocations, ...begins.writes.invocations] },
    events: [...ends.events.map((event) => ({ ...event, runVersion })), ...begins.events],
  }
}

test('a row that goes from step to step in one transaction is that of the last one, as renewed', async () => {
  const first = begunTogether(begunRun, ['a'])
  const second = goingOn(first, 'b')
  const third = goingOn(second, 'c')
  const { id, lease } = third.writes.invocations.at(-1) ?? anInvocation(begunRun, 'c')
  const leases = lease === null ? [] : [{ invocationId: id, fence: lease.fence }]
  await Promise.all([
    accept(store, starting(runOf(1)), first, second, third),
    store.renew({ partition: 0, runner: aRunner('w'), leases, expiresAt: start + 900_000 }),
  ])
  expect(executed.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
  const rows = database.prepare('select id, lease_expires_at from work').all()
  expect(rows).toEqual([{ id, lease_expires_at: start + 900_000 }])
})

test('steps that begin in the places of others share statements over the runs of a transaction', async () => {
  const runs = Array.from({ length: 16 }, (_, index) => {
    return { ...runOf(index), status: 'RUNNING', startedAt: start, version: 1 } as const
  })
  const begun = runs.map((run) => begunTogether(run, ['a']))
  await accept(store, ...runs.map((_, index) => starting(runOf(index))), ...begun)
  executed = []
  await accept(store, ...begun.map((checkpoint) => goingOn(checkpoint, 'b')))
  expect([ran('insert into work '), ran('update work '), ran('delete from work ')]).toEqual([1, 0, 0])
  const rows = database.prepare('select id, owner, queue from work order by key').all()
  expect(rows).toEqual(runs.map((run) => ({ id: anInvocation(run, 'b').id, owner: 'w', queue: 2 })))
})

test('a row that waits for its owner is written before it goes or is renewed', async () => {
  const begun = begunTogether(begunRun, ['a', 'b'])
  const [a, b] = begun.writes.invocations
  if (a === undefined || b === undefined) throw new Error('both run')
  const fence = b.lease?.fence ?? { epoch: 0, counter: 0 }
  const leases = [{ invocationId: b.id, fence }]
  await Promise.all([
    accept(store, starting(runOf(1)), begun, endedTogether([a])),
    store.renew({ partition: 0, runner: aRunner('w'), leases, expiresAt: start + 900_000 }),
  ])
  expect(executed.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
  const rows = database.prepare('select id, lease_expires_at from work').all()
  expect(rows).toEqual([{ id: b.id, lease_expires_at: start + 900_000 }])
})

test('a start that is repeated in the same turn is known, of a run that goes on and of one that ended', async () => {
  const first = startOf(1)
  const second = starting(runOf(2))
  const ended = movingRun({ ...runOf(2), status: 'RUNNING', startedAt: start, version: 1 }, 'CANCELLED')
  const answers = await store.commit(0, [first, first, second, ended, second, startOf(1)])
  expect(answers.map(({ kind }) => kind)).toEqual([
    'accepted',
    'repeated',
    'accepted',
    'accepted',
    'repeated',
    'refused',
  ])
})

test('a run is looked for unless its id is greater than all, those of other processes too', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-new-rows-'))
  const clock = { now: () => start, after: () => () => undefined }
  const open = () => openSqliteStore({ directory, storeId: storeId('s'), clock })
  const [one, other] = [await open(), await open()]
  await accept(one, startOf(5))
  await accept(one, startOf(2))
  expect((await refuse(one, startOf(2))).kind).toBe('lost-race')
  await accept(other, startOf(9))
  expect((await refuse(one, startOf(9))).kind).toBe('lost-race')
  await accept(one, startOf(10))
  expect((await refuse(other, startOf(10))).kind).toBe('lost-race')
  await one.close()
  await other.close()
  rmSync(directory, { recursive: true })
})
