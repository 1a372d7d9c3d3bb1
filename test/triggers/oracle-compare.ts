/** Holds a calculator against brute force, and tells the first difference. */

import type { CronCalculator, CronParameters } from '../../src-engine/triggers/cron/cron-calculator.ts'
import { createCronCalculator } from '../../src-engine/triggers/cron/cron-calculator.ts'
import { createRandomSource } from '../support/random-source.ts'
import { randomCase } from './oracle-cases.ts'
import type { OracleCase, Range } from './oracle-scan.ts'
import { scannerOf } from './oracle-scan.ts'
import { zoneYear } from './oracle-zone.ts'

/** What is compared: the engine's calculator, unless a test plants a bug. */
export type MakeCalculator = (parameters: CronParameters) => CronCalculator

export interface OracleReport {
  readonly cases: number
  readonly slots: number
  readonly differences: readonly string[]
}

/** So many slots of a year are compared from its beginning on; expressions by the second have 31 million. */
const yearSlotsMax = 1_500
const windowSlotsMax = 200
/** So many slots of a stretch are also found backwards. */
const backwardsMax = 25

/** Plays the cases of the seeds from one on. */
export function compareCases(
  plan: { readonly from: number; readonly cases: number; readonly until?: number },
  make: MakeCalculator = createCronCalculator,
): OracleReport {
  const differences: string[] = []
  let slots = 0
  let cases = 0
  for (; cases < plan.cases && differences.length < (plan.until ?? 20); cases += 1) {
    const seed = plan.from + cases
    const one = randomCase(createRandomSource(`cron ${seed}`))
    const compared = compareOne(one, make)
    slots += compared.slots
    if (compared.difference !== null)
      differences.push(`seed ${seed}: ${one.expression} in ${one.zone}, ${one.year} ${compared.difference}`)
  }
  return { cases, slots, differences }
}

/** Compares one case: the whole year, and what lies about each change of the clocks. */
function compareOne(
  one: OracleCase,
  make: MakeCalculator = createCronCalculator,
): { readonly slots: number; readonly difference: string | null } {
  const { expression, zone, year, except } = one
  const calculator = make({ expression, timeZone: zone, except })
  const scan = scannerOf(one)
  let slots = 0
  for (const stretch of stretchesOf(one)) {
    const expected = scan(stretch)
    const [from, to] = [stretch.from * 60_000, stretch.to * 60_000]
    const found = calculator.between(from - 1, to - 1, stretch.limit)
    const at = expected.findIndex((second, index) => second * 1000 !== found[index])
    if (at !== -1 || found.length !== expected.length)
      return { slots, difference: told(expected[at === -1 ? expected.length : at], found, at) }
    slots += found.length
    const back = backwards(calculator, found)
    if (back !== null) return { slots, difference: back }
  }
  const first = scan({ from: Date.UTC(year, 0) / 60_000, to: Date.UTC(year, 1) / 60_000, limit: 1 })[0]
  if (first !== undefined && calculator.previous(first * 1000 + 1) !== first * 1000)
    return { slots, difference: `the one before ${text(first * 1000 + 1)} is not ${text(first * 1000)}` }
  return { slots, difference: null }
}

function stretchesOf({ zone, year }: OracleCase): readonly Range[] {
  const [start, end] = [Date.UTC(year, 0) / 60_000, Date.UTC(year + 1, 0) / 60_000]
  const changes = zoneYear(zone, year).begins.filter((begin) => begin > start && begin < end)
  return [
    { from: start, to: end, limit: yearSlotsMax },
    ...changes.map((change) => ({
      from: Math.max(start, change - 1_600),
      to: Math.min(end, change + 1_600),
      limit: windowSlotsMax * 10,
    })),
    ...changes.map((change) => ({
      from: change - 30,
      to: Math.min(end, change + 150),
      limit: windowSlotsMax,
    })),
  ]
}

function backwards(calculator: CronCalculator, found: readonly number[]): string | null {
  const start = Math.max(1, found.length - backwardsMax)
  for (let index = start; index < found.length; index += 1) {
    const [slot, before] = [found[index] ?? 0, found[index - 1] ?? 0]
    if (calculator.previous(slot) !== before) return `the one before ${text(slot)} is not ${text(before)}`
    if (calculator.next(before) !== slot) return `the one after ${text(before)} is not ${text(slot)}`
  }
  return null
}

const text = (at: number): string => new Date(at).toISOString()

function told(expected: number | undefined, found: readonly number[], at: number): string {
  const other = at === -1 ? found.at(-1) : found[at]
  const wanted = expected === undefined ? 'none' : text(expected * 1000)
  return `is to have ${wanted}, and has ${other === undefined ? 'none' : text(other)}`
}
