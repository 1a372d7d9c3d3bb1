/**
 * Redis servers of our own on the loopback: one alone, or a cluster of masters and replicas. Each has a random
 * port and a folder that goes with it; only what was started here is ever ended. A machine without redis-server
 * fails, with words.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** One server process. */
export interface RedisServer {
  readonly host: string
  readonly port: number
  readonly process: ChildProcess
  /** A connection of the test's own, for what no store does. */
  readonly admin: Redis
  /** Ends the process at once and waits for its end. */
  readonly kill: () => Promise<void>
  /** Starts it again on its port, with its folder. */
  readonly restart: () => Promise<void>
}

export interface RedisServers {
  readonly servers: readonly RedisServer[]
  readonly stop: () => Promise<void>
}

export interface RedisCluster extends RedisServers {
  /** A further master, without any slot, and its replica in step. */
  readonly grow: () => Promise<ServerPair>
}

/** A master and its replica. */
export interface ServerPair {
  readonly master: RedisServer
  readonly replica: RedisServer
}

const loopback = '127.0.0.1'
/** For the setting `aclfile`, in each server's own folder. */
export const usersFile = 'users.acl'
/** A process boundary: polled for, and never for longer. */
const patienceMs = 60_000

/** Polls until it holds. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It never came true: ${what}.`)
    await pause(25)
  }
}

/**
 * A port that is free together with the one of the cluster's bus, 10,000 above, and that nobody in this process
 * has been given. Neither is among those that a system gives to whoever connects, from 32,768 on.
 */
export async function freePort(host = loopback): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 12_000 + Math.floor(Math.random() * 10_000)
    const place = `${host}:${port}`
    if (given.has(place)) continue
    given.add(place)
    if ((await isFree(host, port)) && (await isFree(host, port + 10_000))) return port
  }
  throw new Error('There is no free port for a Redis server.')
}

/** What servers start on together they must not have drawn together. */
const given = new Set<string>()

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, host, () => probe.close(() => resolve(true)))
  })

const started = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Asked for once: six servers make a cluster. */
let isInstalled = false

function requireServer(): void {
  isInstalled ||= spawnSync('redis-server', ['--version']).status === 0
  if (isInstalled) return
  throw new Error(
    'redis-server is not installed, and the tests of the Redis store need it: sudo apt-get install redis-server.',
  )
}

/** Starts one server with these settings, each as `--name value`; it listens at that host alone. */
export async function startRedisServer(
  settings: Readonly<Record<string, string>> = {},
  host = loopback,
): Promise<RedisServer> {
  requireServer()
  const port = await freePort(host)
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-redis-'))
  // Servers whose users are to outlive them keep them here; they want the file to be there.
  writeFileSync(join(directory, usersFile), '')
  // Nodes of a cluster know each other by where they speak from, which for neighbours would be anybody's address.
  const place = { bind: host, 'bind-source-addr': host, port: String(port), dir: directory }
  const all = { ...place, save: '', appendonly: 'no', ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
  const admin = new Redis({
    host,
    port,
    lazyConnect: true,
    retryStrategy: (times) => Math.min(times * 5, 50),
  })
  // Every failed try to connect is told here; `until` below tries again.
  admin.on('error', () => undefined)
  let child = launch(args)
  const server = {
    host,
    port,
    admin,
    get process() {
      return child
    },
    async kill() {
      await ended(child)
      admin.disconnect()
      rmSync(directory, { recursive: true, force: true })
    },
    async restart() {
      await ended(child)
      child = launch(args)
      await answering(admin)
    },
  }
  try {
    await answering(admin)
  } catch (thrown) {
    await server.kill()
    throw thrown
  }
  return server
}

function launch(args: readonly string[]): ChildProcess {
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  started.add(child)
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  started.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

const answering = (admin: Redis): Promise<void> =>
  until('the Redis server answers', async () => (await admin.ping().catch(() => '')) === 'PONG')

/** One server alone. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RedisServers> {
  const server = await startRedisServer(settings)
  return { servers: [server], stop: server.kill }
}

const slotCount = 16_384

const clusterSettings = {
  'cluster-enabled': 'yes',
  'cluster-node-timeout': '1000',
  'repl-diskless-sync-delay': '0',
  'cluster-replica-validity-factor': '0',
} as const

/** A cluster: first the masters, then as many replicas, in the same order; each at its host, if hosts are given. */
export async function startRedisCluster(
  masters = 3,
  settings: Readonly<Record<string, string>> = {},
  hosts: readonly string[] = [],
): Promise<RedisCluster> {
  const all = { ...clusterSettings, ...settings }
  const servers = await Promise.all(
    Array.from({ length: masters * 2 }, (_, index) => startRedisServer(all, hosts[index])),
  )
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()))
  }
  try {
    await joinCluster(servers, masters)
  } catch (thrown) {
    await stop()
    throw thrown
  }
  const grow = async (): Promise<ServerPair> => {
    const start = () => startRedisServer(all)
    const pair = { master: await start(), replica: await start() }
    servers.push(pair.master, pair.replica)
    await joinAsPair(servers, pair)
    return pair
  }
  return { servers, stop, grow }
}

/** Makes both known to all, and the one follow the other. */
async function joinAsPair(servers: readonly RedisServer[], { master, replica }: ServerPair): Promise<void> {
  const [first] = servers
  for (const { host, port } of [master, replica]) {
    await first?.admin.call('CLUSTER', 'MEET', host, String(port))
  }
  for (const server of servers) {
    await until('every node knows the others', async () => (await knownTo(server)) === servers.length)
  }
  await replica.admin.call('CLUSTER', 'REPLICATE', String(await master.admin.call('CLUSTER', 'MYID')))
  await until('the replica is in step', async () =>
    (await replica.admin.info('replication')).includes('master_link_status:up'),
  )
}

/** How many nodes, itself included, a node knows. */
const knownTo = async ({ admin }: RedisServer): Promise<number> =>
  String(await admin.call('CLUSTER', 'NODES'))
    .trim()
    .split('\n')
    .filter((line) => !line.includes('handshake')).length

async function joinCluster(servers: readonly RedisServer[], masters: number): Promise<void> {
  const [first, ...others] = servers
  if (first === undefined) return
  for (const [index, { admin }] of servers.entries()) {
    await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1))
    if (index >= masters) continue
    const from = Math.floor((slotCount * index) / masters)
    const to = Math.floor((slotCount * (index + 1)) / masters) - 1
    await admin.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  }
  for (const { host, port } of others) await first.admin.call('CLUSTER', 'MEET', host, String(port))
  for (const server of servers) {
    await until('every node knows the others', async () => (await knownTo(server)) === servers.length)
  }
  for (const [index, replica] of servers.slice(masters).entries()) {
    const id = String(await servers[index]?.admin.call('CLUSTER', 'MYID'))
    await replica.admin.call('CLUSTER', 'REPLICATE', id)
  }
  for (const [index, { admin }] of servers.entries()) {
    await until('the cluster serves all slots', async () =>
      String(await admin.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
    )
    if (index < masters) continue
    // A master that is lost before its first synchronisation has nobody to take over.
    await until('the replica is in step', async () =>
      (await admin.info('replication')).includes('master_link_status:up'),
    )
  }
}
