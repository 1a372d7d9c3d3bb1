/**
 * Joins that wait only so long: with the first branch that comes they have a record, which waits for the others. Its
 * instant is a timer like any other, so it survives restarts and stands still with a pause.
 */

import type { Cause, InvocationRecord } from '../model/invocation.ts'
import { outputPort, timeoutPort } from '../model/workflow.ts'
import type { CompiledNode } from './compile.ts'
import type { Draft, ScopeDraft } from './draft.ts'
import { moveInvocation, recordOf } from './draft.ts'
import { forwardId } from './run-state.ts'
import { waitEndOf } from './wait-ends.ts'

/** Whether it waits for branches that haven't come. */
export const awaitsBranches = ({ status, wait }: InvocationRecord): boolean =>
  status === 'WAITING' && wait?.kind === 'join'

/** The record of a join that waits for more branches; null for every other step. */
export function waitingJoin(draft: Draft, node: CompiledNode, path: string): InvocationRecord | null {
  if (node.join.rules.timeoutMs === null) return null
  const record = recordOf(draft, forwardId(draft.state, node.id, path))
  return record !== undefined && awaitsBranches(record) ? record : null
}

/** Whether a join without a record is to have one now, for some have come and others haven't. */
export const beginsWaiting = (node: CompiledNode, taken: number): boolean =>
  taken > 0 && node.join.rules.timeoutMs !== null && node.behaviour !== 'skip'

/** A join that has just been registered waits for its other branches. */
export function awaitBranches(draft: Draft, node: CompiledNode, record: InvocationRecord): void {
  const until = draft.context.now + (node.join.rules.timeoutMs ?? 0)
  moveInvocation(draft, record.id, {
    to: 'WAITING',
    set: {
      wait: { kind: 'join' },
      notBefore: waitEndOf(node, record, until),
      waitReason: { code: 'join', message: 'Waits for its other branches.' },
    },
  })
}

/** It waits no longer; what had arrived is its input from here on. */
export function endBranchWait(draft: Draft, record: InvocationRecord, cause: Cause): InvocationRecord {
  return moveInvocation(draft, record.id, { to: 'REROUTED', cause, set: { wait: null, cause } })
}

/**
 * The ways that a step leaves by which hands on what arrived: of a join, by whether it has what it waits for or its time
 * is over; null for all.
 */
export function portsPassedOn(
  { join, passedBy }: CompiledNode,
  { wait }: InvocationRecord,
): readonly string[] | null {
  if (join.rules.timeoutMs === null || join.rules.onTimeout !== 'port') return passedBy
  return [wait?.kind === 'join' && wait.isLate === true ? timeoutPort : outputPort]
}

/** How many of its ways in were taken so far. */
export const takenInto = (scope: ScopeDraft, node: CompiledNode): number =>
  node.waysIn.filter(
    ({ index }) => (scope.edges?.get(index) ?? scope.before.edgeDecisions[index]) === 'taken',
  ).length
