/** What becomes of a rollback in which a compensation has failed for good: as the group of its step says. */

import type { InvocationRecord } from '../../model/invocation.ts'
import { undoPauseMs, undoPauseMsMax, undoRoundsMax } from '../../model/limits.ts'
import type { Millis } from '../../model/time.ts'
import type { UndoFailure } from '../../model/workflow.ts'
import type { Draft } from '../draft.ts'
import { changeRun } from '../draft.ts'
import { tellsParent } from '../effects.ts'
import { isRecorded } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'
import { addUndo } from './record-undo.ts'
import { abandonCause, chainNumberOf, newestUndos, nextInChain, standingOf } from './undo-chain.ts'
import { again, allOf, giveUp, leave } from './undo-links.ts'

/** What its group says, or that of a map or loop around it. */
export function failureOf(draft: Draft, record: Pick<InvocationRecord, 'nodeId' | 'path'>): UndoFailure {
  const said = draft.state.workflow.saga?.onFailure
  let { nodeId, path } = record
  for (;;) {
    const found = said?.get(nodeId)
    if (found !== undefined) return found
    if (path === '') return 'ask'
    const { container, parent } = placeOf(path)
    nodeId = container
    path = parent
  }
}

/** Has those begin anew, after a pause, whose groups say so; false when none does, or they did often enough. */
export function tryAnew(draft: Draft, failed: readonly InvocationRecord[]): boolean {
  const tried = failed.filter((record) => isTriedAnew(draft, record))
  for (const record of tried) {
    const undo = draft.state.workflow.nodeById.get(record.nodeId)?.undo ?? null
    const id = nextInChain(record.id)
    const round = chainNumberOf(record.id)
    const notBefore = draft.context.now + pauseBefore(round)
    const message = `Begins anew, as its group says: ${record.error?.message ?? record.status}`
    const waitReason = { code: 'backoff', message }
    const cause = { kind: 'retry', by: record.id, detail: record.error?.message ?? null }
    addUndo(draft, record, {
      id,
      undo,
      cause,
      set: { dispatch: again(draft, record), notBefore, waitReason },
    })
  }
  return tried.length > 0
}

/** A run that could not be rolled back says so again at once, and what somebody stopped is not begun again. */
function isTriedAnew(draft: Draft, record: InvocationRecord): boolean {
  if (record.status !== 'FAILED' && record.status !== 'TIMEOUT') return false
  if (failureOf(draft, record) !== 'retry' || chainNumberOf(record.id) > undoRoundsMax) return false
  return draft.state.workflow.nodeById.get(record.nodeId)?.undo?.kind === 'task'
}

const pauseBefore = (round: number): Millis => Math.min(undoPauseMs * 2 ** (round - 1), undoPauseMsMax)

/** Nothing more is undone: what waits for its turn and what failed is left behind. */
export function abandonAll(draft: Draft): void {
  for (const record of newestUndos(allOf(draft))) {
    if (isRecorded(record)) giveUp(draft, record)
    else if (standingOf(record) === 'failed') leave(draft, record, abandonCause)
  }
  changeRun(draft, { finishedAt: draft.context.now, waitReason: null }, 'ABANDONED')
  tellsParent(draft)
}
