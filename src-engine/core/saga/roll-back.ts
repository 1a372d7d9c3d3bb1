/**
 * Undoing what a run did: its compensations in the reverse order in which their steps ended, the next one
 * once the one before has ended. Where each stands is in its record, so that a restart goes on from there.
 */

import { childRunOf } from '../../model/child-run.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord, Undoing, WaitReason } from '../../model/invocation.ts'
import { assert } from '../../model/result.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { RollbackCause } from '../../model/workflow.ts'
import type { NodeUndo } from '../compile.ts'
import { dispatchWith } from '../control/hold.ts'
import type { Draft } from '../draft.ts'
import { changeRun, moveInvocation, recordOf } from '../draft.ts'
import { tellsParent, undoesRun } from '../effects.ts'
import { isRecorded, undoesOf } from '../run-state.ts'
import { placeOf } from '../scope-path.ts'
import { startNow } from '../start-now.ts'
import { abandonAll, failureOf, tryAnew } from './after-failure.ts'
import { placeOfNode } from './record-undo.ts'
import { newestUndos, rollbackBegan, standingOf, stepOfUndo, undecodable } from './undo-chain.ts'
import { allOf } from './undo-links.ts'

/**
 * Begins the rollback of a run that would end this way; false when it is to end, because nothing of it can be
 * undone or its workflow doesn't want that.
 */
export function rollsBackInstead(draft: Draft, status: RunStatus, code: string | null): boolean {
  const { saga } = draft.state.workflow
  if (saga === null) return false
  const cause = causeOf(status, code)
  return cause !== null && saga.rollbackOn.has(cause) && hasRecorded(draft)
}

function causeOf(status: RunStatus, code: string | null): RollbackCause | null {
  switch (status) {
    case 'FAILED':
      return code === 'output_quarantined' ? 'quarantined' : 'failed'
    case 'TIMED_OUT':
      return 'timed-out'
    case 'CANCELLED':
      return 'cancelled'
    case 'DENIED':
      return 'denied'
    default:
      return null
  }
}

/** Whether anything waits for a rollback. */
export function hasRecorded(draft: Draft): boolean {
  for (const record of allOf(draft)) if (isRecorded(record)) return true
  return false
}

/** Has the next compensations begin once those before them have ended; ends the rollback after the last one. */
export function rollOn(draft: Draft): void {
  while (draft.run.status === 'COMPENSATING') {
    const undos = newestUndos(allOf(draft))
    const failed = undos.filter((record) => standingOf(record) === 'failed')
    if (tryAnew(draft, failed) || undos.some((record) => standingOf(record) === 'open')) return
    if (failed.length > 0) {
      endFailed(draft, failed)
      return
    }
    const next = nextUnit(draft, undos.filter(isRecorded))
    if (next.length === 0) {
      endRollback(draft, 'COMPENSATED')
      return
    }
    const begunAt = rollbackBegan(undos, draft.context.now)
    for (const record of next) release(draft, record, begunAt)
  }
}

/** A person is asked, unless the groups of all that failed have it stop there. */
function endFailed(draft: Draft, failed: readonly InvocationRecord[]): void {
  if (failed.some((record) => failureOf(draft, record) !== 'stop')) {
    endRollback(draft, 'COMPENSATION_FAILED')
    return
  }
  changeRun(draft, {}, 'COMPENSATION_FAILED')
  abandonAll(draft)
}

/** A parent is told once: by the first of these that it hears of it goes on. */
function endRollback(draft: Draft, to: 'COMPENSATED' | 'COMPENSATION_FAILED'): void {
  changeRun(
    draft,
    to === 'COMPENSATED' ? { finishedAt: draft.context.now } : { waitReason: needsAPerson },
    to,
  )
  tellsParent(draft)
}

const needsAPerson: WaitReason = {
  code: 'compensation_failed',
  message: 'What undoes a step has failed: somebody has to try again, to pass over it, or to give it up.',
}

/** The one whose step ended last; with it, what is undone at the same time. */
function nextUnit(draft: Draft, recorded: readonly InvocationRecord[]): readonly InvocationRecord[] {
  let last: InvocationRecord | null = null
  for (const record of recorded) if (last === null || placeIn(record) > placeIn(last)) last = record
  if (last === null) return []
  const scope = parallelScopeOf(draft, last)
  if (scope === null) return [last]
  return recorded
    .filter((record) => parallelScopeOf(draft, record) === scope)
    .sort((a, b) => placeIn(b) - placeIn(a))
}

const placeIn = (record: InvocationRecord): number => undoesOf(record)?.place ?? 0

/** The parallel scope that a step is in, itself or together with a map or loop around it; null for none. */
function parallelScopeOf(draft: Draft, record: InvocationRecord): string | null {
  const scopes = draft.state.workflow.saga?.parallelScopes
  if (scopes === undefined || scopes.size === 0) return null
  let { nodeId, path } = record
  for (;;) {
    const scope = scopes.get(nodeId)
    if (scope !== undefined) return `${scope}@${path}#${record.generation}`
    if (path === '') return null
    const { container, parent } = placeOf(path)
    nodeId = container
    path = parent
  }
}

/** From here on it is an invocation like any other, and the first in line. */
function release(draft: Draft, record: InvocationRecord, begunAt: Instant): void {
  const undoes = undoesOf(record)
  if (undoes === null) return
  const { run, context } = draft
  const since: Undoing = {
    of: undoes.of,
    place: undoes.place,
    uncertain: undoes.uncertain,
    since: context.now,
    begunAt,
  }
  const cause = { kind: 'rollback', by: run.id, detail: null }
  const begun = { wait: null, dispatch: dispatchWith(record, { undoes: since }) }
  const undo = draft.state.workflow.nodeById.get(record.nodeId)?.undo ?? null
  if (undo === null || undo.node.kind !== record.taskKind) {
    const error = errorRecord(undecodable, { details: { nodeId: record.nodeId, taskKind: record.taskKind } })
    moveInvocation(draft, record.id, { to: 'FAILED', cause, set: { ...begun, error } })
    return
  }
  const released = moveInvocation(draft, record.id, {
    to: 'REROUTED',
    cause,
    // Pools may have other topics than when it was recorded.
    set: { ...begun, ...placeOfNode(undo.node, context), notBefore: context.now },
  })
  begin(draft, released, undo)
}

/** It is available from now on: taken at once where there is room. */
export function begin(draft: Draft, record: InvocationRecord, undo: NodeUndo): void {
  if (undo.kind === 'child') undoChild(draft, record)
  else startNow(draft, record)
}

/** The run that the step started is rolled back, and the compensation waits for the end of that. */
function undoChild(draft: Draft, record: InvocationRecord): void {
  const step = recordOf(draft, stepOfUndo(record.id))
  const child = step === undefined ? null : childRunOf(step)
  assert(child !== null, 'what a sub-workflow did is recorded with the success that tells of its run')
  moveInvocation(draft, record.id, {
    to: 'WAITING',
    set: {
      wait: { kind: 'run', runId: child },
      waitReason: { code: 'run', message: `Waits until the run ${child} is rolled back.` },
    },
  })
  undoesRun(draft, { runId: child, parentRunId: draft.run.id, parentInvocationId: record.id })
}
