/** A campaign: load on a cluster and its runners, one fault after the other, and then every check there is. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { Millis } from '../../src-engine/model/time.ts'
import type { RedisDurability, RedisRollback } from '../../src-engine/store/redis/redis-options.ts'
import { openSinkEngine } from '../crash/sink-engine.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import { settled } from '../support/redis-cluster.ts'
import type { Client } from './client.ts'
import { createClient } from './client.ts'
import type { Crew } from './crew.ts'
import { createCrew } from './crew.ts'
import type { FaultScene, FaultTable } from './faults.ts'
import { createFeedJournal } from './feed-journal.ts'
import { judge } from './judge.ts'
import type { Replayed, ScenePlace } from './scene.ts'
import { openStoreAt, readReplays, startScene } from './scene.ts'

export interface CampaignPlan {
  readonly durability: RedisDurability
  readonly runners: number
  readonly forMs: number
  /** Goes on beyond the time until there were so many: on a busy machine each takes longer. */
  readonly faultsMin: number
  /** Those to choose from; all come in turn, in an order that the seed decides. */
  readonly faults: FaultTable
  readonly seed: string
  /** Told after each fault. */
  readonly report: (line: string) => void
  /** How long a step takes: the longer, the fewer runs go through meanwhile. `stepMsDefault` when absent. */
  readonly stepMs?: Millis
  /** Where everybody is; on the loopback when absent. */
  readonly ground?: Ground
}

/** Where servers listen, and what runners are started with to be where they are to be. */
export interface Ground {
  readonly hosts: readonly string[]
  readonly prefixes: readonly (readonly string[])[]
  readonly claimTtlMs: Millis
  /** Called after each fault, when every run has moved on; tells what is wrong. */
  readonly afterwards: (crew: Crew, directory: string) => Promise<readonly string[]>
  /** Called at the very end, when all runners have ended in order. */
  readonly atEnd: (directory: string) => void
}

/** How one fault went, in ms. */
export interface FaultReport {
  readonly fault: string
  /** How long the disturbance itself took. */
  readonly struckMs: number
  /** From then until every run that was under way had moved on. */
  readonly steadyMs: number
}

export interface CampaignResult {
  readonly faults: readonly FaultReport[]
  readonly runs: number
  readonly byEnd: Readonly<Record<string, number>>
  readonly events: number
  readonly effects: number
  /** Events that had been seen and were taken back; all of them are told of, or are problems. */
  readonly lost: number
  readonly replayed: Replayed
  /** From the last fault to the end of the last run. */
  readonly settleMs: number
  readonly refusals: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/** Between two faults: as long as everybody works in peace. */
const peaceMs = 1_000

/** Nobody is taken to be dead before that, where nothing else is said. */
const claimTtlMs = 20_000
/** So short that runners have nearly nothing to do but the engine's own work. */
const stepMsDefault = 20

/** Plays the plan on a new cluster and checks all that is left of it. */
export async function playCampaign(plan: CampaignPlan): Promise<CampaignResult> {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-redis-campaign-'))
  const { durability, seed, ground, stepMs = stepMsDefault } = plan
  const cluster = await startScene(directory, ground?.hosts)
  const nodes = cluster.servers.map(({ host, port }) => ({ host, port }))
  const place = { directory, durability, nodes, claimTtlMs: ground?.claimTtlMs ?? claimTtlMs, stepMs }
  const crew = createCrew(place, ground?.prefixes)
  try {
    const random = createRandomSource(seed)
    const replaceRunner = () => crew.replaceOne(random)
    return await playOn({ plan, place, crew, scene: { cluster, directory, random, replaceRunner } })
  } finally {
    crew.killAll()
    await cluster.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Stage {
  readonly plan: CampaignPlan
  readonly place: ScenePlace
  readonly crew: Crew
  readonly scene: FaultScene
}

async function playOn({ plan, place, crew, scene }: Stage): Promise<CampaignResult> {
  const { directory } = place
  const rollbacks: RedisRollback[] = []
  const store = await openStoreAt(place, (lost) => rollbacks.push(lost))
  const engine = await openSinkEngine({ directory, store, settings: engineSettings(), spanOf: () => 0 })
  await Promise.all(Array.from({ length: plan.runners }, () => crew.hire()))
  const journal = createFeedJournal(directory)
  const client = createClient(engine, journal)
  try {
    const problems = [...(await client.movedOn())]
    const reports = await strikeAll(plan, { scene, client, crew, problems })
    const calm = performance.now()
    await settled(scene.cluster)
    problems.push(...(await client.settle()))
    const settleMs = Math.round(performance.now() - calm)
    const isSafe = plan.durability === 'safe'
    const judged = await judge({ store, client, journal, directory, isSafe, rollbacks })
    await crew.dismiss()
    plan.ground?.atEnd(directory)
    const { replayed, troubles } = readReplays(directory)
    const byEnd: Record<string, number> = {}
    for (const { end } of client.accepted.values()) byEnd[end ?? 'open'] = (byEnd[end ?? 'open'] ?? 0) + 1
    return {
      faults: reports,
      runs: client.accepted.size,
      byEnd,
      events: journal.count(),
      effects: judged.effects,
      lost: judged.lost,
      replayed,
      settleMs,
      refusals: Object.fromEntries(client.refusals),
      problems: [...problems, ...client.problems, ...judged.problems, ...troubles, ...crew.complaints],
    }
  } finally {
    client.stop()
    await engine.stop()
    await store.close()
  }
}

interface Struck {
  readonly scene: FaultScene
  readonly client: Client
  readonly crew: Crew
  readonly problems: string[]
}

/** One fault after the other; each begins on a cluster that is whole, or it would be another fault. */
async function strikeAll(
  plan: CampaignPlan,
  { scene, client, crew, problems }: Struck,
): Promise<FaultReport[]> {
  const reports: FaultReport[] = []
  const begun = performance.now()
  let line: string[] = []
  while (performance.now() - begun < plan.forMs || reports.length < plan.faultsMin) {
    if (line.length === 0) line = shuffled(Object.keys(plan.faults), scene.random)
    const fault = line.shift() ?? ''
    const strike = plan.faults[fault]
    if (strike === undefined) break
    await settled(scene.cluster)
    await pause(peaceMs)
    const strikes = performance.now()
    try {
      await strike(scene)
    } catch (thrown) {
      problems.push(`${fault}: ${String(thrown)}`)
      break
    }
    const over = performance.now()
    const stuck = await client.movedOn()
    const report = {
      fault,
      struckMs: Math.round(over - strikes),
      steadyMs: Math.round(performance.now() - over),
    }
    reports.push(report)
    plan.report(`${fault}: took ${report.struckMs} ms, every run went on ${report.steadyMs} ms after it`)
    const wrong = (await plan.ground?.afterwards(crew, scene.directory)) ?? []
    problems.push(...[...stuck, ...wrong].map((told) => `after “${fault}”: ${told}`))
    if (stuck.length > 0) break
  }
  return reports
}

function shuffled<Item>(items: readonly Item[], random: RandomSource): Item[] {
  const left = [...items]
  const taken: Item[] = []
  while (left.length > 0) taken.push(...left.splice(random.below(left.length), 1))
  return taken
}
