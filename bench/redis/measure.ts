/** One subject on the servers, from its opening to its end. */

import { chainSteps } from '../subject.ts'
import type { BenchServers, ServerWork } from './servers.ts'
import type { RedisTarget, SubjectName } from './target.ts'
import { startWorker } from './workers.ts'

export interface Wanted {
  readonly script: string
  readonly servers: BenchServers
  readonly subject: SubjectName
  readonly target: Omit<RedisTarget, 'nodes'>
  readonly runs: number
  /** Times W1 is run before it counts. */
  readonly warmUps: number
  /** Of W2 and W3 each; 0 for W1 alone. */
  readonly samples: number
  /** Processes that share the runs of W1. */
  readonly processes: number
}

/** All in the units of the names; per step of W1. */
export interface Measured {
  readonly stepsPerSecond: number
  readonly clientMicros: number
  readonly serverMicros: number
  readonly scriptsPerStep: number
  readonly scriptMicros: number
  readonly scriptP99Micros: number
  readonly spread: number
  readonly chainP50Ms: number
  readonly chainP99Ms: number
  readonly fanMs: number
}

export interface Found {
  readonly measured: Measured
  readonly commands: ServerWork['commands']
}

const inFlight = 50

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Measures a subject; the servers are empty before and after. */
export async function measure(wanted: Wanted): Promise<Found> {
  const { script, servers, subject, processes, samples } = wanted
  const target: RedisTarget = { ...wanted.target, nodes: servers.nodes }
  const workers = Array.from({ length: processes }, () => startWorker(script))
  const [first] = workers
  if (first === undefined) throw new Error('Nobody is to do the work.')
  // The first makes what the others find.
  for (const worker of workers) await worker.does({ kind: 'open', subject, target })
  const share = {
    kind: 'throughput',
    runs: Math.ceil(wanted.runs / processes),
    inFlight: Math.ceil(inFlight / processes),
  } as const
  const together = () => Promise.all(workers.map((worker) => worker.does(share)))
  for (let round = 0; round < wanted.warmUps; round += 1) await together()
  const { answer, work } = await servers.during(together)
  const chains = samples === 0 ? [] : (await first.does({ kind: 'chains', samples })).spans
  const fans = samples === 0 ? [] : (await first.does({ kind: 'fans', samples: fansOf(samples) })).spans
  for (const worker of workers) await worker.does({ kind: 'close' })
  await servers.clear()
  const steps = share.runs * processes * chainSteps
  const measured = {
    stepsPerSecond: steps / Math.max(...answer.map(({ seconds }) => seconds)),
    clientMicros: answer.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / steps,
    serverMicros: work.cpuMicros / steps,
    scriptsPerStep: work.scripts / steps,
    scriptMicros: work.scriptMicros / steps,
    scriptP99Micros: work.scriptP99Micros,
    spread: work.spread,
    chainP50Ms: quantile(chains, 0.5),
    chainP99Ms: quantile(chains, 0.99),
    fanMs: quantile(fans, 0.5),
  }
  return { measured, commands: work.commands }
}

/** A fan is as much work as fifty chains. */
const fansOf = (samples: number): number => Math.max(3, Math.ceil(samples / 4))

/** The median of each figure. */
export function mediansOf(all: readonly Measured[]): Measured {
  const keys = Object.keys(all[0] ?? {}) as (keyof Measured)[]
  const median = (key: keyof Measured): number =>
    quantile(
      all.map((one) => one[key]),
      0.5,
    )
  return Object.fromEntries(keys.map((key) => [key, median(key)])) as unknown as Measured
}
