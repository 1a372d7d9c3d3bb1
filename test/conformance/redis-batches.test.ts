/** Checkpoints that share a call: what they write is what they would have written one after the other, in fewer commands. */

import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import type { RedisServer } from '../support/redis-servers.ts'
import { startRedisServer } from '../support/redis-servers.ts'
import { anInvocation, aRun, byRunner, moving, movingRun, start, starting } from './story.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function aStore(): Promise<{ readonly store: RawStore; readonly server: RedisServer }> {
  const server = await startRedisServer()
  cleanUps.push(server.kill)
  return { store: await storeOn(server), server }
}

async function storeOn(server: RedisServer): Promise<RawStore> {
  const store = await openRedisStore({
    nodes: [server],
    storeId: storeId('s'),
    partitions: 1,
    clock: { now: () => start, after: () => () => undefined },
    leaseTime: 'callers',
    writerId: randomUUID(),
  })
  cleanUps.push(() => store.close())
  return store
}

/** Every sorted set with its members, and their scores where these aren't places. */
async function setsOf({ admin }: RedisServer): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  for (const key of (await admin.keys('*')).toSorted()) {
    if ((await admin.type(key)) !== 'zset') continue
    const scored = await admin.zrange(key, '0', '-1', 'WITHSCORES')
    found[key] = /:runs(-of)?:/.test(key) ? await admin.zrange(key, '0', '-1') : scored
  }
  return found
}

const calls = async ({ admin }: RedisServer, name: string): Promise<number> =>
  Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await admin.info('commandstats'))?.[1] ?? 0)

/** The records of checkpoints in their order, each as the one before left it. */
const recordOf = (checkpoint: Checkpoint) => checkpoint.writes.invocations[0] ?? anInvocation(aRun(), 'none')

/** Steps that wait, begin, end, wait again and stand in line, of several runs; and a run that ends. */
function aStory(): readonly Checkpoint[] {
  const story: Checkpoint[] = []
  for (const name of ['r1', 'r2', 'r3']) {
    const run = aRun({ name, deadlineAt: start + 50 })
    const [quick, slow, late] = ['quick', 'slow', 'late'].map((node) => anInvocation(run, node))
    if (quick === undefined || slow === undefined || late === undefined) throw new Error('There are three.')
    const began = starting(run, [quick, slow, late])
    const owned = moving(quick, ['PENDING', 'RUNNING'], { actor: byRunner('a') })
    const kept = moving(slow, ['PENDING', 'RUNNING'], { actor: byRunner('a') })
    const waits = moving(late, ['WAITING'], { set: { notBefore: start + 30 } })
    const asleep = moving(recordOf(kept), ['RETRY'], { actor: byRunner('a'), set: { notBefore: start + 9 } })
    const ended = moving(recordOf(owned), ['SUCCESS'], { actor: byRunner('a') })
    const woken = moving(recordOf(asleep), ['PENDING', 'RUNNING'], { actor: byRunner('b'), at: start + 10 })
    story.push(began, owned, kept, waits, ended, asleep)
    if (name !== 'r3') story.push(woken)
    if (name === 'r2')
      story.push(moving(recordOf(waits), ['SUCCESS']), movingRun(began.writes.run ?? run, 'PAUSED'))
  }
  return story
}

test('sets hold what the last write to each member said, whoever shared a call', async () => {
  const story = aStory()
  const [alone, together] = [await aStore(), await aStore()]
  for (const checkpoint of story) {
    expect(await alone.store.commit(0, [checkpoint])).toEqual([{ kind: 'accepted' }])
  }
  expect(await together.store.commit(0, story)).toEqual(story.map(() => ({ kind: 'accepted' })))
  const found = await setsOf(together.server)
  expect(found).toEqual(await setsOf(alone.server))
  expect(found['sagasmith:{p0}:leases']).toEqual(
    ['r1/slow', 'r2/slow'].flatMap((id) => [id, String(start + 10 + 300_000)]),
  )
  // All of it was one script.
  expect(await calls(together.server, 'evalsha')).toBeLessThanOrEqual(2)
  const [many, few] = [await calls(alone.server, 'zadd'), await calls(together.server, 'zadd')]
  expect(few).toBeLessThan(many / 2)
})

test('a set that many checkpoints write to is one command', async () => {
  const { store, server } = await aStore()
  const count = 20
  const runs = Array.from({ length: count }, (_, index) => aRun({ name: `r${index}` }))
  const steps = runs.map((run) => anInvocation(run, 'n'))
  await store.commit(
    0,
    runs.map((run, index) => starting(run, [steps[index] ?? anInvocation(run, 'n')])),
  )
  await server.admin.config('RESETSTAT')
  const begun = steps.map((step) => moving(step, ['PENDING', 'RUNNING'], { actor: byRunner('a') }))
  await store.commit(0, begun)
  // Out of the queue and of those that wait; into the leases.
  expect(await calls(server, 'zrem')).toBe(2)
  expect(await calls(server, 'zadd')).toBe(1)
  expect(await server.admin.zcard('sagasmith:{p0}:leases')).toBe(count)
  await store.commit(
    0,
    begun.map((checkpoint) => moving(recordOf(checkpoint), ['SUCCESS'], { actor: byRunner('a') })),
  )
  expect(await calls(server, 'zrem')).toBe(3)
  expect(await server.admin.exists('sagasmith:{p0}:leases')).toBe(0)
})

test('of what is refused among others nothing is in any set, and all of the others', async () => {
  const { store, server } = await aStore()
  const runs = ['r1', 'r2', 'r3'].map((name) => aRun({ name }))
  const steps = runs.map((run) => anInvocation(run, 'n'))
  await store.commit(
    0,
    runs.map((run, index) => starting(run, [steps[index] ?? anInvocation(run, 'n')])),
  )
  const [, taken] = steps.map((step) => moving(step, ['PENDING', 'RUNNING'], { actor: byRunner('a') }))
  if (taken === undefined) throw new Error('There are three.')
  // Somebody else begins it, which this store hasn't seen.
  const other = await storeOn(server)
  expect(await other.commit(0, [taken])).toEqual([{ kind: 'accepted' }])
  await server.admin.config('RESETSTAT')
  const answers = await store.commit(
    0,
    steps.map((step) => moving(step, ['WAITING'], { set: { notBefore: start + 30 } })),
  )
  expect(answers.map(({ kind }) => kind === 'accepted')).toEqual([true, false, true])
  expect(await calls(server, 'evalsha')).toBe(1)
  expect(await server.admin.zrange('sagasmith:{p0}:w:WAITING', '0', '-1')).toEqual(['r1/n', 'r3/n'])
  expect(await server.admin.exists('sagasmith:{p0}:w:REGISTERED')).toBe(0)
  expect(await server.admin.zrange('sagasmith:{p0}:leases', '0', '-1')).toEqual(['r2/n'])
})

test('leases of one call expire when each says, whatever has to be looked at between them', async () => {
  const { store, server } = await aStore()
  const runs = ['r1', 'r2', 'r3', 'r4'].map((name) => aRun({ name }))
  const steps = runs.map((run) => anInvocation(run, 'n'))
  await store.commit(
    0,
    runs.map((run, index) => starting(run, [steps[index] ?? anInvocation(run, 'n')])),
  )
  const begun = steps.map((step, index) =>
    moving(step, ['PENDING', 'RUNNING'], { actor: byRunner('a'), at: start + (index % 3) * 10 }),
  )
  // The second isn't what it is believed to be: it is looked at, and goes with the next call.
  await server.admin.hset('sagasmith:{p0}:r:r2', 'v/n', '1 other')
  await server.admin.config('RESETSTAT')
  expect(await store.commit(0, begun)).toEqual(begun.map(() => ({ kind: 'accepted' })))
  expect(await calls(server, 'evalsha')).toBe(2)
  const expected = [0, 0, 10, 20].map((ms) => String(start + ms + 300_000))
  expect(await server.admin.zrange('sagasmith:{p0}:leases', '0', '-1', 'WITHSCORES')).toEqual(
    ['r1/n', 'r4/n', 'r2/n', 'r3/n'].flatMap((id, index) => [id, expected[index]]),
  )
})

test('one checkpoint that writes more than a command takes, between others, leaves nothing out', async () => {
  const { store, server } = await aStore()
  const many = aRun({ name: 'many' })
  const few = aRun({ name: 'few' })
  const steps = Array.from({ length: 2_500 }, (_, index) => anInvocation(many, `n${index}`))
  const [own] = [anInvocation(few, 'n')]
  const starts = [starting(few, [own]), starting(many, steps)]
  const answers = await Promise.all([
    store.commit(0, starts),
    store.commit(0, [moving(own, ['PENDING', 'RUNNING'], { actor: byRunner('a') })]),
  ])
  expect(answers.flat()).toEqual(Array.from({ length: 3 }, () => ({ kind: 'accepted' })))
  expect(await server.admin.zcard('sagasmith:{p0}:w:REGISTERED')).toBe(steps.length)
  expect(await server.admin.zrange('sagasmith:{p0}:leases', '0', '-1')).toEqual([own.id])
})

test('what was written of a call that failed in the middle is in the sets, and in the history', async () => {
  const { store, server } = await aStore()
  const [first, second] = [aRun({ name: 'first' }), aRun({ name: 'second' })]
  // Nobody but a broken server, or a hand, brings that about.
  await server.admin.set('sagasmith:{p0}:g:second', 'not a list')
  const answers = await Promise.allSettled([
    store.commit(0, [starting(first, [anInvocation(first, 'n')])]),
    store.commit(0, [starting(second, [anInvocation(second, 'n')])]),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await server.admin.zrange('sagasmith:{p0}:w:REGISTERED', '0', '-1')).toContain('first/n')
  const head = await server.admin.hget('sagasmith:{p0}:head', 'seq')
  const [last] = await server.admin.xrevrange('sagasmith:{p0}:events', '+', '-', 'COUNT', 1)
  expect(last?.[0]).toBe(`1-${head}`)
})
