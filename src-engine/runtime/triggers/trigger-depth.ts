/** How long a chain of runs is that started each other through triggers. */

import type { RunId } from '../../model/ids.ts'
import { nestingMax, triggerDepthMax } from '../../model/limits.ts'
import type { TriggerRegistersParts } from './trigger-registers.ts'
import { loadFiring } from './trigger-registers.ts'

/** Of a run that this one would start: 1 where no trigger started it, nor a run that has it as a part. */
export async function depthAfter(
  parts: Pick<TriggerRegistersParts, 'store' | 'partition'>,
  source: RunId | null,
): Promise<number> {
  let runId = source
  for (let level = 0; runId !== null && level < nestingMax; level += 1) {
    const run = await parts.store.load(parts.partition, 'run', { runId })
    if (run === null) return 1
    if (run.cause.kind.startsWith('trigger:') && run.cause.by !== null)
      return ((await loadFiring(parts, run.cause.by))?.depth ?? 0) + 1
    runId = run.parentRunId
  }
  return 1
}

/** Why the end of a chain that is too long starts nothing. */
export const loopSkip = {
  reason: 'loop',
  words: `${triggerDepthMax} runs had started each other through triggers, one after the other.`,
} as const
