/** What a card says once its step is being undone: the strip tells of that instead. Pure. */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { StatusStyle } from '../status/status-style.ts'
import { undoStyle } from '../status/status-style.ts'
import { clockWords } from '../ui/time-words.ts'

/** Where undoing a step is. */
export type UndoPhase = 'recorded' | 'queued' | 'active' | 'done' | 'failed' | 'left'

/** Of what undoes a step; `recorded` while the rollback has not come to it. */
export function undoPhaseOf({ status, wait, finishedAt }: InvocationRecord): UndoPhase {
  if (wait?.kind === 'rollback') return 'recorded'
  if (status === 'SUCCESS') return 'done'
  if (status === 'CANCELLED' || status === 'DENIED') return 'left'
  if (finishedAt !== null) return 'failed'
  return status === 'RUNNING' || status === 'RESUMED' || status === 'PENDING' ? 'active' : 'queued'
}

export interface UndoLook {
  readonly style: StatusStyle
  readonly reason: string | null
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

/** The look of a step that is being undone, or was; null while nothing of that has begun. */
export function undoLookOf(undo: InvocationRecord | null): UndoLook | null {
  if (undo === null) return null
  const phase = undoPhaseOf(undo)
  if (phase === 'recorded') return null
  const { finishedAt, startedAt, error, waitReason } = undo
  const reason =
    phase === 'done' && finishedAt !== null
      ? clockWords(finishedAt).slice(0, 8)
      : ((finishedAt === null ? waitReason?.message : null) ?? error?.message ?? null)
  return { style: undoStyle[phase], reason, startedAt, finishedAt }
}
