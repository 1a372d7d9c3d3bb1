/** Plays seeds one after the other, and now and then one of them twice: its story must be the same. */

import type { Simulated } from './simulate.ts'
import { simulate } from './simulate.ts'
import { losingStores, simulationStores } from './stores.ts'

export interface Seeds {
  /** One of the simulator's stores. */
  readonly store: string
  readonly from: number
  /** The last one. */
  readonly to: number
  /** Every so many seeds one is played twice; 0 for never. */
  readonly replayEvery: number
}

/** Sums over many seeds. */
export interface Tally {
  seeds: number
  runs: number
  happened: number
  virtualMs: number
  readonly faults: Record<string, number>
  readonly answers: Record<string, number>
  readonly moves: Record<string, number>
  readonly bad: BadSeed[]
}

export interface BadSeed {
  readonly seed: number
  readonly store: string
  readonly violations: readonly string[]
}

/** Nothing played yet. */
export const noTally = (): Tally => ({
  ...{ seeds: 0, runs: 0, happened: 0, virtualMs: 0 },
  ...{ faults: {}, answers: {}, moves: {}, bad: [] },
})

/** Plays them all. */
export async function playSeeds(seeds: Seeds): Promise<Tally> {
  const { store, from, to, replayEvery } = seeds
  const tally = noTally()
  for (let seed = from; seed <= to; seed += 1) {
    const simulated = await simulate(seed, { openStore: storeOf(store) })
    const violations = [...simulated.violations]
    if (replayEvery > 0 && seed % replayEvery === 0) violations.push(...(await replay(simulated, store)))
    addTo(tally, { ...simulated, seeds: 1, bad: [] })
    if (violations.length > 0) tally.bad.push({ seed, store, violations })
  }
  return tally
}

async function replay(first: Simulated, store: string): Promise<readonly string[]> {
  const second = await simulate(first.seed, { openStore: storeOf(store) })
  if (JSON.stringify(second) === JSON.stringify(first)) return []
  return [`the seed doesn’t decide it all: ${first.trace} the first time, ${second.trace} the second`]
}

type Counts = 'faults' | 'answers' | 'moves'

/** Adds one tally to another. */
export function addTo(tally: Tally, more: Omit<Tally, Counts> & Pick<Simulated, Counts>): void {
  tally.seeds += more.seeds
  tally.runs += more.runs
  tally.happened += more.happened
  tally.virtualMs += more.virtualMs
  tally.bad.push(...more.bad)
  for (const counts of ['faults', 'answers', 'moves'] as const) {
    for (const [name, count] of Object.entries(more[counts]))
      tally[counts][name] = (tally[counts][name] ?? 0) + count
  }
}

/** The command that tells a bad seed's story again. */
const replayCommand = ({ seed, store }: BadSeed): string =>
  `node test/simulation/run.ts --store ${store} --seed ${seed}`

/** A bad seed as people read it. */
export const toldOf = (bad: BadSeed): string =>
  [`SEED=${bad.seed} ${replayCommand(bad)}`, ...bad.violations.slice(0, 10).map((text) => `  ${text}`)].join(
    '\n',
  )

/** Throws when there is none of that name. */
export function storeOf(name: string) {
  const open = simulationStores[name] ?? losingStores[name]
  if (open === undefined) throw new Error(`there is no store ${name}`)
  return open
}
