/** The story of a month: chaos until its end, then some hours in which everything is as it should be. */

import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { Instant } from '../../../src-engine/model/time.ts'
import { day, hour } from '../../../src-engine/model/time.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { createRandomSource } from '../../support/random-source.ts'
import { withoutStacks } from '../without-stacks.ts'
import { World } from '../world.ts'
import { planMonthFaults, wrongMsMax } from './faults.ts'
import { judgeMonth } from './judge.ts'
import { isTriggered, Ledger } from './ledger.ts'
import { Machines } from './machines.ts'
import type { MonthMutant } from './mutants.ts'
import { Outside } from './outside.ts'
import type { MonthPlan } from './plan.ts'
import type { MonthStage } from './stage.ts'

/** A store with data of its own. */
export interface MonthStore {
  /** A process's own way to it; what goes through it is noted. */
  readonly connect: () => Promise<Store>
  readonly close: () => Promise<void>
}

export type OpenMonthStore = (ledger: Ledger) => Promise<MonthStore>

export interface Month {
  readonly problems: readonly string[]
  readonly firings: number
  readonly runs: number
  readonly skips: number
  readonly happened: number
  readonly faults: Readonly<Record<string, number>>
}

/** Nobody waits longer for a run to end. */
const healMs = 4 * day
/** A machine's beats and looks are some 8,000 a day, more where work is refused for hours; five times as many, and a story goes nowhere. */
const happeningsPerMachineDay = 40_000

/** Plays the month of a plan. */
export const playMonth = (plan: MonthPlan, open: OpenMonthStore, mutant: MonthMutant = {}): Promise<Month> =>
  withoutStacks(() => play(plan, open, mutant))

async function play(plan: MonthPlan, open: OpenMonthStore, mutant: MonthMutant): Promise<Month> {
  const days = (plan.end - plan.begin + healMs) / day
  const world = new World(happeningsPerMachineDay * plan.runners * days)
  world.now = plan.begin
  const ledger = new Ledger(() => world.now)
  const store = await open(ledger)
  const faults: Record<string, number> = {}
  const stage: MonthStage = {
    ...{ world, plan, ledger, mutant },
    random: createRandomSource(`story of ${plan.seed}`),
    connect: store.connect,
    storeFaults: { fullUntil: 0, slowUntil: 0, refusal: 0, lostAnswer: 0, failure: 0 },
    folder: new Map(),
    chaos: { isOver: false },
    count: (what) => {
      faults[what] = (faults[what] ?? 0) + 1
    },
  }
  const machines = new Machines(stage)
  const outside = new Outside(stage, machines)
  try {
    const problems = await tell(stage, machines, outside).then(
      (end) => judgeMonth({ plan, ledger, outside, folder: stage.folder, end }),
      (thrown: unknown) => [`the story can’t be told: ${String(thrown)}`],
    )
    const skips = ledger.firings.filter(({ firing }) => firing.runId === null).length
    const { size: runs } = ledger.runs
    return { problems, firings: ledger.firings.length, runs, skips, happened: world.happened, faults }
  } finally {
    for (const { process } of machines.all) process.die()
    await store.close()
  }
}

async function tell(stage: MonthStage, machines: Machines, outside: Outside): Promise<Instant> {
  const { world, plan, storeFaults, chaos, random } = stage
  for (let number = 0; number < plan.runners; number += 1) await machines.launch()
  // What is listened for is published before anything goes wrong, or is told.
  world.at(plan.begin, () => outside.plan())
  await world.run(plan.begin + 3 * hour, () => false)
  planMonthFaults(stage, machines)
  await world.run(plan.end, () => false)
  chaos.isOver = true
  Object.assign(storeFaults, { fullUntil: 0, slowUntil: 0, refusal: 0, lostAnswer: 0, failure: 0 })
  machines.heal()
  if (machines.awake(random) === null) await machines.launch()
  // Until clocks show what the wrong ones showed, and what was left by the dead is taken over.
  await world.run(plan.end + wrongMsMax + day, () => false)
  while (world.now < plan.end + healMs && areOpen(stage)) await world.run(world.now + hour, () => false)
  return world.now
}

const areOpen = ({ ledger }: MonthStage): boolean =>
  [...ledger.runs.values()].some(
    ({ run, endedAt }) => endedAt === null && !runMachine.final.has(run.status) && isTriggered(run),
  )
