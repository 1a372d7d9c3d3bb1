/** Compensations that take the place of others in the chain of their step, or leave it as it is. */

import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord, Undoing } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'
import { dispatchWith } from '../control/hold.ts'
import type { Draft } from '../draft.ts'
import { moveInvocation } from '../draft.ts'
import { undoesOf } from '../run-state.ts'
import { addUndo } from './record-undo.ts'
import { abandonCause, nextInChain, rollbackBegan } from './undo-chain.ts'

/** Every record as the decision sees it; those that it makes come last. */
export function* allOf(draft: Draft): Iterable<InvocationRecord> {
  const { state, records } = draft
  for (const [id, record] of state.invocations) yield records.get(id) ?? record
  for (const [id, record] of records) if (!state.invocations.has(id)) yield record
}

/** A new one of the chain, which nobody executes: the failed one stays what it is. */
export function leave(draft: Draft, failed: InvocationRecord, kind: string): void {
  const undo = draft.state.workflow.nodeById.get(failed.nodeId)?.undo ?? null
  const id = nextInChain(failed.id)
  const cause = { ...draft.context.cause, kind }
  const set = { dispatch: again(draft, failed), taskKind: failed.taskKind }
  addUndo(draft, failed, { id, undo, cause, set })
  moveInvocation(draft, id, { to: 'CANCELLED', cause, set: { cause, error: failed.error } })
}

/** One that waits for its turn: its step stays as it is. */
export function giveUp(draft: Draft, record: InvocationRecord): void {
  const cause = { ...draft.context.cause, kind: abandonCause }
  const error = errorRecord('task_cancelled', { message: 'The rollback was given up.' })
  moveInvocation(draft, record.id, {
    to: 'CANCELLED',
    cause,
    set: { cause, error, dispatch: again(draft, record) },
  })
}

/** What is known of a compensation that takes the place of another one. */
export function again(draft: Draft, record: InvocationRecord, input: Payload | null = null) {
  const undoes = undoesOf(record)
  if (undoes === null) return record.dispatch
  const { of, place, uncertain } = undoes
  const { now } = draft.context
  const next: Undoing = { of, place, uncertain, since: now, begunAt: rollbackBegan(allOf(draft), now) }
  // What somebody has put in the place of what arrives stays until somebody puts something else there.
  const given = input ?? record.dispatch?.input ?? null
  return dispatchWith({ dispatch: null }, { undoes: next, ...(given === null ? {} : { input: given }) })
}
