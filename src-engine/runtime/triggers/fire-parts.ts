/** What starting a triggered run takes, out of an engine's parts. */

import type { EngineParts } from '../engine-parts.ts'
import type { FireParts } from './start-firing.ts'

export function firePartsOf(parts: EngineParts): FireParts {
  const { store, partition, clock, executor } = parts.dependencies
  const { ids, starter, definitions, payloads, admission } = parts
  const { host } = executor
  return { store, partition, clock, ids, starter, definitions, payloads, admission, host }
}
