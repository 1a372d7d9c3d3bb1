/**
 * Ours on a Redis Cluster of its own on the loopback, in turns with the limit loops there and with BullMQ flows:
 * `node bench/redis.ts [--runs 1000] [--pairs 3] [--partitions 64] [--only a,b] [--short] [--json]`. Medians over
 * the turns. The long form adds safe mode, steps from the queue without and with limits, more processes, and more partitions.
 */

import { parseArgs } from 'node:util'
import { bundleChild } from './bundle.ts'
import type { Found, Measured, Wanted } from './redis/measure.ts'
import { measure, mediansOf } from './redis/measure.ts'
import { commandLines, rowsOf, shownRows, tableOf } from './redis/report.ts'
import type { BenchServers } from './redis/servers.ts'
import { startBenchServers } from './redis/servers.ts'
import type { SubjectName, TurnName } from './redis/target.ts'
import { subjectNames } from './redis/target.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    samples: { type: 'string', default: '40' },
    pairs: { type: 'string', default: '3' },
    partitions: { type: 'string', default: '64' },
    only: { type: 'string', default: 'pairs,safe,limits,runners,partitions' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const parts = new Set(values.short ? ['pairs'] : values.only.split(','))
const size = values.short
  ? { runs: 60, samples: 4, pairs: 1, warmUps: 0 }
  : { runs: Number(values.runs), samples: Number(values.samples), pairs: Number(values.pairs), warmUps: 3 }
const partitions = Number(values.partitions)
const script = await bundleChild('redis-child')
let opened = 0

const wantedOf = (servers: BenchServers, subject: SubjectName): Wanted => {
  opened += 1
  const target = { prefix: `bench${opened}`, partitions, durability: 'fast' } as const
  return { script, servers, subject, target, ...size, processes: 1 }
}

async function inTurns(servers: BenchServers): Promise<Record<TurnName, Found>> {
  const all: Record<TurnName, Found[]> = { ours: [], acting: [], queue: [], sticky: [], bullmq: [] }
  for (let pair = 0; pair < size.pairs; pair += 1) {
    for (const name of subjectNames) all[name].push(await measure(wantedOf(servers, name)))
  }
  const median = (name: TurnName): Found => ({
    measured: mediansOf(all[name].map(({ measured }) => measured)),
    commands: all[name].at(-1)?.commands ?? [],
  })
  return {
    ours: median('ours'),
    acting: median('acting'),
    queue: median('queue'),
    sticky: median('sticky'),
    bullmq: median('bullmq'),
  }
}

const quick = { warmUps: 1, samples: 0 } as const
/** W1 alone, as it is read beside the others. */
const warm = { warmUps: size.warmUps, samples: 0 } as const

/** Ours where every step is claimed from the queue, without a permit and with one; in turns with the loop and the peer that do so. */
async function withClaims(servers: BenchServers): Promise<Record<string, Measured>> {
  const found: Record<string, Measured[]> = { queued: [], limited: [], queue: [], bullmq: [] }
  for (let pair = 0; pair < size.pairs; pair += 1) {
    for (const subject of ['queued', 'limited', 'queue', 'bullmq'] as const) {
      const { measured } = await measure({ ...wantedOf(servers, subject), ...warm })
      found[subject]?.push(measured)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([name, all]) => [name, mediansOf(all)]))
}

/** Ours with so many processes, in turns with the queue loop in as many. */
async function withProcesses(servers: BenchServers): Promise<Record<string, Measured>> {
  const found: Record<string, Measured> = {}
  for (const processes of [1, 2, 4]) {
    for (const subject of ['ours', 'sticky'] as const) {
      const wanted = { ...wantedOf(servers, subject), ...quick, processes }
      found[`${subject}, ${processes} processes`] = (await measure(wanted)).measured
    }
  }
  return found
}

async function withPartitions(servers: BenchServers): Promise<Record<string, Measured>> {
  const found: Record<string, Measured> = {}
  for (const count of [1, 16, 64, 256]) {
    for (const subject of ['ours', 'sticky'] as const) {
      const wanted = wantedOf(servers, subject)
      const target = { ...wanted.target, partitions: count }
      found[`${subject}, ${count} partitions`] = (await measure({ ...wanted, ...quick, target })).measured
    }
  }
  return found
}

/** On servers with replicas: ours when each write waits for one, and when it doesn't. */
async function withReplicas(): Promise<Record<string, Measured>> {
  const servers = await startBenchServers('safe')
  try {
    const found: Record<string, Measured> = {}
    for (const durability of ['fast', 'safe'] as const) {
      const wanted = wantedOf(servers, 'ours')
      const target = { ...wanted.target, durability }
      found[`ours, ${durability}, with replicas`] = (await measure({ ...wanted, target })).measured
    }
    return found
  } finally {
    await servers.stop()
  }
}

const told = (text: string): void => {
  if (!values.json) console.log(text)
}

const result: Record<string, unknown> = {}
const servers = await startBenchServers('fast')
try {
  if (parts.has('pairs')) {
    const found = await inTurns(servers)
    const rows = rowsOf(found)
    Object.assign(result, { found, rows })
    told(shownRows(rows))
    told(tableOf(Object.fromEntries(Object.entries(found).map(([name, one]) => [name, one.measured]))))
    told(commandLines(found.ours))
  }
  if (parts.has('limits')) {
    result['limits'] = await withClaims(servers)
    told(tableOf(result['limits'] as Record<string, Measured>))
  }
  if (parts.has('runners')) {
    result['runners'] = await withProcesses(servers)
    told(tableOf(result['runners'] as Record<string, Measured>))
  }
  if (parts.has('partitions')) {
    result['partitions'] = await withPartitions(servers)
    told(tableOf(result['partitions'] as Record<string, Measured>))
  }
} finally {
  await servers.stop()
}
if (parts.has('safe')) {
  result['safe'] = await withReplicas()
  told(tableOf(result['safe'] as Record<string, Measured>))
}
if (values.json) console.log(JSON.stringify(result))
// Admin connections may still be on their way out.
process.exit(0)
