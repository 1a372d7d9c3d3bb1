/** What a Redis server can do to a store, and what the store makes of it: one server, real time. */

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runId, storeId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { createRunViews } from '../../src-engine/runtime/run-views.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import type { RedisOptions, RedisRollback } from '../../src-engine/store/redis/redis-options.ts'
import { openAccess } from '../../src-engine/store/redis/redis-options.ts'
import { openRedisStore } from '../../src-engine/store/redis/redis-store.ts'
import { openRenewer } from '../../src-engine/store/renewer.ts'
import type { RedisServer } from '../support/redis-servers.ts'
import { freePort, startRedisServer } from '../support/redis-servers.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { accept, allEvents, commit, theInvocation, theRun, verifyHistory } from './scene.ts'
import { aClaim, anInvocation, aRun, aRunner, movingRun, start, starting } from './story.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function aServer(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const server = await startRedisServer(settings)
  cleanUps.push(server.kill)
  return server
}

async function aStore(port: number, set: Partial<RedisOptions> = {}): Promise<RawStore> {
  const store = await openRedisStore({
    nodes: [{ host: '127.0.0.1', port }],
    storeId: storeId('s'),
    partitions: 2,
    clock: systemClock,
    writerId: randomUUID(),
    ...set,
  })
  cleanUps.push(() => store.close())
  return store
}

const run = aRun()
const named = (name: string) => starting(aRun({ name }))

test('a node that has forgotten the scripts is given them again', async () => {
  const server = await aServer()
  const store = await aStore(server.port)
  await accept(store, named('a'))
  await server.admin.script('FLUSH')
  await accept(store, named('b'))
  expect(await allEvents(store)).toHaveLength(4)
  await verifyHistory(store)
})

test('a write whose answer was lost is there once, and its caller is told so', async () => {
  const server = await aServer()
  const proxy = await startProxy(server.port)
  cleanUps.push(proxy.close)
  const store = await aStore(proxy.port, { commandMs: 200 })
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  proxy.swallowAnswers()
  await accept(store, movingRun(await theRun(await aStore(server.port), run.id), 'PAUSED'))
  proxy.swallowAnswers()
  await accept(store, movingRun(await theRun(await aStore(server.port), run.id), 'RUNNING'))
  proxy.swallowAnswers()
  const { claimed } = await store.claim(aClaim('a'))
  expect(claimed).toHaveLength(1)
  expect((await allEvents(store)).map(({ body }) => body.type)).toEqual([
    'run.created',
    'run.changed',
    'invocation.registered',
    'run.changed',
    'run.changed',
    'invocation.changed',
  ])
  await verifyHistory(store)
})

test('a connection that is cut is made again', async () => {
  const server = await aServer()
  const proxy = await startProxy(server.port)
  cleanUps.push(proxy.close)
  const store = await aStore(proxy.port)
  await accept(store, named('a'))
  proxy.cut()
  await accept(store, named('b'))
  expect((await theRun(store, aRun({ name: 'b' }).id)).status).toBe('RUNNING')
})

test('a server that is away is told as unreachable after some patience; when it is back work goes on', async () => {
  const server = await aServer({ appendonly: 'yes', appendfsync: 'always' })
  const store = await aStore(server.port, { patienceMs: 100 })
  await accept(store, named('a'))
  server.process.kill('SIGKILL')
  await expect(commit(store, named('b'))).rejects.toMatchObject({
    code: 'redis_unreachable',
    retryable: true,
  })
  await server.restart()
  await accept(store, named('c'))
  await verifyHistory(store)
})

test('a wrong password is told as such; a rotated one is used without a restart', async () => {
  const server = await aServer()
  await server.admin.config('SET', 'requirepass', 'first')
  let password = 'wrong'
  const access = { ...openAccess, password: async () => password }
  await expect(aStore(server.port, { access })).rejects.toMatchObject({ code: 'redis_auth_failed' })
  password = 'first'
  const store = await aStore(server.port, { access })
  await accept(store, named('a'))
  await server.admin.config('SET', 'requirepass', 'second')
  await server.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
  password = 'second'
  await accept(store, named('b'))
})

test('what the user may not do is told as such', async () => {
  const server = await aServer()
  await server.admin.call('ACL', 'SETUSER', 'reader', 'on', '>pass', '~*', '&*', '+@all', '-@write')
  await aStore(server.port)
  const access = { ...openAccess, username: 'reader', password: async () => 'pass' }
  const store = await aStore(server.port, { access })
  await expect(commit(store, named('a'))).rejects.toMatchObject({ code: 'redis_not_permitted' })
})

test('the documented rights are enough for everything', async () => {
  const server = await aServer()
  const rights = /ACL SETUSER sagasmith ([^`]*)/.exec(readFileSync('docs/redis.md', 'utf8'))?.[1] ?? ''
  await server.admin.call('ACL', 'SETUSER', 'sagasmith', ...rights.trim().split(/\s+/))
  const access = { ...openAccess, username: 'sagasmith', password: async () => 'PASSWORD' }
  const store = await aStore(server.port, { access })
  await playEverything(store)
  const log = (await server.admin.call('ACL', 'LOG')) as readonly unknown[]
  expect(log).toEqual([])
  await expect(aStore(server.port, { access, prefix: 'another' })).rejects.toMatchObject({
    code: 'redis_not_permitted',
  })
})

/** Each operation once. */
async function playEverything(store: RawStore): Promise<void> {
  store.watch(0, () => undefined)
  const take = [{ key: 'k', holder: 'h', limit: 1, expiresAt: null }]
  const work = anInvocation(run, 'n')
  await accept(store, starting(run, [work]))
  const { claimed } = await store.claim(aClaim('a'))
  await store.renew({ partition: 0, runner: aRunner('a'), leases: leasesOf(claimed), expiresAt: start })
  await store.takeSlots(0, { takes: take, at: start })
  await store.releaseSlots(0, take)
  const page = { after: null, limit: 9 }
  await store.listDue({ partition: 0, now: start, limit: 9 })
  await store.listExpired({ partition: 0, now: start, deadRunners: [aRunner('a').id], limit: 9 })
  await store.list(0, 'registers', { filter: { prefix: '' }, page })
  await store.list(0, 'permits', { filter: { prefix: '' }, page })
  await store.list(0, 'work', { filter: { statuses: ['PENDING'], pool: null }, page })
  await store.load(0, 'runByRequest', { requestId: 'r' })
  await store.load(0, 'workCounts', { what: 'owned' })
  await store.load(0, 'permitWaiters', { key: 'k', limit: 1 })
  const hash = await store.putBlob(new Uint8Array(700_000))
  expect((await store.getBlob(hash)).byteLength).toBe(700_000)
  await accept(store, movingRun(await theRun(store, run.id), 'CANCELLED'))
  await verifyHistory(store)
  const blobsBefore = systemClock.now() + 60_000
  const all = { partition: 0, endedBefore: null, keep: 0, blobsBefore, limit: 9 }
  expect(await store.prune(all)).toEqual({ runs: 1, blobs: 1, more: false })
}

test('a server that speaks no TLS is told as such, and never spoken to in plain text', async () => {
  const server = await aServer()
  const access = { ...openAccess, tls: { ca: null, serverName: null } }
  const impatient = { access, commandMs: 200, patienceMs: 100 }
  await expect(aStore(server.port, impatient)).rejects.toMatchObject({
    code: 'redis_tls_unanswered',
    retryable: true,
  })
})

test('a certificate counts when its authority is the connection’s own', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-tls-'))
  cleanUps.push(async () => rmSync(directory, { recursive: true }))
  const at = (name: string) => join(directory, name)
  for (const name of ['own', 'other']) {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
      stdio: 'ignore',
    })
  }
  const port = await freePort()
  await aServer({
    'tls-port': String(port),
    'tls-cert-file': at('own.crt'),
    'tls-key-file': at('own.key'),
    'tls-ca-cert-file': at('own.crt'),
    'tls-auth-clients': 'no',
  })
  const trusting = (name: string) => {
    const tls = { ca: readFileSync(at(`${name}.crt`), 'utf8'), serverName: null }
    return { access: { ...openAccess, tls } }
  }
  const store = await aStore(port, trusting('own'))
  await accept(store, named('a'))
  await expect(aStore(port, trusting('other'))).rejects.toMatchObject({ code: 'redis_tls_failed' })
})

test('a server that may throw data away is refused', async () => {
  const server = await aServer({ 'maxmemory-policy': 'allkeys-lru' })
  await expect(aStore(server.port)).rejects.toMatchObject({ code: 'redis_may_evict' })
})

test('a full server refuses whole, and goes on when it has room', async () => {
  const server = await aServer()
  const store = await aStore(server.port)
  await server.admin.config('SET', 'maxmemory', '1')
  await expect(commit(store, named('a'))).rejects.toMatchObject({
    code: 'redis_out_of_memory',
    retryable: true,
  })
  await server.admin.config('SET', 'maxmemory', '0')
  await accept(store, named('a'))
  await verifyHistory(store)
})

test('a server that takes no writes is told as such', async () => {
  const server = await aServer()
  const store = await aStore(server.port, { patienceMs: 50 })
  await server.admin.config('SET', 'min-replicas-to-write', '1')
  await expect(commit(store, named('a'))).rejects.toMatchObject({ code: 'redis_read_only' })
  await server.admin.config('SET', 'min-replicas-to-write', '0')
  await accept(store, named('a'))
})

test('an emptied server is never taken for a new store', async () => {
  const server = await aServer()
  const store = await aStore(server.port)
  await accept(store, named('a'))
  await server.admin.flushall()
  await expect(commit(store, named('b'))).rejects.toMatchObject({ code: 'redis_store_missing' })
  await expect(
    store.renew({ partition: 0, runner: aRunner('r'), leases: [], expiresAt: 1 }),
  ).rejects.toMatchObject({ code: 'redis_store_missing' })
  await expect(aStore(server.port, { knownBefore: true })).rejects.toMatchObject({
    code: 'redis_store_missing',
  })
})

test('a partition that is gone from an opened store is told, and not made again', async () => {
  const server = await aServer()
  await aStore(server.port)
  await server.admin.del('sagasmith:{p1}:head')
  await expect(aStore(server.port)).rejects.toMatchObject({ code: 'redis_store_missing' })
})

test('a store that is known by its id is not taken for another', async () => {
  const server = await aServer()
  const store = await aStore(server.port)
  await server.admin.hset('sagasmith:{p0}:head', 'id', 'another')
  await expect(commit(store, named('a'))).rejects.toMatchObject({ code: 'redis_store_other' })
})

test('a partition that went back begins a new epoch, with all that was told before still in order', async () => {
  const server = await aServer()
  const lost: RedisRollback[] = []
  const store = await aStore(server.port, { onRollback: (rollback) => lost.push(rollback) })
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  const head = await server.admin.hgetall('sagasmith:{p0}:head')
  const copy = await server.admin.dumpBuffer('sagasmith:{p0}:r:r1')
  const paused = movingRun(await theRun(store, run.id), 'PAUSED')
  await accept(store, paused)
  // The newest write is gone, as after a failover to a replica that never had it.
  await server.admin.restore('sagasmith:{p0}:r:r1', 0, copy, 'REPLACE')
  await server.admin.xdel('sagasmith:{p0}:events', '1-4')
  await server.admin.rpop('sagasmith:{p0}:g:r1')
  await server.admin.hset('sagasmith:{p0}:head', head)
  await accept(store, movingRun(await theRun(store, run.id), 'WAITING'))
  expect(lost).toEqual([{ partition: 0, from: 4, to: 3 }])
  expect(store.info.epochs[0]).toBe(2)
  expect((await allEvents(store)).map(({ epoch, seq }) => `${epoch}/${seq}`)).toEqual([
    '1/1',
    '1/2',
    '1/3',
    '2/1',
    '2/2',
  ])
  await verifyHistory(store)
  const { claimed } = await store.claim(aClaim('a'))
  expect(claimed[0]?.invocation.fence).toEqual({ epoch: 2, counter: 1 })
})

test('who has seen less than was lost gives no number out again', async () => {
  const server = await aServer()
  const [ahead, behind] = [await aStore(server.port), await aStore(server.port)]
  const reader = await aStore(server.port)
  await accept(ahead, named('a~p0'))
  const head = await server.admin.hgetall('sagasmith:{p0}:head')
  await accept(ahead, named('lost'))
  // A replica that never had the newest write leads now, and the other store never saw it either.
  await server.admin.xdel('sagasmith:{p0}:events', '1-4')
  await server.admin.hset('sagasmith:{p0}:head', { ...head, line: 'another' })
  await accept(behind, named('b'))
  const places = (await allEvents(behind)).map(({ epoch, seq }) => `${epoch}/${seq}`)
  expect(places).toEqual(['1/1', '1/2', '2/1', '2/2', '2/3'])
  const query = { after: { partition: 0, epoch: 0, seq: 0 }, runId: null, until: 1, limit: 9 }
  const seen = (await reader.readEvents(query)).map(({ epoch, seq }) => `${epoch}/${seq}`)
  expect(seen, 'who only reads knows of the epoch, too').toEqual(['1/1', '1/2', '2/1'])
  const { run: first } = await createRunViews(behind).snapshot(runId('a~p0'))
  expect(first.status, 'what was told in an older epoch is part of the story').toBe('RUNNING')
})

test('another thread renews the leases of a store, each in its partition', async () => {
  const server = await aServer()
  const store = await aStore(server.port)
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  const now = systemClock.now()
  const { claimed } = await store.claim(aClaim('a', { now, ttlMs: 60_000 }))
  const leases = leasesOf(claimed)
  const { renewer: address } = store.info
  if (address === null || address.kind !== 'redis')
    throw new Error('A Redis store can be renewed from elsewhere.')
  const renewer = await openRenewer({ ...address, partitions: 1 }, systemClock)
  const expiresAt = now + 600_000
  expect(await renewer.renew({ runner: aRunner('a'), leases, expiresAt })).toEqual([])
  expect(await renewer.renew({ runner: aRunner('b'), leases, expiresAt })).toEqual(['r1/n'])
  renewer.close()
  const lease = (await theInvocation(store, anInvocation(run, 'n').id)).lease
  // Two clocks of one machine, read one after the other.
  expect(Math.abs((lease?.expiresAt ?? 0) - expiresAt)).toBeLessThan(10_000)
})

test('leases run out by the server’s clock, whatever a runner’s says', async () => {
  const server = await aServer()
  const hour = 3_600_000
  const late = { ...systemClock, now: () => systemClock.now() + hour }
  const [right, wrong] = [await aStore(server.port), await aStore(server.port, { clock: late })]
  await accept(right, starting(run, [anInvocation(run, 'n'), anInvocation(run, 'm')]))
  const { claimed } = await right.claim(aClaim('a', { now: systemClock.now(), ttlMs: 60_000, limit: 1 }))
  await wrong.claim(aClaim('b', { now: late.now(), ttlMs: 60_000, limit: 1 }))
  const expired = (store: RawStore, now: number) =>
    store.listExpired({ partition: 0, now, deadRunners: [], limit: 9 })
  expect(await expired(wrong, late.now())).toEqual([])
  expect(await expired(right, systemClock.now() + hour)).toEqual([])
  const leases = leasesOf(claimed)
  await right.renew({ partition: 0, runner: aRunner('a'), leases, expiresAt: systemClock.now() - 1 })
  expect((await expired(wrong, 0)).map(({ id }) => id)).toEqual(['r1/m'])
})

test('a lease that nobody renewed looks the same each time, however long the server takes to tell its time', async () => {
  const server = await aServer()
  let late = 0
  const clock = { ...systemClock, now: () => systemClock.now() + (late += 7) }
  const store = await aStore(server.port, { clock })
  await accept(store, starting(run, [anInvocation(run, 'n')]))
  await store.claim(aClaim('a', { now: systemClock.now(), ttlMs: 60_000 }))
  const seen = new Set<number | undefined>()
  for (let count = 0; count < 5; count += 1) {
    seen.add((await theInvocation(store, anInvocation(run, 'n').id)).lease?.expiresAt)
  }
  expect(seen.size).toBe(1)
})

const leasesOf = (claimed: readonly { readonly invocation: InvocationRecord }[]) =>
  claimed.map(({ invocation: { id, fence } }) => {
    return { invocationId: id, fence: fence ?? { epoch: 0, counter: 0 } }
  })

test('who watches is told at once of what others commit, also behind a connection that was cut', async () => {
  const server = await aServer()
  const [writer, watcher] = [await aStore(server.port), await aStore(server.port, { clock: stillClock })]
  const origins: string[] = []
  watcher.watch(0, (origin) => origins.push(origin))
  const heard = () => expect.poll(() => origins).toContain('elsewhere')
  const subscribed = async () =>
    ((await server.admin.call('PUBSUB', 'SHARDNUMSUB', channel)) as [string, number])[1]
  await expect.poll(subscribed).toBe(1)
  await accept(writer, named('a'))
  await heard()
  origins.length = 0
  await server.admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  watcher.watch(0, () => undefined)
  await expect
    .poll(async () => {
      watcher.watch(0, () => undefined)()
      return subscribed()
    })
    .toBe(1)
  await accept(writer, named('b'))
  await heard()
})

const channel = 'sagasmith:{p0}:hints'
/** Nothing is looked for by time: what is told comes by a message. */
const stillClock: RedisOptions['clock'] = { now: () => start, after: () => () => undefined }
