/** Plays months one after the other. */

import { monthPlan } from './plan.ts'
import { playMonth } from './play.ts'
import { monthStores } from './stores.ts'

export interface Months {
  /** One of `monthStores`. */
  readonly store: string
  readonly from: number
  /** The last one. */
  readonly to: number
  readonly days: number
  readonly runnersMax: number
}

export interface MonthTally {
  months: number
  firings: number
  skips: number
  runs: number
  faults: number
  readonly bad: { readonly seed: number; readonly problems: readonly string[] }[]
}

const noMonths = (): MonthTally => ({ months: 0, firings: 0, skips: 0, runs: 0, faults: 0, bad: [] })

/** Plays them all; `told` after each. */
export async function playMonths(
  { store, from, to, days, runnersMax }: Months,
  told: (tally: MonthTally) => void = () => undefined,
): Promise<MonthTally> {
  const open = monthStores[store]
  if (open === undefined) throw new Error(`there is no store ${store}`)
  const tally = noMonths()
  for (let seed = from; seed <= to; seed += 1) {
    const { problems, ...month } = await playMonth(monthPlan(String(seed), { days, runnersMax }), open)
    tally.months += 1
    tally.firings += month.firings
    tally.skips += month.skips
    tally.runs += month.runs
    tally.faults += Object.values(month.faults).reduce((sum, count) => sum + count, 0)
    if (problems.length > 0) tally.bad.push({ seed, problems })
    told(tally)
  }
  return tally
}
