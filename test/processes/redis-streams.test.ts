/** Streams of real Redis servers, alone and in a cluster, that triggers of runners read while these are killed. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { redisStreams } from '../../src-engine/runtime/streams/redis-streams.ts'
import type { StreamPlace } from '../../src-engine/runtime/streams/stream-access.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import { redisStreamSpec } from '../../src-engine/triggers/redis-stream/spec.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import type { RedisCluster, RedisServer } from '../support/redis-servers.ts'
import { startRedisCluster, startRedisServer } from '../support/redis-servers.ts'
import { openLook } from './cluster-look.ts'
import { boundOfLists, startRunner } from './runner-processes.ts'
import { sagasmithGiven } from './sagasmith.ts'

const loopback = '127.0.0.1'
const canary = 'canary-pa55word-of-the-stream'

/** With a password, or nobody asked for one; the test's own connection is in. */
async function newServer(password = ''): Promise<RedisServer> {
  const server = await startRedisServer()
  onTestFinished(() => server.kill())
  await server.admin.config('SET', 'requirepass', password)
  return server
}

async function newCluster(): Promise<RedisCluster> {
  const cluster = await startRedisCluster()
  onTestFinished(cluster.stop)
  return cluster
}

const addressOf = ({ servers }: RedisCluster): string =>
  `redis://${servers.map(({ host, port }) => `${host}:${port}`).join(',')}`

function placeOf(port: number, more: JsonObject = {}, password = ''): StreamPlace {
  const given = { host: loopback, port, tls: 'off', stream: 'orders', ...more }
  const parameters = redisStreamSpec.parameters.parse(given)
  return { parameters, password, secrets: null, approvedHosts: [loopback], allowedHosts: null }
}

const connect = (place: StreamPlace) => {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  return redisStreams().connect(place, stop.signal)
}

/** Adds entries as another program would, on whichever server has the stream. */
async function add(servers: readonly RedisServer[], numbers: readonly number[]): Promise<void> {
  for (const { admin } of servers) {
    try {
      for (const n of numbers) await admin.call('XADD', 'orders', '*', 'n', n)
      return
    } catch (thrown) {
      if (!/^(MOVED|READONLY)/.test((thrown as Error).message)) throw thrown
    }
  }
  throw new Error('no server has the stream')
}

test('a group hands out what is added, and again what wasn’t acknowledged', async () => {
  const { port, admin } = await newServer()
  const connection = await connect(placeOf(port))
  await connection.makeGroup('$')
  await connection.makeGroup('0')
  expect(await connection.read({ count: 10, waitMs: 1 })).toEqual([])
  const waiting = connection.read({ count: 10, waitMs: 30_000 })
  await admin.call('XADD', 'orders', '1-1', 'a', 'b', 'ü', '')
  const fields = [
    ['a', 'b'],
    ['ü', ''],
  ]
  const first = { id: '1-1', fields }
  expect(await waiting).toEqual([first])
  await admin.call('XADD', 'orders', '1-2', 'a', 'c')
  const [second] = await connection.read({ count: 10, waitMs: 0 })
  expect(await connection.own({ after: '0', count: 1 })).toEqual([first])
  expect(await connection.own({ after: '1-1', count: 5 })).toEqual([second])
  await connection.acknowledge(['1-1'])
  await admin.call('XDEL', 'orders', '1-2')
  expect(await connection.own({ after: '0', count: 5 })).toEqual([{ id: '1-2', fields: null }])
  await admin.call('XADD', 'orders', '1-3', 'a', 'd')
  await admin.call('XREADGROUP', 'GROUP', 'sagasmith', 'other', 'STREAMS', 'orders', '>')
  expect(await connection.claim({ idleMs: 0, count: 10, from: '0-0' })).toEqual({
    entries: [{ id: '1-3', fields: [['a', 'd']] }],
    next: '0-0',
  })
  connection.close()
  await expect(connection.read({ count: 1, waitMs: 0 })).rejects.toMatchObject({ code: 'connection_failed' })
})

test('what keeps a stream from being read is told by its kind', async () => {
  const { port, admin } = await newServer(canary)
  const auth = { kind: 'password', user: '', secret: 'stream' }
  const refused = (place: StreamPlace) =>
    connect(place).then(
      () => null,
      (thrown: unknown) => thrown,
    )
  for (const password of ['', 'wrong'])
    expect(await refused(placeOf(port, password === '' ? {} : { auth }, password))).toMatchObject({
      code: 'sign_in_refused',
    })
  const elsewhere = { ...placeOf(port), approvedHosts: [] }
  expect(await refused(elsewhere)).toMatchObject({ code: 'http_address_denied' })
  const vouched = { ...placeOf(port), allowedHosts: ['redis.example.com'] }
  expect(await refused(vouched)).toMatchObject({ code: 'host_not_allowed' })
  expect(await refused(placeOf(1))).toMatchObject({ code: 'connection_failed' })
  const connection = await connect(placeOf(port, { auth }, canary))
  await expect(connection.read({ count: 1, waitMs: 0 })).rejects.toMatchObject({
    code: 'stream_group_missing',
    details: { stream: 'orders', group: 'sagasmith' },
  })
  await admin.call('SET', 'orders', 'a text')
  await expect(connection.makeGroup('0')).rejects.toMatchObject({ code: 'redis_command_refused' })
})

test('in a cluster any server leads to the one that has the stream, if the workflow may go there', async () => {
  const cluster = await newCluster()
  await add(cluster.servers, [1])
  for (const { port } of cluster.servers) {
    const connection = await connect(placeOf(port))
    await connection.makeGroup('0')
    connection.close()
  }
  const owner = await Promise.all(
    cluster.servers.map(({ admin }) =>
      admin.call('EXISTS', 'orders').then(
        () => true,
        () => false,
      ),
    ),
  )
  const other = cluster.servers[owner.indexOf(false)]
  if (other === undefined) throw new Error('every server has the stream')
  const narrow = { ...placeOf(other.port), approvedHosts: [`${loopback}:${other.port}`] }
  await expect(connect(narrow)).rejects.toMatchObject({ code: 'http_address_denied' })
})

/** Two runners read 60 entries while they are added; the one that reads is killed. Answers how many started a run. */
async function readWhileKilled(given: {
  readonly store: RedisCluster
  readonly servers: readonly RedisServer[]
  readonly parameters: JsonObject
}): Promise<number> {
  const address = addressOf(given.store)
  const data = temporaryFolder()
  const settings = loadSettings({ flags: { data }, environment: {} }).values
  const vault = openVault({ directory: dataDirectory(data), settings, clock: systemClock })
  await vault.set({ name: 'stream', value: canary, nodes: null })
  const file = join(data, 'streams.json')
  const document = {
    nodes: { a: { kind: 'noop' } },
    capabilities: { hosts: [loopback] },
    triggers: {
      orders: {
        kind: 'redis-stream',
        parameters: { host: loopback, tls: 'off', stream: 'orders', startAt: '0', ...given.parameters },
      },
    },
  }
  writeFileSync(file, JSON.stringify(documentOf(document)))
  const around = { SAGASMITH_DATA: data }
  const first = await startRunner(address, ['--streams'], around)
  const said = await sagasmithGiven(data, ['push', file, '--cluster', address, '--yes'])
  expect(said.code, said.text).toBe(0)
  const list = await openLook(data, address)
  const runs = async (): Promise<number> => (await list()).length
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
  await add(given.servers, numbers(0, 20))
  await expect.poll(runs, boundOfLists).toBe(20)
  const second = await startRunner(address, ['--streams'], around)
  const adding = add(given.servers, numbers(20, 60))
  first.child.kill('SIGKILL')
  await adding
  await expect.poll(runs, boundOfLists).toBe(60)
  // The id of a run names the request that it is of, which ends with the entry's id.
  const entries = (await list()).map(({ run }) => /(\d+-\d+)~p\d+$/.exec(run.id)?.[1])
  expect(entries).not.toContain(undefined)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  return new Set(entries).size
}

test('a runner that is killed while it reads leaves no entry out and starts none twice; its password stays in the vault', async () => {
  const [store, server] = await Promise.all([newCluster(), newServer(canary)])
  const auth = { kind: 'password', user: '', secret: 'stream' }
  const parameters = { port: server.port, auth }
  expect(await readWhileKilled({ store, servers: [server], parameters })).toBe(60)
  for (const { admin } of store.servers) {
    // Replicas have the same, and send whoever asks them elsewhere.
    if ((await admin.role())[0] !== 'master') continue
    for (const key of await admin.keys('*')) {
      const dumped = await admin.dumpBuffer(key)
      expect(dumped.includes(canary), key).toBe(false)
    }
  }
})

test('the same where the stream is in a cluster', async () => {
  const store = await newCluster()
  const [any] = store.servers
  if (any === undefined) throw new Error('the cluster has no servers')
  const parameters = { port: any.port }
  expect(await readWhileKilled({ store, servers: store.servers, parameters })).toBe(60)
})
