/** The servers as they are measured: what they worked, by which commands, and how evenly. */

import type { RedisServer } from '../../test/support/redis-servers.ts'
import { startRedisCluster } from '../../test/support/redis-servers.ts'

const masterCount = 3

/** What all servers did in a span. */
export interface ServerWork {
  /** User and system time of all of them, in microseconds. */
  readonly cpuMicros: number
  /** Of the busiest master and of all on average, by time in commands. */
  readonly spread: number
  readonly scripts: number
  /** Time in scripts, in microseconds. */
  readonly scriptMicros: number
  /** The slowest hundredth of scripts takes at least this long, on the worst master. */
  readonly scriptP99Micros: number
  /** The commands that took most time, most first. */
  readonly commands: readonly CommandWork[]
}

export interface CommandWork {
  readonly name: string
  readonly calls: number
  readonly micros: number
}

export interface BenchServers {
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  /** What the servers do while the work is under way. */
  readonly during: <Answer>(
    work: () => Promise<Answer>,
  ) => Promise<{ readonly answer: Answer; readonly work: ServerWork }>
  /** Forgets all data. */
  readonly clear: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Three masters on the loopback that write each second; with a replica each where that is asked for. */
export async function startBenchServers(durability: 'fast' | 'safe'): Promise<BenchServers> {
  const { servers, stop } = await startRedisCluster(masterCount, {
    appendonly: 'yes',
    appendfsync: 'everysec',
    'auto-aof-rewrite-percentage': '0',
    // A machine under load is late, not gone.
    'cluster-node-timeout': '15000',
    'latency-tracking-info-percentiles': '50 99',
  })
  const masters = servers.slice(0, masterCount)
  const alive = durability === 'safe' ? servers : masters
  if (durability === 'fast') await Promise.all(servers.slice(masterCount).map((server) => server.kill()))
  return {
    nodes: masters.map(({ host, port }) => ({ host, port })),
    stop,
    async clear() {
      for (const { admin } of masters) await admin.flushall()
    },
    async during(work) {
      for (const { admin } of masters) await admin.config('RESETSTAT')
      const before = await cpuOf(alive)
      const answer = await work()
      const cpuMicros = (await cpuOf(alive)) - before
      return { answer, work: { cpuMicros, ...(await commandsOf(masters)) } }
    },
  }
}

async function cpuOf(servers: readonly RedisServer[]): Promise<number> {
  const seconds = await Promise.all(
    servers.map(async ({ admin }) => {
      const info = await admin.info('cpu')
      const of = (name: string): number => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1] ?? 0)
      return of('used_cpu_sys') + of('used_cpu_user')
    }),
  )
  return seconds.reduce((sum, each) => sum + each, 0) * 1_000_000
}

/** What counts as a script, by its command. */
const scriptNames = new Set(['evalsha', 'eval'])
const linePattern = /^cmdstat_([^:|]+)\S*:calls=(\d+),usec=(\d+)/gm
const p99Pattern = /^latency_percentiles_usec_evalsha:.*p99=([\d.]+)/m
const shownMax = 12

async function commandsOf(masters: readonly RedisServer[]): Promise<Omit<ServerWork, 'cpuMicros'>> {
  const each = await Promise.all(
    masters.map(async ({ admin }) => ({
      stats: await admin.info('commandstats'),
      latency: await admin.info('latencystats'),
    })),
  )
  const commands = new Map<string, { calls: number; micros: number }>()
  const busy = each.map(({ stats }) => {
    let total = 0
    for (const [, name = '', calls, micros] of stats.matchAll(linePattern)) {
      const known = commands.get(name) ?? { calls: 0, micros: 0 }
      commands.set(name, { calls: known.calls + Number(calls), micros: known.micros + Number(micros) })
      // What a script calls is in the script's time already.
      if (scriptNames.has(name)) total += Number(micros)
    }
    return total
  })
  const scripts = [...scriptNames].map((name) => commands.get(name) ?? { calls: 0, micros: 0 })
  const mean = busy.reduce((sum, one) => sum + one, 0) / busy.length
  return {
    spread: mean === 0 ? 1 : Math.max(...busy) / mean,
    scripts: scripts.reduce((sum, { calls }) => sum + calls, 0),
    scriptMicros: scripts.reduce((sum, { micros }) => sum + micros, 0),
    scriptP99Micros: Math.max(...each.map(({ latency }) => Number(p99Pattern.exec(latency)?.[1] ?? 0))),
    commands: [...commands]
      .map(([name, work]) => ({ name, ...work }))
      .sort((a, b) => b.micros - a.micros)
      .slice(0, shownMax),
  }
}
