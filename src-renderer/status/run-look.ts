/** How a run is shown: its status, and what was asked of it or keeps it from beginning. Pure. */

import type { RunRecord } from '../../src-engine/model/run.ts'
import type { StatusStyle } from './status-style.ts'
import { pausingStyle, queuedRunStyle, runStyle } from './status-style.ts'
import { pauseOf } from './wait-words.ts'

/** The look of a run. */
export function runLook(run: RunRecord): StatusStyle {
  const { status, permits, waitReason, cancelRequestedAt, finishedAt } = run
  const isInLine = status === 'CREATED' && (waitReason !== null || (permits?.blockedBy ?? null) !== null)
  const style = isInLine ? queuedRunStyle : pauseOf(run) === 'asked' ? pausingStyle : runStyle[status]
  return cancelRequestedAt !== null && finishedAt === null ? { ...style, label: 'Stopping' } : style
}
