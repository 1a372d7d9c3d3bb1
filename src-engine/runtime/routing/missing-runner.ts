/** Whether somebody could do a piece of work at all. */

import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { Instant, Millis } from '../../model/time.ts'

/** A runner that was silent for longer takes no work. */
const silentMs: Millis = 60_000

/** Runners that may take work at the instant. */
export const livingRunners = (runners: readonly RunnerRecord[], now: Instant): readonly RunnerRecord[] =>
  runners.filter(({ stoppedAt, heartbeatAt }) => stoppedAt === null && heartbeatAt > now - silentMs)

/** What no living runner has, in words; null when one could do it. */
export function missingRunner(living: readonly RunnerRecord[], record: InvocationRecord): string | null {
  const pools = record.route?.pools ?? [record.pool]
  const labels = record.route?.labels ?? []
  const abilities = [record.taskKind, ...(record.route?.requires ?? [])]
  const ofPool = living.filter((runner) => runner.pools.some((pool) => pools.includes(pool)))
  if (ofPool.length === 0) return `No runner works for ${named('pool', pools)}.`
  const able = ofPool.filter((runner) => abilities.every((item) => runner.capabilities.includes(item)))
  if (able.length === 0) return `No runner of ${named('pool', pools)} offers ${abilities.join(' and ')}.`
  const placed = able.filter((runner) => labels.every((label) => runner.labels.includes(label)))
  return placed.length === 0 ? `No runner that could do it has ${named('label', labels)}.` : null
}

const named = (what: string, names: readonly string[]): string =>
  `the ${what}${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(', ')}`
