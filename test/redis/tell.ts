/** What a campaign came to, for people and for the trend. */

import { duplicatesIn, noteTrend } from '../support/trend.ts'
import type { CampaignResult } from './play.ts'

/** Prints it, and notes its figures. */
export function tellCampaign(test: string, result: CampaignResult, ms: number): void {
  const { problems, faults, ...rest } = result
  for (const problem of problems) console.log(problem)
  console.log(rest)
  for (const [name, own] of Map.groupBy(faults, ({ fault }) => fault)) {
    const longest = Math.max(...own.map(({ steadyMs }) => steadyMs))
    console.log(`${name}: ${own.length} times, steady after ${longest} ms at most`)
  }
  console.log(`${faults.length} faults: ${problems.length} problems`)
  noteCampaign(test, result, ms)
}

/** Notes its figures for the trend. */
export function noteCampaign(
  test: string,
  { problems, faults, runs, byEnd }: CampaignResult,
  ms: number,
): void {
  noteTrend({
    test,
    seeds: 1,
    points: 0,
    faults: faults.length,
    acked: runs,
    lost: byEnd['LOST'] ?? 0,
    duplicates: duplicatesIn(problems),
    violations: problems.length,
    ms: Math.round(ms),
  })
}
