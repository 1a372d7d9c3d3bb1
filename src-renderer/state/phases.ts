/** What a step does while it is under way, as the timeline tells it apart. Pure. */

import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'

/** `queue`: nobody has it yet. `lease`: a runner has it, and hasn't begun. `end`: a mark, not a stretch. */
export type Phase = 'queue' | 'lease' | 'run' | 'backoff' | 'wait' | 'end'

const byStatus: Partial<Record<InvocationStatus, Phase>> = {
  REGISTERED: 'queue',
  REROUTED: 'queue',
  PENDING: 'lease',
  RUNNING: 'run',
  RESUMED: 'run',
  RETRY: 'backoff',
}

export function phaseOf(status: InvocationStatus): Phase {
  if (invocationMachine.final.has(status)) return 'end'
  // For a limit, a person, a signal, a time, another run, or whoever recovers it.
  return byStatus[status] ?? 'wait'
}

/** Somebody works on it, or it could be worked on at once. */
export const isBusy = (phase: Phase): boolean => phase === 'queue' || phase === 'lease' || phase === 'run'

/** In the order in which a step goes through them. */
export const shownPhases = ['queue', 'lease', 'run', 'backoff', 'wait'] as const satisfies readonly Phase[]
