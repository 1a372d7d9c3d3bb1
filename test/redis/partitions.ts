/**
 * Networks that break between one runner and the servers, under load: a campaign within a nest (`nest.ts`), each
 * runner on an island of its own. What is cut heals again; nothing may be lost, done twice or stuck by it.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Millis } from '../../src-engine/model/time.ts'
import { pairOf } from '../support/redis-cluster.ts'
import type { Crew } from './crew.ts'
import type { DeadlineFigures } from './deadline-watch.ts'
import type { Fault, FaultScene, FaultTable } from './faults.ts'
import { slotOfSome } from './faults.ts'
import type { CampaignResult } from './play.ts'
import { playCampaign } from './play.ts'
import type { Island, Lost } from './private-network.ts'
import { buildNetwork } from './private-network.ts'
import { lastWorkedAt, readFigures } from './runner-files.ts'

/** What is asked of the nest, as JSON. */
export interface PartitionPlan {
  readonly partitions: number
  readonly runners: number
  readonly seed: string
  /** Whether lengths are the seed's, up to many leases; else each kind has its own, for the short form. */
  readonly variesLengths: boolean
}

export interface PartitionResult extends CampaignResult {
  readonly deadlines: readonly DeadlineFigures[]
  /** From healing to the first new step of the runner that had been cut off, the longest. */
  readonly backMs: Millis
}

/** Some partitions are longer, some shorter. */
const claimTtlMs = 3_000
const [shortestMs, longestMs] = [300, 12_000]
const flapMs = 200
/** Who does nothing by then has not come back, be the machine as busy as it may. */
const backMsMax = 120_000
/** Far beyond what a busy machine adds; what is measured is told. */
const grossMs = 2_000

interface Kind {
  /** In the short form. */
  readonly ms: Millis
  readonly strike: (island: Island, scene: FaultScene, ms: Millis) => Promise<void>
}

const cutting = (ms: Millis, lost: Lost): Kind => ({
  ms,
  async strike(island, _scene, forMs) {
    await island.cut(lost)
    await pause(forMs)
  },
})

const kinds: Readonly<Record<string, Kind>> = {
  'nothing goes through': cutting(4_500, 'both ways'),
  'nothing reaches the runner': cutting(4_500, 'to the runner'),
  'nothing leaves the runner': cutting(2_500, 'from the runner'),
  'one master is out of its reach': {
    ms: 2_500,
    async strike(island, scene, ms) {
      const { master } = await pairOf(scene.cluster, slotOfSome(scene))
      await island.cut('both ways', master.host)
      await pause(ms)
    },
  },
  'the way comes and goes': {
    ms: 2_500,
    async strike(island, _scene, ms) {
      const end = performance.now() + ms
      while (performance.now() < end) {
        await island.cut('both ways')
        await pause(flapMs)
        await island.heal()
        await pause(flapMs)
      }
    },
  },
}

/** Builds the network around this process and plays on it. */
export async function playPartitions(
  plan: PartitionPlan,
  report: (line: string) => void,
): Promise<PartitionResult> {
  const { hosts, islands } = await buildNetwork({ servers: 6, runners: plan.runners })
  let cutOff = 0
  let healedAt = 0
  let backMs = 0
  const strikeOn =
    ({ ms, strike }: Kind): Fault =>
    async (scene) => {
      cutOff = scene.random.below(islands.length)
      const island = islands[cutOff]
      if (island === undefined) return
      const span = shortestMs + scene.random.below(longestMs - shortestMs)
      try {
        await strike(island, scene, plan.variesLengths ? span : ms)
      } finally {
        await island.heal()
        healedAt = Date.now()
      }
    }
  const faults: FaultTable = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, strikeOn(kind)]),
  )
  const afterwards = async (crew: Crew, directory: string): Promise<readonly string[]> => {
    const pid = crew.pids()[cutOff] ?? 0
    const worked = await within(backMsMax, () => lastWorkedAt(directory, pid) > healedAt)
    backMs = Math.max(backMs, Date.now() - healedAt)
    return worked ? [] : [`the runner that had been cut off did nothing more`]
  }
  let deadlines: readonly DeadlineFigures[] = []
  const result = await playCampaign({
    durability: 'safe',
    runners: plan.runners,
    forMs: 0,
    faultsMin: plan.partitions,
    faults,
    seed: plan.seed,
    report,
    ground: {
      hosts,
      prefixes: islands.map(({ prefix }) => prefix),
      claimTtlMs,
      afterwards,
      atEnd(directory) {
        deadlines = readFigures(directory)
      },
    },
  })
  return { ...result, deadlines, backMs, problems: [...result.problems, ...lateCommands(deadlines, plan)] }
}

/** Gross excess only: on a busy machine everything is late, and a process that stands still notices nothing. */
function lateCommands(deadlines: readonly DeadlineFigures[], { runners }: PartitionPlan): readonly string[] {
  if (deadlines.length !== runners)
    return [`${deadlines.length} of ${runners} runners told of their commands`]
  return deadlines
    .filter(({ overMs, standstillMs }) => overMs > grossMs + standstillMs)
    .map(({ overMs }) => `a command outlived its deadline by ${overMs} ms`)
}

async function within(ms: number, holds: () => boolean): Promise<boolean> {
  const end = performance.now() + ms
  while (!holds()) {
    if (performance.now() > end) return false
    await pause(10)
  }
  return true
}
