/** The start of an engine that only holds what it takes: others wake, recover and clear up. */

import type { EngineParts } from './engine-parts.ts'

/** Its row is there, and it claims nothing yet. */
export function startAlone({ dependencies, heartbeat, pauses }: EngineParts): void {
  dependencies.watch.start()
  heartbeat.start()
  pauses.start()
}
