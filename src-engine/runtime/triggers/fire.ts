/** What an occurrence leads to: a run of its own, or that it is a condition that was met. */

import { meetCondition } from './conditions.ts'
import type { Fired, FireParts, ToStart } from './start-firing.ts'
import { startFiring } from './start-firing.ts'

// Whoever has occurrences needs these beside it.
export type { Fired, FireParts } from './start-firing.ts'
export { runOfRequest, skipFiring } from './start-firing.ts'

/** Starts the run, or says why not, or has others wait with it. Throws what may pass: then nothing is decided. */
export const fire = (parts: FireParts, fired: ToStart): Promise<Fired> =>
  fired.trigger.record.conditionOf.length === 0 ? startFiring(parts, fired) : meetCondition(parts, fired)
