/** A partition whose server is away: the others go on without it, and it is named until it is back. */

import { expect, it } from 'vitest'
import { SagasmithError } from '../../../../src-engine/model/errors.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { MissingPartition } from '../../../../src-engine/model/missing-partition.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { createPartitionedStore } from '../../../../src-engine/store/partitioned/partitioned-store.ts'
import type { RawStore } from '../../../../src-engine/store/raw-store.ts'
import { accept } from '../../../conformance/scene.ts'
import { aClaim, anInvocation, aRun, start, starting } from '../../../conformance/story.ts'

const down = 2

/** A store with a run in each of four partitions, of which one may be away or silent. */
async function scene() {
  const memory = createMemoryStore({ partitions: 4 })
  let state: 'well' | 'away' | 'broken' | 'silent' = 'well'
  let calls = 0
  const waiting: (() => void)[] = []
  const timers = new Set<() => void>()
  const fire = (): void => {
    for (const call of [...timers]) {
      timers.delete(call)
      call()
    }
  }
  /** The partition's answer, when there is one. */
  const through = async <Answer>(partition: number, call: () => Promise<Answer>): Promise<Answer> => {
    if (partition !== down || state === 'well') return call()
    calls += 1
    if (state === 'broken') throw new SagasmithError('redis_not_permitted')
    if (state === 'away') throw new SagasmithError('redis_unreachable', { message: 'nobody is there' })
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
    return call()
  }
  let best: readonly number[] = []
  const raw: RawStore = {
    ...memory,
    beginIn: () => new Set(best),
    fetch: (request) => through(request.partition, () => memory.fetch(request)),
    claim: (request) => through(request.partition, () => memory.claim(request)),
    list: (partition, kind, query) => through(partition, () => memory.list(partition, kind, query)),
    load: (partition, kind, input) => through(partition, () => memory.load(partition, kind, input)),
    listDue: (query) => through(query.partition, () => memory.listDue(query)),
  }
  const be = (next: typeof state): void => {
    state = next
    if (next === 'well') for (const resolve of waiting.splice(0)) resolve()
  }
  const told: string[] = []
  const note =
    (what: string) =>
    ({ partition }: MissingPartition): void =>
      void told.push(`${what} ${partition}`)
  const store = createPartitionedStore(raw, {
    wholeLookMs: 0,
    clock: {
      now: () => start,
      after(_, call) {
        timers.add(call)
        return () => timers.delete(call)
      },
    },
    onAway: note('away'),
    onBack: note('back'),
  })
  for (const partition of [0, 1, 2, 3]) {
    const run = aRun({ name: `r${partition}~p${partition}`, createdAt: start + partition })
    await accept(store, starting(run, [anInvocation(run, 'n')]))
  }
  return {
    raw,
    store,
    told,
    fire,
    calls: () => calls,
    be,
    beginIn: (partitions: readonly number[]) => {
      best = partitions
      return [...(store.beginIn?.() ?? [])]
    },
  }
}

const runsOf = (records: readonly { readonly id: string }[]): readonly string[] =>
  records.map(({ id }) => id.slice(0, 2)).sort()

it('work of the others is found and claimed at once while one is away', async () => {
  const { store, be, told } = await scene()
  be('away')
  expect(runsOf(await store.fetch(aClaim('a')))).toEqual(['r0', 'r1', 'r3'])
  const { claimed } = await store.claim(aClaim('a'))
  expect(runsOf(claimed.map(({ run }) => run))).toEqual(['r0', 'r1', 'r3'])
  expect(store.missing?.()).toMatchObject([
    { partition: down, since: start, code: 'redis_unreachable', message: 'nobody is there' },
  ])
  expect(told).toEqual(['away 2'])
})

/** The same partitions put together anew; nobody tells of what is written, and one of them may know what it has. */
function untold(raw: RawStore) {
  const known: InvocationRecord[] = []
  const store = createPartitionedStore(
    {
      ...raw,
      watch: () => () => undefined,
      glance: ({ partition }) => (partition === 0 && known.length > 0 ? known.splice(0) : null),
    },
    { wholeLookMs: 60_000, clock: { now: () => start, after: () => () => undefined } },
  )
  const claimAt = async (now: number): Promise<readonly string[]> => {
    const { claimed } = await store.claim({ ...aClaim('a'), now })
    return runsOf(claimed.map(({ run }) => run))
  }
  return { known, claimAt }
}

it('one that is away holds up nobody where what the others have is known, or was taken just now', async () => {
  const { raw, store, be } = await scene()
  const { known, claimAt } = untold(raw)
  be('away')
  expect(await claimAt(start)).toEqual(['r0', 'r1', 'r3'])
  // It alone is left to ask: what the others had was taken.
  expect(await claimAt(start + 999)).toEqual([])
  const [run, later] = [aRun({ name: 'r4~p0' }), aRun({ name: 'r5~p0' })]
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  expect(await claimAt(start + 1_000)).toEqual(['r4'])
  const step = anInvocation(later, 'n')
  await accept(store, starting(later, [step]))
  known.push(step)
  expect(await claimAt(start + 2_000)).toEqual(['r5'])
  expect(await claimAt(start + 3_000)).toEqual([])
  // Again it alone is left, and nothing is known of others that have something.
  await expect(claimAt(start + 3_001)).rejects.toMatchObject({ code: 'redis_unreachable' })
})

it('one that refuses is told, though what the others had was taken just now', async () => {
  const { raw, store, be } = await scene()
  const { claimAt } = untold(raw)
  be('away')
  expect(await claimAt(start)).toEqual(['r0', 'r1', 'r3'])
  be('well')
  const run = aRun({ name: 'r4~p2' })
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  // It is asked beside the others once, and is back.
  expect(await claimAt(start + 1)).toEqual([])
  be('broken')
  await expect(claimAt(start + 2)).rejects.toMatchObject({ code: 'redis_not_permitted' })
})

it('one that is silent is waited for once, and then asked beside the others', async () => {
  const { store, be, fire, told, calls } = await scene()
  be('silent')
  const first = store.fetch(aClaim('a'))
  await expect.poll(calls).toBe(1)
  fire()
  expect(runsOf(await first)).toEqual(['r0', 'r1', 'r3'])
  expect(store.missing?.()).toMatchObject([{ partition: down, code: 'redis_timeout' }])
  // Nobody waits for it any more, and it isn't asked twice at a time.
  expect(runsOf(await store.fetch(aClaim('a')))).toEqual(['r0', 'r1', 'r3'])
  expect(calls()).toBe(1)
  be('well')
  await expect.poll(() => told).toEqual(['away 2', 'back 2'])
  expect(store.missing?.()).toEqual([])
  expect(runsOf(await store.fetch(aClaim('a')))).toEqual(['r0', 'r1', 'r2', 'r3'])
})

it('what a silent one claimed after all comes with the runner’s next claim', async () => {
  const { store, be, fire, calls } = await scene()
  const fetched = await store.fetch(aClaim('a'))
  const ids = fetched.map(({ id }) => id)
  be('well')
  const found = await store.load(0, 'invocation', { invocationId: ids[0] ?? anInvocation(aRun(), 'n').id })
  expect(found).not.toBeNull()
  be('silent')
  const claim = store.claim(aClaim('a', { invocationIds: ids.filter((id) => id.startsWith('r2')) }))
  await expect.poll(calls).toBe(1)
  be('well')
  // It could be looked at; the claim itself takes long.
  be('silent')
  await expect.poll(calls).toBe(2)
  fire()
  expect((await claim).claimed).toEqual([])
  be('well')
  await expect
    .poll(async () => runsOf((await store.claim(aClaim('a', { limit: 1 }))).claimed.map(({ run }) => run)))
    .toContain('r2')
})

it('lists go on without it and say which part is missing; one thing there is an error', async () => {
  const { store, be } = await scene()
  be('away')
  const query = {
    filter: { statuses: null, workflowId: null, includeCore: true },
    page: { after: null, limit: 10 },
  }
  expect(runsOf(await store.list(0, 'runs', query))).toEqual(['r0', 'r1', 'r3'])
  const work = { filter: { statuses: ['REGISTERED'] as const, pool: null }, page: query.page }
  expect(await store.list(0, 'work', work)).toHaveLength(3)
  expect(store.missing?.().map(({ partition }) => partition)).toEqual([down])
  await expect(store.load(0, 'run', { runId: aRun({ name: 'r2~p2' }).id })).rejects.toMatchObject({
    code: 'redis_unreachable',
  })
  // Whether somebody asked for it before can't be known: nobody may start it again.
  await expect(store.load(0, 'runByRequest', { requestId: 'x' })).rejects.toMatchObject({
    code: 'redis_unreachable',
  })
})

it('timers of the others are told, and the missing ones asked for soon', async () => {
  const { store, be } = await scene()
  be('away')
  expect(await store.listDue({ partition: 0, now: start, limit: 10 })).toEqual({
    due: [],
    nextAt: start + 1_000,
  })
})

it('one that can be reached again and refuses is told so, to who asks next, until it doesn’t', async () => {
  const { store, be, told } = await scene()
  be('away')
  await store.fetch(aClaim('a'))
  be('broken')
  // Asked beside the others.
  await store.fetch(aClaim('a'))
  await expect.poll(() => told).toEqual(['away 2', 'back 2'])
  await expect(store.fetch(aClaim('a'))).rejects.toMatchObject({ code: 'redis_not_permitted' })
  be('well')
  expect(runsOf(await store.fetch(aClaim('a')))).toEqual(['r0', 'r1', 'r2', 'r3'])
})

it('where none answers, or something else is wrong, the error is told', async () => {
  const memory = createMemoryStore({ partitions: 2 })
  const clock = { now: () => start, after: () => () => undefined }
  const failing = (thrown: Error) =>
    createPartitionedStore({ ...memory, fetch: () => Promise.reject(thrown) }, { clock })
  const away = failing(new SagasmithError('redis_cluster_down', { message: 'no majority' }))
  await expect(away.fetch(aClaim('a'))).rejects.toMatchObject({ code: 'redis_cluster_down' })
  const wrong = failing(new SagasmithError('redis_not_permitted'))
  await expect(wrong.fetch(aClaim('a'))).rejects.toMatchObject({ code: 'redis_not_permitted' })
  expect(wrong.missing?.()).toEqual([])
})

it('begins runs where somebody answers', async () => {
  const { store, be, beginIn } = await scene()
  expect(beginIn([1, down])).toEqual([1, down])
  be('away')
  await store.claim(aClaim('a'))
  expect(beginIn([1, down])).toEqual([1])
  expect(beginIn([down])).toEqual([0, 1, 3])
})
