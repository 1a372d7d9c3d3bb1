/** Who works on a cluster: its pools with their runners, and the versions of those. */

import type { RunnerRecord } from '../../model/runner.ts'
import type { Instant } from '../../model/time.ts'
import { livingRunners } from '../../runtime/routing/missing-runner.ts'

export interface CrewPool {
  readonly pool: string
  readonly runners: number
  /** Steps that they do at once, other pools' included. */
  readonly slots: number
}

export interface Crew {
  readonly runners: number
  readonly pools: readonly CrewPool[]
  /** Of Sagasmith, ascending; more than one is a rolling update, or a forgotten machine. */
  readonly versions: readonly string[]
}

/** Of the runners that are alive at the instant. */
export function crewOf(rows: readonly RunnerRecord[], now: Instant): Crew {
  const living = livingRunners(rows, now)
  const names = [...new Set(living.flatMap(({ pools }) => pools))].sort()
  return {
    runners: living.length,
    pools: names.map((pool) => {
      const own = living.filter(({ pools }) => pools.includes(pool))
      return { pool, runners: own.length, slots: own.reduce((sum, { slots }) => sum + slots, 0) }
    }),
    versions: [...new Set(living.map(({ version = 'unknown' }) => version))].sort(),
  }
}

/** The same in lines. */
export function crewLines({ runners, pools, versions }: Crew): readonly string[] {
  if (runners === 0) return ['No runner works there: start one with `sagasmith runner --store ADDRESS`.']
  const of = (count: number): string => (count === 1 ? 'one runner' : `${count} runners`)
  return [
    `${runners === 1 ? 'One runner works' : `${runners} runners work`} there, version ${versions.join(', ')}:`,
    ...pools.map(({ pool, runners: count, slots }) => `  pool ${pool}: ${of(count)}, ${slots} steps at once`),
  ]
}
