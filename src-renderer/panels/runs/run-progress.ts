/** How far a run of the list has come, in words and as a part of its track. Pure. */

import type { RunStatus } from '../../../src-engine/model/run-status.ts'

interface Counts {
  readonly total: number
  readonly done: number
  readonly failed: number
}

/** A run that went well has nothing left to do: what it didn't do was on ways that it didn't take. */
export function progressWords(status: RunStatus, { total, done, failed }: Counts): string {
  const rest = status === 'SUCCEEDED' ? total - done - failed : 0
  const parts = [
    `${done} of ${total} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(rest > 0 ? [`${rest} not needed`] : []),
  ]
  return parts.join(', ')
}

/** From 0 to 1. */
export function progressPart(status: RunStatus, { total, done }: Counts): number {
  if (status === 'SUCCEEDED') return 1
  return total === 0 ? 0 : done / total
}
