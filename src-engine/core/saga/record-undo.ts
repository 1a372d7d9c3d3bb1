/** Recording what undoes a step, in the decision that ends the step. */

import type { ErrorRecord } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import { invocationIdOf } from '../../model/ids.ts'
import type { Cause, InvocationRecord, Undoes } from '../../model/invocation.ts'
import { newInvocation } from '../../model/new-records.ts'
import { passedOverBy } from '../../model/passed-over.ts'
import { leavesUnknownEffect } from '../../model/unknown-effect.ts'
import type { CompiledNode, NodeUndo } from '../compile.ts'
import type { DecisionContext, Draft, EndedStep } from '../draft.ts'
import { addInvocation, moveInvocation, nodeOf, recordOf } from '../draft.ts'
import { poolAt, routeAt } from '../routing/node-route.ts'

/** Records what undoes the steps that the decision has ended, in the order in which they ended. */
export function recordEnded(draft: Draft): void {
  const { ended } = draft
  if (ended === null) return
  draft.ended = null
  for (const step of ended) {
    const { undo } = nodeOf(draft, step.after)
    // What a sub-workflow did is known once its run has told of its end.
    if (undo === null || undo.kind === 'child') continue
    if (hasEffect(step.after)) recordUndo(draft, step.after, { undo, uncertain: false })
    else if (mayHaveEffect(draft, step)) recordUndo(draft, step.after, { undo, uncertain: true })
  }
}

/** Records that the run which the step waited for is undone with it, if that did something that can be. */
export function recordChild(draft: Draft, step: InvocationRecord, isUndoable: boolean): void {
  const { undo } = nodeOf(draft, step)
  if (isUndoable && undo?.kind === 'child') recordUndo(draft, step, { undo, uncertain: false })
}

/** Records what undoes one step; nothing where that has been done. */
function recordUndo(
  draft: Draft,
  step: InvocationRecord,
  by: { readonly undo: NodeUndo; readonly uncertain: boolean },
): void {
  const id = undoIdOf(step)
  if (recordOf(draft, id) !== undefined) return
  draft.lastPlace += 1
  addUndo(draft, step, { id, undo: by.undo, cause: { kind: 'recorded', by: step.id, detail: null } })
  const undoes: Undoes = { of: step.id, place: draft.lastPlace, uncertain: by.uncertain }
  moveInvocation(draft, id, { to: 'WAITING', set: { wait: { kind: 'rollback', ...undoes } } })
}

/** Registers a compensation of the step. */
export function addUndo(
  draft: Draft,
  step: Pick<InvocationRecord, 'nodeId' | 'generation' | 'path'>,
  made: {
    readonly id: InvocationId
    /** Null for one that nobody executes. */
    readonly undo: NodeUndo | null
    readonly cause: Cause
    readonly set?: Partial<InvocationRecord>
  },
): void {
  const { run, context } = draft
  const node = made.undo?.node ?? null
  addInvocation(
    draft,
    newInvocation({
      id: made.id,
      runId: run.id,
      nodeId: step.nodeId,
      taskKind: node?.kind ?? '',
      generation: step.generation,
      path: step.path,
      role: 'compensation',
      priority: 'CRITICAL',
      tags: node?.tags ?? [],
      permits: node?.permits?.plan ?? null,
      ...(node === null ? {} : placeOfNode(node, context)),
      registeredAt: context.now,
      cause: made.cause,
      ...made.set,
    }),
  )
}

/** Where it may run, as pools and topics are now. */
export function placeOfNode(
  node: CompiledNode,
  { pools = null, now }: Pick<DecisionContext, 'pools' | 'now'>,
): Pick<InvocationRecord, 'pool' | 'route'> {
  const route = node.route === null && pools === null ? null : routeAt(node, pools, now)
  return { route, pool: route === null ? node.pool : poolAt(node, route) }
}

const undoIdOf = ({ runId, generation, nodeId, path }: InvocationRecord): InvocationId =>
  invocationIdOf({ runId, generation, nodeId, path, role: 'compensation' })

/** What its own condition kept from running has done nothing. */
const hasEffect = (step: InvocationRecord): boolean =>
  (step.status === 'SUCCESS' && passedOverBy(step) === null) || step.status === 'OUTPUT_QUARANTINED'

/** The task did what it does, and what it gave was refused; or nobody can say. */
const leavingCodes: ReadonlySet<string> = new Set([
  'worker_lost',
  'indeterminate_effect',
  'task_output_invalid',
  'task_output_too_large',
  'payload_too_large',
  'task_timeout',
])

/** Whether a step that failed with this error may have had its effect. */
export const leavesEffect = (error: ErrorRecord | null): boolean =>
  error !== null && (leavingCodes.has(error.code) || leavesUnknownEffect(error))

/** Whether its effect may have happened although it tells of no success. */
function mayHaveEffect(draft: Draft, { before, after }: EndedStep): boolean {
  if (after.attempt === 0 || nodeOf(draft, after).sideEffect === 'pure') return false
  if (after.crashCount > 0 || after.dispatch?.hadUnknownEffect === true)
    return !isSaidByAPerson(draft, before)
  switch (after.status) {
    case 'TIMEOUT':
      return true
    case 'CANCELLED':
      // Between two tries the last one has told how it ended.
      return before.status !== 'RETRY' && passedOverBy(after) === null
    case 'FAILED':
      return leavesEffect(after.error) && !isSaidByAPerson(draft, before)
    default:
      return false
  }
}

/** Somebody looked at the outside before saying that it had failed. */
const isSaidByAPerson = (draft: Draft, before: InvocationRecord): boolean =>
  before.status === 'APPROVAL_REQUIRED' && draft.context.actor.kind === 'operator'
