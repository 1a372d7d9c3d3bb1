/**
 * The rules of rollbacks, judged by what happened: each step is undone once, in the reverse order in which
 * they ended, none that had no effect, and none of a run that succeeded.
 */

import type { InvocationId, NodeId } from '../../model/ids.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { SagaCoverage } from '../../model/saga-coverage.ts'
import type { RollbackCause, WorkflowDocument } from '../../model/workflow.ts'
import type { RehearsalViolation } from '../../protocol/rehearsal.ts'
import type { Doing, Story, UndoingStory } from './story.ts'

/** A rehearsed run that has come to its end. */
export interface Ended {
  readonly document: WorkflowDocument
  readonly coverage: SagaCoverage
  readonly story: Story
  readonly status: RunStatus
}

/** Empty when all rules were kept. */
export function violationsIn(ended: Ended): readonly RehearsalViolation[] {
  return [
    ...undoneTwice(ended),
    ...notUndone(ended),
    ...forNothing(ended),
    ...wrongOrder(ended),
    ...wrongEnd(ended),
  ]
}

const violation = (code: string, message: string): RehearsalViolation => ({ code, message })

function undoneTwice({ story }: Ended): RehearsalViolation[] {
  const seen = new Set<InvocationId | null>()
  return story.undoings.flatMap(({ of, nodeId, status }) => {
    if (status !== 'SUCCESS') return []
    if (seen.has(of)) return [violation('undone_twice', `“${nodeId}” was undone more than once.`)]
    seen.add(of)
    return []
  })
}

const causes: Partial<Record<RunStatus, RollbackCause>> = {
  FAILED: 'failed',
  TIMED_OUT: 'timed-out',
  CANCELLED: 'cancelled',
  DENIED: 'denied',
}

function notUndone({ story, status, coverage, document }: Ended): RehearsalViolation[] {
  const cause = causes[status]
  const rollsBack = cause !== undefined && (document.settings?.rollbackOn?.includes(cause) ?? true)
  if (status !== 'COMPENSATED' && !rollsBack) return []
  const planned = new Set(coverage.effects.flatMap(({ plan, nodeId }) => (plan === 'undone' ? [nodeId] : [])))
  const dealtWith = new Set(story.undoings.flatMap(({ of, ended }) => (ended === null ? [] : [of])))
  return story.steps
    .filter(({ id, nodeId, status: end }) => planned.has(nodeId) && end === 'SUCCESS' && !dealtWith.has(id))
    .map(({ nodeId }) => violation('not_undone', `“${nodeId}” had its effect and was not undone.`))
}

function forNothing({ story, status }: Ended): RehearsalViolation[] {
  const steps = new Map(story.steps.map((step) => [step.id, step]))
  return story.undoings.flatMap(({ of, nodeId, began }) => {
    if (began === null) return []
    if (status === 'SUCCEEDED') {
      return [violation('undone_for_nothing', `“${nodeId}” was undone although the run succeeded.`)]
    }
    const step = of === null ? undefined : steps.get(of)
    if (step !== undefined && step.began !== null && step.ended !== null) return []
    return [violation('undone_for_nothing', `“${nodeId}” was undone although it never did anything.`)]
  })
}

/** An undoing, and when the step ended that it undoes. */
interface Placed extends UndoingStory {
  readonly place: number
  readonly scope: string | null
}

function wrongOrder({ story, document }: Ended): RehearsalViolation[] {
  const placed = placedOf(story, document).sort((a, b) => b.place - a.place)
  const found: RehearsalViolation[] = []
  for (const [index, later] of placed.entries()) {
    // What ended before it may begin to be undone only once it is undone itself.
    for (const earlier of placed.slice(index + 1)) {
      if (earlier.began === null || (earlier.scope !== null && earlier.scope === later.scope)) continue
      if (later.ended !== null && later.ended < earlier.began) continue
      const message = `“${earlier.nodeId}” was undone before “${later.nodeId}”, which had ended after it.`
      found.push(violation('wrong_order', message))
    }
  }
  return found
}

/** Steps of a parallel scope are undone together, in the place of the last one of them. */
function placedOf(story: Story, document: WorkflowDocument): Placed[] {
  const ends = new Map<InvocationId | null, Doing>(story.steps.map((step) => [step.id, step]))
  const scopes = parallelScopes(document)
  const own = story.undoings.map((undoing) => ({
    ...undoing,
    place: ends.get(undoing.of)?.ended ?? 0,
    scope: scopes.get(undoing.nodeId) ?? null,
  }))
  const lastOf = new Map<string, number>()
  for (const { scope, place } of own)
    if (scope !== null) lastOf.set(scope, Math.max(place, lastOf.get(scope) ?? 0))
  return own.map((one) => (one.scope === null ? one : { ...one, place: lastOf.get(one.scope) ?? one.place }))
}

function parallelScopes(document: WorkflowDocument): ReadonlyMap<NodeId, string> {
  const scopes = Object.entries(document.sagaScopes ?? {})
  return new Map(
    scopes.flatMap(([id, { nodes, order }]) =>
      order === 'parallel' ? nodes.map((node) => [node, id] as const) : [],
    ),
  )
}

function wrongEnd({ story, status }: Ended): RehearsalViolation[] {
  const rolledBack = story.undoings.some(({ began }) => began !== null)
  const isEnd = status === 'COMPENSATED' || status === 'COMPENSATION_FAILED' || status === 'ABANDONED'
  if (!rolledBack || isEnd || status === 'SUCCEEDED') return []
  return [violation('wrong_end', `Steps were undone, and the run is ${status}.`)]
}
