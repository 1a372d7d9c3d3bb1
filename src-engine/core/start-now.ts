/** Taking an available invocation in the checkpoint that made it so, when the runner has a slot for it. */

import { gateStepId } from '../model/engine-steps.ts'
import type { InvocationRecord, PermitPlan } from '../model/invocation.ts'
import type { CompiledNode } from './compile.ts'
import { breakpointOf } from './control/breakpoints.ts'
import { isPauseAsked } from './control/hold.ts'
import { isInPausedBody } from './control/paused-bodies.ts'
import { isPausing } from './control/pausing.ts'
import type { Draft } from './draft.ts'
import { moveInvocation, nodeOfRecord } from './draft.ts'
import { isStopping } from './stopping.ts'
import { timeCountsFrom } from './time-counts.ts'

/** Claims and starts the invocation when the claimant has room; leaves it available otherwise. */
export function startNow(draft: Draft, record: InvocationRecord): void {
  const { claimant, now } = draft.context
  if (claimant === null || draft.started.length >= claimant.capacity) return
  if (record.notBefore !== null && record.notBefore > now) return
  // Who is next in line, and whether there is room: the claim in the store decides.
  if (record.permits !== null) return
  // It opens the run's beginning, and isn't executed.
  if (record.nodeId === gateStepId) return
  if (!claimant.accepts(record) || isPausing(draft) || isStopping(draft)) return
  // Whether it is to stop there is asked when it is claimed.
  if (breakpointOf(draft.run, record) !== null) return
  if (isPauseAsked(record) || isInPausedBody(draft, record.path)) return
  // Who failed with it last leaves it to others for a moment.
  if (record.dispatch?.lastFailedRunner === claimant.runnerId) return
  moveInvocation(draft, record.id, { to: 'PENDING' })
  draft.started.push(enterRunning(draft, record))
}

/** PENDING → RUNNING: a new attempt begins, with its durable deadline. */
export function enterRunning(
  draft: Draft,
  record: InvocationRecord,
  permits: PermitPlan | null = record.permits,
): InvocationRecord {
  const node = nodeOfRecord(draft.state.workflow, record)
  return moveInvocation(draft, record.id, {
    to: 'RUNNING',
    set: {
      attempt: record.attempt + 1,
      startedAt: draft.context.now,
      deadlineAt: node === undefined ? null : boundDeadline(draft, record, deadlineOf(draft, node, record)),
      permits: permits === null ? null : outOfLine(permits),
    },
  })
}

const outOfLine = (permits: PermitPlan): PermitPlan =>
  permits.blockedSince === null ? permits : { ...permits, blockedSince: null, blockedBy: null }

function deadlineOf(draft: Draft, node: CompiledNode, record: InvocationRecord): number {
  const attemptEnd = draft.context.now + node.attemptTimeoutMs
  return node.totalTimeoutMs === null
    ? attemptEnd
    : Math.min(attemptEnd, timeCountsFrom(record) + node.totalTimeoutMs)
}

/** A policy may allow less time than the node does. */
function boundDeadline(draft: Draft, { dispatch }: InvocationRecord, deadlineAt: number): number {
  const boundMs = dispatch?.policy?.constraints?.maxRuntimeMs
  return boundMs === undefined ? deadlineAt : Math.min(deadlineAt, draft.context.now + boundMs)
}

/** Fills the claimant's room with invocations of this run that were registered earlier. */
export function startEarlier(draft: Draft): void {
  const { claimant } = draft.context
  if (claimant === null || !claimant.takesEarlier || isStopping(draft)) return
  for (const id of draft.state.available) {
    if (draft.started.length >= claimant.capacity) return
    const record = draft.records.get(id) ?? draft.state.invocations.get(id)
    if (record === undefined || draft.records.has(id)) continue
    startNow(draft, record)
  }
}
