/** Kinds that count nothing: for runs that are only tried or replayed, and take no place of real ones. */

import type { TaskSpec } from '../../model/task-spec.ts'

export function unlimitedSpecs(specs: ReadonlyMap<string, TaskSpec>): ReadonlyMap<string, TaskSpec> {
  return new Map([...specs].map(([kind, { limit: _limit, ...spec }]) => [kind, spec]))
}
