/** Planted bugs in what is written, and in the store itself. */

import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { BlobHash, InvocationId, OpId } from '../../src-engine/model/ids.ts'
import type { Lease } from '../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import type { LoadQueries, Store } from '../../src-engine/store/store.ts'
import type { PlantedBug } from './planted-bug.ts'
import { rewriting, telling, withChanges, withFields } from './rewriting.ts'

const without = (checkpoint: Checkpoint, id: InvocationId): Checkpoint => ({
  ...checkpoint,
  expect: {
    ...checkpoint.expect,
    invocations: checkpoint.expect.invocations.filter((item) => item.id !== id),
  },
  writes: {
    ...checkpoint.writes,
    invocations: checkpoint.writes.invocations.filter((record) => record.id !== id),
    attempts: checkpoint.writes.attempts.filter((attempt) => attempt.invocationId !== id),
  },
  events: checkpoint.events.filter((event) => event.invocationId !== id),
})

/** A second invocation of the same node, beside the one that is registered. */
function joinTwice(checkpoint: Checkpoint): Checkpoint {
  const event = checkpoint.events.find(
    ({ body }) => body.type === 'invocation.registered' && body.invocation.taskKind === 'join',
  )
  if (event?.body.type !== 'invocation.registered') return checkpoint
  const { body } = event
  const id = `${body.invocation.id}~2` as InvocationId
  const twin = { ...body.invocation, id, version: 1 }
  return {
    ...checkpoint,
    expect: {
      ...checkpoint.expect,
      invocations: [...checkpoint.expect.invocations, { id, version: 0, fence: null }],
    },
    writes: { ...checkpoint.writes, invocations: [...checkpoint.writes.invocations, twin] },
    events: [...checkpoint.events, { ...event, invocationId: id, body: { ...body, invocation: twin } }],
  }
}

/** The last of several that a cancel ends is left out of it. */
function forgetBranch(checkpoint: Checkpoint): Checkpoint {
  const ended = checkpoint.writes.invocations.filter(({ status }) => status === 'CANCELLED')
  const last = ended.at(-1)
  return ended.length < 2 || last === undefined ? checkpoint : without(checkpoint, last.id)
}

const reading = (change: (events: readonly EngineEvent[]) => readonly EngineEvent[]) => (store: Store) => ({
  ...store,
  readEvents: async (query: Parameters<Store['readEvents']>[0]) => change(await store.readEvents(query)),
})

const forgottenLease: Lease = {
  runnerId: 'runner_gone' as Lease['runnerId'],
  fence: { epoch: 1, counter: 1 },
  expiresAt: 0,
}

/** Bugs at the border to the store, and behind it. */
export const storeBugs: readonly PlantedBug[] = [
  {
    name: 'a permit is never let go',
    noticedBy: ['I11'],
    store: rewriting((checkpoint) => ({ ...checkpoint, writes: { ...checkpoint.writes, release: [] } })),
  },
  {
    name: 'a permit is let go when the work begins',
    noticedBy: ['I20'],
    store: rewriting((checkpoint) => {
      const begun = checkpoint.writes.invocations.filter(({ status }) => status === 'RUNNING')
      const release = begun.flatMap(({ id, permits }) =>
        (permits?.permits ?? []).map(({ key }) => ({ key, holder: id as string })),
      )
      const writes = { ...checkpoint.writes, release: [...checkpoint.writes.release, ...release], take: [] }
      return release.length === 0 ? checkpoint : { ...checkpoint, writes }
    }),
  },
  {
    name: 'two more than the limit may run',
    noticedBy: ['I20'],
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ permits }) =>
        permits === null
          ? {}
          : {
              permits: {
                ...permits,
                permits: permits.permits.map((permit) => ({ ...permit, limit: permit.limit + 2 })),
              },
            },
      ),
    ),
  },
  {
    name: 'the last in line for a permit comes first',
    noticedBy: ['I20'],
    store: (store) => ({
      ...store,
      load: async (partition, kind, input) => {
        const loaded = await store.load(partition, kind, input)
        if (kind !== 'permitWaiters') return loaded
        const waiters = loaded as LoadQueries['permitWaiters']['output']
        const turned = { invocations: waiters.invocations.toReversed(), runs: waiters.runs.toReversed() }
        const told: LoadQueries['permitWaiters']['output'] = { ...waiters, ...turned }
        return told
      },
    }),
  },
  {
    name: 'what waits for a permit is never called',
    noticedBy: ['I12'],
    store: (store) => ({
      ...store,
      load: async (partition, kind, input) => {
        const loaded = await store.load(partition, kind, input)
        if (kind !== 'permitWaiters') return loaded
        return { invocations: [], runs: [] } as never
      },
    }),
  },
  {
    name: 'a failed attempt isn’t counted',
    noticedBy: ['I12', 'I14'],
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ status }) => (status === 'RETRY' ? { failureCount: 0 } : {})),
    ),
  },
  {
    name: 'a crash isn’t counted',
    noticedBy: ['I14'],
    store: rewriting((checkpoint) => withFields(checkpoint, () => ({ crashCount: 0 }))),
  },
  {
    name: 'an attempt begins without being counted',
    noticedBy: ['I14', 'I15'],
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ status, attempt }) =>
        status === 'RUNNING' && attempt > 1 ? { attempt: 1 } : {},
      ),
    ),
  },
  {
    name: 'a result is recorded as another',
    noticedBy: ['I17'],
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ status, output }) =>
        status === 'SUCCESS' && output !== null ? { output: { kind: 'inline', json: '"other"' } } : {},
      ),
    ),
  },
  {
    name: 'an event tells less than its record',
    noticedBy: ['I2'],
    store: rewriting((checkpoint) =>
      withChanges(checkpoint, (body) => {
        const { finishedAt: _, ...set } = body.set
        return { ...body, set }
      }),
    ),
  },
  {
    name: 'an attempt is recorded under another fence',
    noticedBy: ['I8'],
    store: rewriting((checkpoint) =>
      withChanges(checkpoint, (body) => {
        if (body.attempt === null) return body
        const { fence } = body.attempt
        return { ...body, attempt: { ...body.attempt, fence: { ...fence, counter: fence.counter + 1 } } }
      }),
    ),
  },
  {
    name: 'a cancel forgets a branch',
    noticedBy: ['I11', 'I12'],
    store: rewriting(forgetBranch),
  },
  { name: 'a join fires twice', noticedBy: ['I18'], store: rewriting(joinTwice) },
  {
    name: 'all checkpoints have the same op-id',
    noticedBy: ['I9'],
    store: rewriting((checkpoint) => ({ ...checkpoint, opId: 'op' as OpId })),
  },
  {
    name: 'a wake is told for an instant before the one that was promised',
    noticedBy: ['I25'],
    store: rewriting((checkpoint) =>
      withChanges(checkpoint, (body) =>
        body.to === 'WAITING' && typeof body.set.notBefore === 'number'
          ? { ...body, set: { ...body.set, notBefore: body.set.notBefore + 7_000 } }
          : body,
      ),
    ),
  },
  {
    name: 'a renewal is acknowledged and not written',
    noticedBy: ['I13'],
    store: (store) => ({
      ...store,
      renew: (request) => store.renew({ ...request, leases: [] }),
    }),
  },
  {
    name: 'a final step keeps its lease',
    noticedBy: ['I6'],
    shared: (store) =>
      telling(store, (record) =>
        invocationMachine.final.has(record.status) ? { ...record, lease: forgottenLease } : record,
      ),
  },
  {
    name: 'an owned step has no lease',
    noticedBy: ['I6', 'I12', 'I13'],
    shared: (store) =>
      telling(store, (record) =>
        invocationMachine.owned.has(record.status) ? { ...record, lease: null } : record,
      ),
  },
  {
    name: 'an event is dropped from the history',
    noticedBy: ['I3'],
    shared: reading((events) => events.filter(({ seq }) => seq !== 7)),
  },
  {
    name: 'an event names another one before it',
    noticedBy: ['I3'],
    shared: reading((events) =>
      events.map((event) => (event.seq === 9 ? { ...event, prevHash: event.hash } : event)),
    ),
  },
  {
    name: 'an event was changed afterwards',
    noticedBy: ['I3'],
    shared: reading((events) =>
      events.map((event) => (event.seq === 5 ? { ...event, at: event.at + 1 } : event)),
    ),
  },
  {
    name: 'two events changed places',
    noticedBy: ['I1', 'I3'],
    shared: reading((events) => {
      const [first, second, ...rest] = events
      return first === undefined || second === undefined ? events : [second, first, ...rest]
    }),
  },
  {
    name: 'a large value is acknowledged and not kept',
    noticedBy: ['I12', 'I29'],
    shared: (store, random) => {
      const lost = new Set<BlobHash>()
      return {
        ...store,
        putBlob: async (bytes) => {
          const hash = await store.putBlob(bytes)
          if (random.chance(0.5)) lost.add(hash)
          return hash
        },
        getBlob: (hash) => store.getBlob(lost.has(hash) ? (`0${hash}` as BlobHash) : hash),
      }
    },
  },
  {
    name: 'a large value is kept in part',
    noticedBy: ['I29'],
    shared: (store) => ({ ...store, getBlob: async (hash) => (await store.getBlob(hash)).slice(0, -1) }),
  },
  {
    name: 'a run has ended for its readers before its steps',
    noticedBy: ['I2'],
    shared: (store) => ({
      ...store,
      list: async (partition, kind, query) => {
        const listed = await store.list(partition, kind, query)
        if (kind !== 'runs') return listed
        return listed.map((run) => ({ ...run, status: 'SUCCESS' })) as never
      },
    }),
  },
  {
    name: 'no letter tells of what was given up',
    noticedBy: ['I14'],
    store: rewriting((checkpoint) => ({ ...checkpoint, writes: { ...checkpoint.writes, deadLetters: [] } })),
  },
]
