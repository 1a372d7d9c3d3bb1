/** What people decide about rollbacks: to begin one, to try again, to pass over what failed, to give it up. */

import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Payload } from '../../model/payload.ts'
import { runMachine } from '../../model/run-status.ts'
import { idleUntil } from '../../model/run-time.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { changeRun, createDraft, finishDraft, recordOf } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { isRecorded, undoesOf } from '../run-state.ts'
import { settle } from '../settle.ts'
import { abandonAll } from './after-failure.ts'
import { addUndo } from './record-undo.ts'
import { begin, hasRecorded } from './roll-back.ts'
import { newestUndos, nextInChain, skipCause, standingOf } from './undo-chain.ts'
import { again, allOf, leave } from './undo-links.ts'

/**
 * Rolls an ended run back: for a person, a parent that undoes the step that started it, or a scan that found
 * something late. Null when that is under way or done. Throws `rollback_not_possible`.
 */
export function compensateRun(state: RunState, context: DecisionContext): Decision | null {
  const { status } = state.run
  if (status === 'COMPENSATING' || status === 'COMPENSATED') return null
  if (!runMachine.final.has(status)) throw refused(state, 'it has not ended: cancel it first')
  if (runMachine.validateTransition(status, 'COMPENSATING', context.actor) !== null)
    throw refused(state, `it is ${status}`)
  const draft = createDraft(state, context)
  if (!hasRecorded(draft)) throw refused(state, 'nothing of it is left that can be undone')
  reopen(draft)
  settle(draft)
  return finishDraft(draft)
}

/** Whether a rollback of the run may begin now. */
export function canRollBack(state: RunState, context: Pick<DecisionContext, 'actor'>): boolean {
  const { status } = state.run
  if (!runMachine.final.has(status)) return false
  if (runMachine.validateTransition(status, 'COMPENSATING', context.actor) !== null) return false
  return [...state.invocations.values()].some(isRecorded)
}

/** Has an ended run be rolled back, in a decision of its own maker's; false when nothing of it can be undone. */
export function rollBack(draft: Draft): boolean {
  const may = runMachine.validateTransition(draft.run.status, 'COMPENSATING', draft.context.actor) === null
  if (!may || !runMachine.final.has(draft.run.status) || !hasRecorded(draft)) return false
  reopen(draft)
  return true
}

/** Its permits count again, but it is refused none. */
function reopen(draft: Draft): void {
  const idleMs = idleUntil(draft.run, draft.context.now)
  const set = { finishedAt: null, idleMs, pauseRequestedAt: null, cancelRequestedAt: null, deadlineAt: null }
  changeRun(draft, set, 'COMPENSATING')
}

/** What somebody decides about compensations that failed. */
export interface FailedUndos {
  /** The one that is meant; null for all that have failed. */
  readonly of: InvocationId | null
}

/** The failed compensations are tried anew. Throws `rollback_not_possible`. */
export function retryUndos(
  state: RunState,
  context: DecisionContext,
  asked: FailedUndos & {
    /** What arrives instead of what did; null to leave that as it is. */
    readonly input?: Payload | null
  },
): Decision {
  const { input = null } = asked
  const tryAnew = (draft: Draft, failed: InvocationRecord): void => {
    const undo = draft.state.workflow.nodeById.get(failed.nodeId)?.undo ?? null
    if (undo === null) throw refused(state, `its version has nothing any more that undoes “${failed.nodeId}”`)
    const id = nextInChain(failed.id)
    const cause = { ...context.cause, kind: 'retry' }
    addUndo(draft, failed, { id, undo, cause, set: { dispatch: again(draft, failed, input) } })
    const record = recordOf(draft, id)
    if (record !== undefined) begin(draft, record, undo)
  }
  return decideOnFailed(state, context, { ...asked, decide: tryAnew })
}

/** The steps of the failed compensations stay as they are, and the rollback goes on. */
export function skipUndos(state: RunState, context: DecisionContext, asked: FailedUndos): Decision {
  const passOver = (draft: Draft, failed: InvocationRecord): void => leave(draft, failed, skipCause)
  return decideOnFailed(state, context, { ...asked, decide: passOver })
}

/** Nothing more is undone. Throws `rollback_not_possible`. */
export function abandonRollback(state: RunState, context: DecisionContext): Decision {
  refuseUnlessFailed(state)
  const draft = createDraft(state, context)
  abandonAll(draft)
  return withSettled(finishDraft(draft), state)
}

function decideOnFailed(
  state: RunState,
  context: DecisionContext,
  asked: FailedUndos & { readonly decide: (draft: Draft, failed: InvocationRecord) => void },
): Decision {
  const { of, decide } = asked
  refuseUnlessFailed(state)
  const draft = createDraft(state, context)
  const failed = newestUndos(allOf(draft)).filter((record) => standingOf(record) === 'failed')
  const meant =
    of === null ? failed : failed.filter((record) => record.id === of || undoesOf(record)?.of === of)
  if (meant.length === 0) throw refused(state, `it has no failed compensation “${of ?? ''}”`)
  changeRun(draft, { waitReason: null }, 'COMPENSATING')
  for (const record of meant) decide(draft, record)
  settle(draft)
  return withSettled(finishDraft(draft), state, meant)
}

/** Dealt with: their dead letters say nothing any more. */
function withSettled(
  decision: Decision,
  state: RunState,
  failed: readonly InvocationRecord[] = newestUndos(state.invocations.values()),
): Decision {
  const settledLetters = failed.flatMap(({ id, status, error }) =>
    (status === 'FAILED' || status === 'TIMEOUT') && error !== null ? [`${id}:${error.code}`] : [],
  )
  const { checkpoint } = decision
  return { ...decision, checkpoint: { ...checkpoint, writes: { ...checkpoint.writes, settledLetters } } }
}

function refuseUnlessFailed(state: RunState): void {
  if (state.run.status !== 'COMPENSATION_FAILED') throw refused(state, `it is ${state.run.status}`)
}

const refused = (state: RunState, why: string): SagasmithError =>
  new SagasmithError('rollback_not_possible', {
    message: `The rollback of run ${state.run.id} can’t go that way: ${why}.`,
    details: { runId: state.run.id, status: state.run.status },
  })
