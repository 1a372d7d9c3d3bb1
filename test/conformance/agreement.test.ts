/** Random histories: the reference store, SQLite and Redis give the same answers and end with the same records. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { invocationId, runId, runnerId } from '../../src-engine/model/ids.ts'
import type { Actor, InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { invocationStatuses } from '../../src-engine/model/invocation-status.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { runStatuses } from '../../src-engine/model/run-status.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { redisServers, redisStores } from './redis-stores.ts'
import { allEvents, verifyHistory } from './scene.ts'
import { sqliteOptions } from './stores.ts'
import {
  aClaim,
  anAttempt,
  anInvocation,
  aRun,
  aRunner,
  moving,
  movingRun,
  registering,
  start,
  starting,
} from './story.ts'

const servers = redisServers()
const runNames = ['r1', 'r2']
const nodes = ['a', 'b', 'c']

/** One thing that a test does; it names records and leaves it to the store whether they exist. */
type Act =
  | { readonly kind: 'start'; readonly run: string; readonly deadline: number | null }
  | {
      readonly kind: 'register'
      readonly run: string
      readonly node: string
      readonly priority: 'HIGH' | 'NORMAL' | 'MINIMAL'
    }
  | { readonly kind: 'claim'; readonly runner: string; readonly limit: number }
  | {
      readonly kind: 'move'
      readonly run: string
      readonly node: string
      readonly to: readonly InvocationStatus[]
      readonly actor: Actor
      /** Act as the owner where there is one. */
      readonly asOwner: boolean
      /** Whether to decide on the record as it was when this act was last tried. */
      readonly stale: boolean
      readonly notBefore: number | null
    }
  | { readonly kind: 'move-run'; readonly run: string; readonly to: RunStatus }
  | { readonly kind: 'repeat'; readonly back: number }
  | { readonly kind: 'renew'; readonly runner: string }
  | { readonly kind: 'look' }

const run = fc.constantFrom(...runNames)
const node = fc.constantFrom(...nodes)
const runner = fc.constantFrom('x', 'y')
const actor = fc.oneof(
  runner.map((id): Actor => ({ kind: 'runner', id })),
  fc.constantFrom<Actor>(
    { kind: 'run', id: null },
    { kind: 'recovery', id: 'rec' },
    { kind: 'operator', id: 'ann' },
    { kind: 'reconciler', id: null },
    { kind: 'scan', id: null },
  ),
)
const path = fc.oneof(
  fc.constantFrom<readonly InvocationStatus[]>(
    ['PENDING'],
    ['PENDING', 'RUNNING'],
    ['RUNNING'],
    ['SUCCESS'],
    ['RETRY'],
    ['WAITING'],
    ['REROUTED'],
    ['PENDING_RECOVERY', 'REROUTED'],
    ['RUNNING_RECOVERY', 'REROUTED'],
    ['CANCELLED'],
  ),
  fc.array(fc.constantFrom(...invocationStatuses), { minLength: 1, maxLength: 2 }),
)
const move = fc.record({
  kind: fc.constant('move' as const),
  run,
  node,
  to: path,
  actor,
  asOwner: fc.boolean(),
  stale: fc.nat(3).map((chance) => chance === 0),
  notBefore: fc.option(fc.nat(100)),
})
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('start' as const), run, deadline: fc.option(fc.nat(100)) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('register' as const),
      run,
      node,
      priority: fc.constantFrom('HIGH', 'NORMAL', 'MINIMAL'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), runner, limit: fc.nat(3) }) },
  { weight: 12, arbitrary: move },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move-run' as const),
      run,
      to: fc.constantFrom(...runStatuses),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('repeat' as const), back: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('renew' as const), runner }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'look' } as const) },
)

/** Two stores that are asked the same things. */
interface Pair {
  readonly reference: Store
  readonly other: Store
  readonly committed: Checkpoint[]
  readonly seen: Map<string, Awaited<ReturnType<typeof loadInvocation>>>
  now: number
}

const loadInvocation = (store: Store, run: string, node: string) =>
  store.load(0, 'invocation', { invocationId: invocationId(`${run}/${node}`) })

/** Asks both and expects one answer. */
async function both<Answer>(pair: Pair, ask: (store: Store) => Promise<Answer>): Promise<Answer> {
  const [expected, found] = await Promise.all([ask(pair.reference), ask(pair.other)])
  expect(found).toEqual(expected)
  return expected
}

async function commitBoth(pair: Pair, checkpoint: Checkpoint): Promise<void> {
  pair.committed.push(checkpoint)
  await both(pair, (store) => store.commit(0, [checkpoint]))
}

async function perform(pair: Pair, what: Act): Promise<void> {
  pair.now += 7
  switch (what.kind) {
    case 'start': {
      const deadlineAt = what.deadline === null ? null : start + what.deadline
      return commitBoth(
        pair,
        starting(aRun({ name: what.run, deadlineAt }), [anInvocation(aRun({ name: what.run }), 'a')]),
      )
    }
    case 'register': {
      const record = await both(pair, (store) => store.load(0, 'run', { runId: runId(what.run) }))
      if (record === null) return
      return commitBoth(
        pair,
        registering(record, [anInvocation(record, what.node, { priority: what.priority })]),
      )
    }
    case 'claim': {
      const claim = aClaim(what.runner, { limit: what.limit, now: pair.now, ttlMs: 50, agingMs: 20 })
      await both(pair, (store) => store.claim(claim))
      return
    }
    case 'move':
      return performMove(pair, what)
    case 'move-run': {
      const record = await both(pair, (store) => store.load(0, 'run', { runId: runId(what.run) }))
      if (record !== null) await commitBoth(pair, movingRun(record, what.to))
      return
    }
    case 'repeat': {
      const old = pair.committed.at(-1 - what.back)
      if (old !== undefined) await both(pair, (store) => store.commit(0, [old]))
      return
    }
    case 'renew': {
      const owned = await both(pair, (store) =>
        store.listExpired({ partition: 0, now: 0, deadRunners: [runnerId(what.runner)], limit: 9 }),
      )
      const leases = owned.flatMap(({ id, fence }) => (fence === null ? [] : [{ invocationId: id, fence }]))
      const request = { partition: 0, runner: aRunner(what.runner), leases, expiresAt: pair.now + 50 }
      await both(pair, (store) => store.renew(request))
      return
    }
    case 'look':
      return look(pair)
  }
}

async function performMove(pair: Pair, what: Extract<Act, { kind: 'move' }>): Promise<void> {
  const name = `${what.run}/${what.node}`
  const current = await both(pair, (store) => loadInvocation(store, what.run, what.node))
  const record = (what.stale ? pair.seen.get(name) : null) ?? current
  pair.seen.set(name, current)
  if (record === null) return
  const notBefore = what.notBefore === null ? null : start + what.notBefore
  // A history with attempts: every end of an owned one tells of it, by number.
  const number = record.attempt + 1
  const ended = record.lease === null ? {} : { attempt: anAttempt(record, { number }) }
  const set = { notBefore, attempt: record.lease === null ? record.attempt : number }
  const owner = what.asOwner ? (record.lease?.runnerId ?? null) : null
  const actor: Actor = owner === null ? what.actor : { kind: 'runner', id: owner }
  await commitBoth(pair, moving(record, what.to, { actor, at: pair.now, set, ...ended }))
}

/** Everything that can be asked. */
async function look(pair: Pair): Promise<void> {
  const { now } = pair
  const page = { after: null, limit: 2 }
  await both(pair, (store) => store.listDue({ partition: 0, now, limit: 2 }))
  await both(pair, (store) => store.listExpired({ partition: 0, now, deadRunners: [], limit: 9 }))
  await both(pair, (store) =>
    store.list(0, 'runs', { filter: { statuses: null, workflowId: null, includeCore: true }, page }),
  )
  await both(pair, (store) => store.list(0, 'runners', { filter: null, page }))
  await both(pair, (store) =>
    store.list(0, 'runs', {
      filter: { statuses: ['RUNNING', 'PAUSED'], workflowId: null, includeCore: true },
      page,
    }),
  )
}

const withoutHashes = (event: EngineEvent) => ({ ...event, hash: '', prevHash: '' })

async function finish(pair: Pair): Promise<void> {
  await look(pair)
  // Each store makes the hashes of its chain in its own way.
  await both(pair, async (store) => (await allEvents(store, { pageSize: 7 })).map(withoutHashes))
  for (const name of runNames) {
    await both(pair, (store) => store.load(0, 'run', { runId: runId(name) }))
    await both(pair, (store) => store.load(0, 'invocations', { runId: runId(name) }))
    await both(pair, (store) => store.load(0, 'attempts', { runId: runId(name), invocationId: null }))
  }
  await verifyHistory(pair.other)
}

/** Plays random histories on the reference and on another store; what happened how often, by event. */
async function agree(openOther: () => Promise<Store>, numRuns: number): Promise<ReadonlyMap<string, number>> {
  const answers = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60, size: 'max' }), async (acts) => {
      const other = await openOther()
      const pair: Pair = { reference: createMemoryStore(), other, committed: [], seen: new Map(), now: start }
      try {
        await perform(pair, { kind: 'start', run: 'r1', deadline: null })
        for (const what of acts) await perform(pair, what)
        await finish(pair)
        for (const { body } of await allEvents(other))
          answers.set(body.type, (answers.get(body.type) ?? 0) + 1)
      } finally {
        await other.close()
      }
    }),
    { numRuns },
  )
  return answers
}

test('random histories give the same answers, records and events in memory and in SQLite', async () => {
  const answers = await agree(() => openSqliteStore(sqliteOptions(':memory:').options), 200)
  // A run in which everything was refused would prove nothing.
  expect(answers.get('invocation.changed')).toBeGreaterThan(300)
  expect(answers.get('run.changed')).toBeGreaterThan(100)
})

test('random histories give the same answers, records and events in memory and on Redis', async () => {
  const [redis] = redisStores(servers)
  if (redis === undefined) throw new Error('There is a store on Redis.')
  const answers = await agree(async () => (await redis.open()).store, 60)
  expect(answers.get('invocation.changed')).toBeGreaterThan(90)
  expect(answers.get('run.changed')).toBeGreaterThan(30)
})
