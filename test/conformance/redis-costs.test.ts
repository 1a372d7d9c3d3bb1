/** What a step costs the servers, by counts: scripts, commands inside them, and messages to others. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runId, storeId, workflowId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { RunStatus } from '../../src-engine/model/run-status.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import type { RedisServer } from '../support/redis-servers.ts'
import { startRedisServer } from '../support/redis-servers.ts'
import { accept, groupPage } from './scene.ts'
import { aClaim, anInvocation, aRun, byRunner, moving, movingRun, registering, starting } from './story.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function aServer(): Promise<RedisServer> {
  const server = await startRedisServer()
  cleanUps.push(server.kill)
  return server
}

const optionsOf = ({ host, port }: RedisServer) => ({
  nodes: [{ host, port }],
  storeId: storeId('s'),
  partitions: 4,
  clock: systemClock,
  writerId: randomUUID(),
})

async function anEngine(server: RedisServer): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-costs-'))
  cleanUps.push(() => rmSync(directory, { recursive: true }))
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const { engine, close } = await composeEngine({
    directory: dataDirectory(directory),
    clock: systemClock,
    log,
    store: await storeCatalogue.redis(optionsOf(server)),
    settings: engineSettings({}),
  })
  cleanUps.push(close)
  await engine.start()
  return engine
}

const start = { partition: 0, epoch: 0, seq: 0 }

const names = Array.from({ length: 10 }, (_, index) => `n${index}`)
const chainOf = (step: JsonObject) =>
  documentOf({
    nodes: Object.fromEntries(names.map((name) => [name, { kind: 'noop', ...step }])),
    edges: edgesOf(...names.slice(1).map((name, index) => `${names[index]}>${name}`)),
  })
/** Its steps do nothing, and wait for nothing. */
const pure = chainOf({})
/** Each waits for the commit that claims it. */
const acting = chainOf({ sideEffect: 'keyed' })

async function play(engine: Engine, document = pure): Promise<void> {
  const { runId } = await engine.startRun({ document, input: {}, requestId: null, baseDirectory: null })
  expect(await engine.waitForRun(runId)).toMatchObject({ status: 'SUCCEEDED' })
}

/** Calls of each command since the counts were reset. */
async function countsOf({ admin }: RedisServer): Promise<(name: string) => number> {
  const calls = new Map<string, number>()
  for (const [, name = '', count] of (await admin.info('commandstats')).matchAll(
    /^cmdstat_(\S+):calls=(\d+)/gm,
  )) {
    calls.set(name, Number(count))
  }
  return (name) => calls.get(name) ?? 0
}

test('a step that acts is one script of nine commands, and wakes nobody else', async () => {
  const server = await aServer()
  const [engine] = await Promise.all([anEngine(server), anEngine(server)])
  // The version is published, and both have looked at everything.
  await play(engine, acting)
  await server.admin.config('RESETSTAT')
  const runs = 10
  const began = performance.now()
  for (let count = 0; count < runs; count += 1) await play(engine, acting)
  // Which line of servers leads is asked ten times a second for each connection, however many steps there are.
  const asks = 4 + ((performance.now() - began) / 100) * 2
  const calls = await countsOf(server)
  const steps = runs * names.length
  // One for each step and one that begins the run; two processes renew and look now and then.
  expect(calls('evalsha') / steps).toBeLessThan(1.3)
  for (const [name, most] of [
    ['xadd', 1.15],
    ['rpush', 1.15],
    // The run with all that is in it, and the head.
    ['hset', 2.4],
    // The leases alone.
    ['zadd', 1.6],
    ['zrem', 1.6],
  ] as const) {
    expect(calls(name) / steps, name).toBeLessThan(most)
  }
  expect(calls('spublish') / steps).toBeLessThan(0.3)
  expect(calls('info')).toBeLessThanOrEqual(asks)
})

test('a run of steps that wait for nothing is one script, which counts and lists only what it comes to', async () => {
  const server = await aServer()
  const engine = await anEngine(server)
  await play(engine)
  await server.admin.config('RESETSTAT')
  const runs = 20
  for (let count = 0; count < runs; count += 1) await play(engine)
  const calls = await countsOf(server)
  for (const [name, most] of [
    // Now and then a process renews and looks.
    ['evalsha', 1.5],
    // The beginning, and all that follows.
    ['xadd', 2.3],
    ['rpush', 2.3],
    // With the head.
    ['hset', 3.6],
    // Its list, that of its workflow, and those that ended.
    ['zadd', 3.4],
    ['zrem', 2.4],
    // One more has succeeded: while it was under way nobody could look.
    ['hincrby', 1.1],
    ['hdel', 0.1],
    // Nobody looks at it before, or asks what came of it.
    ['hgetall', 0.3],
  ] as const) {
    expect(calls(name) / runs, name).toBeLessThan(most)
  }
})

test('steps of many runs share scripts, and the commands in them', async () => {
  const server = await aServer()
  const engine = await anEngine(server)
  await play(engine)
  await server.admin.config('RESETSTAT')
  const runs = 40
  await Promise.all(Array.from({ length: runs }, () => play(engine)))
  const calls = await countsOf(server)
  const steps = runs * names.length
  expect(calls('evalsha') / steps).toBeLessThan(0.5)
  for (const name of ['zadd', 'zrem']) expect(calls(name) / steps, name).toBeLessThan(1)
})

test('a step that comes from the queue is claimed, begun and ended by one unit, and isn’t read for that', async () => {
  const server = await aServer()
  const engine = await anEngine(server)
  // Nobody works for the pool that comes first, so none goes on where it is.
  const queued = chainOf({ route: { preferredPool: 'elsewhere' } })
  await play(engine, queued)
  await server.admin.config('RESETSTAT')
  const runs = 40
  await Promise.all(Array.from({ length: runs }, () => play(engine, queued)))
  const calls = await countsOf(server)
  const steps = runs * names.length
  for (const [name, most] of [
    // Its unit; a run's beginning is one, too.
    ['xadd', 1.2],
    // Of scripts: the run with the step, and the one that follows.
    ['hmget', 2.2],
    ['evalsha', 0.6],
  ] as const) {
    expect(calls(name) / steps, name).toBeLessThan(most)
  }
})

test('what was queued is found with the write that queued it, unless others have written since', async () => {
  const server = await aServer()
  // No time passes, however busy the machine is.
  const now = Date.now()
  const options = { ...optionsOf(server), clock: { ...systemClock, now: () => now } }
  const [store, other] = await Promise.all([
    openRedisStore(options),
    openRedisStore({ ...options, writerId: randomUUID() }),
  ])
  cleanUps.push(
    () => store.close(),
    () => other.close(),
  )
  const run = { ...aRun(), status: 'RUNNING' } as const
  await accept(store, starting(aRun(), [anInvocation(run, 'n')]))
  // It has looked, and so is going to.
  expect((await store.claim({ ...aClaim('a'), now })).claimed).toHaveLength(1)
  const found = await store.load(0, 'run', { runId: run.id })
  if (found === null) throw new Error('the run is there')
  await accept(store, registering(found, [anInvocation(run, 'o')]))
  const glance = () =>
    store.glance?.({ ...aClaim('a', { limit: 5 }), now })?.map(({ nodeId }) => nodeId) ?? null
  expect(glance()).toEqual(['o'])
  expect(glance()).toBeNull()

  await accept(store, registering({ ...found, version: found.version + 1 }, [anInvocation(run, 'p')]))
  expect(glance()).toEqual(['o', 'p'])
  await accept(store, registering({ ...found, version: found.version + 2 }, [anInvocation(run, 'q')]))
  // As soon as it is heard of.
  const heard = new Promise((resolve) =>
    store.watch(0, (origin) => origin === 'elsewhere' && resolve(null), 'news'),
  )
  await expect.poll(() => server.admin.call('PUBSUB', 'SHARDNUMSUB', 'sagasmith:{p0}:news')).toContain(1)
  await accept(other, registering({ ...found, version: found.version + 3 }, [anInvocation(run, 's')]))
  await heard
  expect(glance()).toBeNull()
})

test('runs of a workflow that has few are listed without a look at the others, whose number doesn’t matter', async () => {
  const server = await aServer()
  const store = await openRedisStore(optionsOf(server))
  cleanUps.push(() => store.close())
  const rare = workflowId('rare')
  await accept(store, starting(aRun({ name: 'first', workflowId: rare })))
  const others = Array.from({ length: 300 }, (_, index) => starting(aRun({ name: `other-${index}` })))
  await accept(store, ...others)
  await accept(store, starting(aRun({ name: 'last', workflowId: rare })))
  const list = async (statuses: readonly RunStatus[] | null, limit = 2) => {
    await server.admin.config('RESETSTAT')
    const filter = { statuses, workflowId: rare, includeCore: false }
    const runs = await store.list(0, 'runs', { filter, page: { after: null, limit } })
    const calls = await countsOf(server)
    return [runs.map(({ id }) => id), calls('zrange'), calls('hget') + calls('hmget')]
  }
  for (const statuses of [null, ['RUNNING'] as const]) {
    const [ids, ranges, reads] = await list(statuses)
    expect(ids).toEqual(['last', 'first'])
    expect(ranges).toBe(1)
    expect(reads).toBeLessThanOrEqual(2)
  }
  expect((await list(['FAILED']))[0]).toEqual([])
  expect((await list(['FAILED']))[1]).toBe(0)

  // Of a status that few have, those are looked through instead, whatever their workflow.
  const first = await store.load(0, 'run', { runId: runId('first') })
  if (first === null) throw new Error('the run is there')
  await accept(store, movingRun(first, 'PAUSED'))
  expect(await list(['PAUSED'])).toEqual([['first'], 1, expect.any(Number)])

  // A list that isn't whole, as it is where runs are older than it, is not believed.
  await server.admin.zrem('sagasmith:{p0}:runs-of:rare', 'first')
  expect((await list(null))[0]).toEqual(['last', 'first'])
})

test('what is claimed, done and ended is no news; what becomes available is', async () => {
  const server = await aServer()
  const store = await openRedisStore(optionsOf(server))
  cleanUps.push(() => store.close())
  const run = aRun()
  const work = anInvocation(run, 'n')
  await accept(store, starting(run, [work]))
  const told = async () => [
    (await countsOf(server))('spublish'),
    await server.admin.hget('sagasmith:{p0}:head', 'told'),
  ]
  expect(await told()).toEqual([1, '3'])
  const { claimed } = await store.claim(aClaim('a'))
  const [record = work] = claimed.map(({ invocation }) => invocation)
  await accept(store, moving(record, ['RUNNING', 'SUCCESS'], { actor: byRunner('a') }))
  expect(await told()).toEqual([1, '3'])
})

test('what a process queued itself it claims without reading it again, and what others did with it all the same', async () => {
  const server = await aServer()
  const [store, other] = await Promise.all([
    openRedisStore(optionsOf(server)),
    openRedisStore(optionsOf(server)),
  ])
  cleanUps.push(
    () => store.close(),
    () => other.close(),
  )
  const run = aRun()
  await accept(store, starting(run, [anInvocation(run, 'n'), anInvocation(run, 'o')]))
  await server.admin.config('RESETSTAT')
  const { claimed } = await store.claim(aClaim('a', { limit: 2 }))
  expect(claimed.map(({ invocation }) => invocation.nodeId)).toEqual(['n', 'o'])
  // Of the script: its head, and both records with their run.
  expect((await countsOf(server))('hmget')).toBe(3)

  const [mine] = claimed.map(({ invocation }) => invocation)
  if (mine === undefined) throw new Error('it was claimed')
  await accept(store, moving(mine, ['REROUTED'], { actor: byRunner('a') }))
  const [theirs] = (await other.claim(aClaim('b'))).claimed.map(({ invocation }) => invocation)
  if (theirs === undefined) throw new Error('the other claimed it')
  await accept(other, moving(theirs, ['REROUTED'], { actor: byRunner('b') }))
  const [again] = (await store.claim(aClaim('a'))).claimed.map(({ invocation }) => invocation)
  expect(again).toMatchObject({ id: mine.id, version: theirs.version + 2, lease: { runnerId: 'a' } })
})

test('a run is written again where more than its version has changed', async () => {
  const server = await aServer()
  const store = await openRedisStore(optionsOf(server))
  cleanUps.push(() => store.close())
  const run = aRun({ input: { kind: 'inline', json: JSON.stringify('x'.repeat(2_000)) } })
  await accept(store, starting(run))
  const text = async () => await server.admin.hget('sagasmith:{p0}:r:r1', 'R')
  const [begun, found] = [await text(), await store.load(0, 'run', { runId: run.id })]
  if (found === null) throw new Error('the run is there')
  await accept(store, registering(found, [anInvocation(run, 'a')]))
  await server.admin.config('RESETSTAT')
  await accept(store, registering({ ...found, version: found.version + 1 }, [anInvocation(run, 'b')]))
  const stats = await server.admin.info('stats')
  // Its input alone has as many bytes.
  expect(Number(/total_net_input_bytes:(\d+)/.exec(stats)?.[1])).toBeLessThan(2_000)
  // Who reads it anew, by whichever way, finds the version that it has.
  const other = await openRedisStore(optionsOf(server))
  cleanUps.push(() => other.close())
  const now = { ...found, version: found.version + 2 }
  expect(await other.load(0, 'run', { runId: run.id })).toEqual(now)
  await accept(other, movingRun(now, 'PAUSED'))
  expect(await text()).not.toBe(begun)
  expect(await store.load(0, 'run', { runId: run.id })).toMatchObject({
    status: 'PAUSED',
    version: now.version + 1,
  })
})

test('who follows events is told of each write, and says so again before writers forget it', async () => {
  const server = await aServer()
  const [writer, reader] = await Promise.all([
    openRedisStore(optionsOf(server)),
    openRedisStore(optionsOf(server)),
  ])
  cleanUps.push(() => Promise.all([writer.close(), reader.close()]))
  let heard = 0
  reader.watch(0, () => (heard += 1), 'events')
  const subscribed = async () => await server.admin.call('PUBSUB', 'SHARDNUMSUB', 'sagasmith:{p0}:hints')
  await expect.poll(subscribed).toEqual(['sagasmith:{p0}:hints', 1])
  expect(Number(await server.admin.hget('sagasmith:{p0}:head', 'follow'))).toBeGreaterThan(Date.now() * 1_000)
  // A run without work is news to nobody else.
  await accept(writer, starting(aRun()))
  await expect.poll(() => heard).toBeGreaterThan(0)
  expect((await countsOf(server))('spublish')).toBe(1)
})

test('who follows a long run reads what is new of it, however long it is', async () => {
  const server = await aServer()
  const store = await openRedisStore(optionsOf(server))
  cleanUps.push(() => store.close())
  const run = aRun({ name: 'long' })
  const begun = { ...run, status: 'RUNNING', startedAt: run.createdAt } as const
  const register = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      registering({ ...begun, version: run.version + from + index }, [anInvocation(run, `n${from + index}`)]),
    )
  await accept(store, starting(run), ...register(0, 600))
  const [last] = (await groupPage(store, { after: start, runId: run.id, limit: 10_000 })).groups.slice(-1)
  const after = { ...start, epoch: last?.epoch ?? 0, seq: last?.seq ?? 0 }
  await accept(store, ...register(600, 603))
  await server.admin.config('RESETSTAT')
  const { groups } = await groupPage(store, { after, runId: run.id, limit: 1_000 })
  const calls = await countsOf(server)
  expect(groups).toHaveLength(3)
  // Where to begin is found from the end; each group is an entry.
  expect([calls('llen'), calls('lindex'), calls('lrange'), calls('xrange')]).toEqual([1, 4, 1, 3])
})

test('a line that nobody stands in is one command, whoever might stand there', async () => {
  const server = await aServer()
  const store = await openRedisStore(optionsOf(server))
  cleanUps.push(() => store.close())
  await server.admin.config('RESETSTAT')
  expect(await store.load(0, 'permitWaiters', { key: 'lamp', limit: 10 })).toEqual({
    invocations: [],
    runs: [],
  })
  const calls = await countsOf(server)
  expect([calls('zmscore'), calls('zrange')]).toEqual([1, 0])
})

test('a store of another form is refused', async () => {
  const server = await aServer()
  const store = await openRedisStore(optionsOf(server))
  cleanUps.push(() => store.close())
  await server.admin.hset('sagasmith:{p0}:head', 'format', 2)
  await expect(openRedisStore(optionsOf(server))).rejects.toMatchObject({ code: 'redis_store_old' })
  await server.admin.hset('sagasmith:{p0}:head', 'format', 4)
  await expect(openRedisStore(optionsOf(server))).rejects.toMatchObject({ code: 'store_too_new' })
})
