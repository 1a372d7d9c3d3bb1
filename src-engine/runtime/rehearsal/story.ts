/** What happened in a rehearsed run, read from its events alone: what was done, and what was undone, and when. */

import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, NodeId } from '../../model/ids.ts'
import type { InvocationRecord, Undoes } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'

/** Places count events of the run, from 0. */
export interface Doing {
  readonly id: InvocationId
  readonly nodeId: NodeId
  readonly status: InvocationStatus
  /** When it first ran; null when it never did. */
  readonly began: number | null
  /** When it ended; null when it hasn't. */
  readonly ended: number | null
}

/** One compensation. */
export interface UndoingStory extends Doing {
  /** The step that it undoes; null when nothing says so. */
  readonly of: InvocationId | null
}

export interface Story {
  readonly steps: readonly Doing[]
  readonly undoings: readonly UndoingStory[]
}

interface Told {
  record: InvocationRecord
  began: number | null
  ended: number | null
  undoes: Undoes | null
}

/** The story of a run; events of others are passed over. */
export function storyOf(events: readonly EngineEvent[]): Story {
  const told = new Map<InvocationId, Told>()
  for (const [place, event] of events.entries()) tell(told, event, place)
  const all = [...told.entries()].map(([id, { record, began, ended, undoes }]) => {
    const { nodeId, status } = record
    return { id, nodeId, status, began, ended, of: undoes?.of ?? null, role: record.role }
  })
  return {
    steps: all.filter(({ role }) => role === 'forward'),
    undoings: all.filter(({ role }) => role === 'compensation'),
  }
}

function tell(told: Map<InvocationId, Told>, { invocationId, body }: EngineEvent, place: number): void {
  if (body.type === 'invocation.registered') {
    const { invocation } = body
    told.set(invocation.id, { record: invocation, began: null, ended: null, undoes: undoesOf(invocation) })
    return
  }
  if (body.type !== 'invocation.changed' || invocationId === null) return
  const known = told.get(invocationId)
  if (known === undefined) return
  known.record = { ...known.record, ...body.set, status: body.to }
  known.undoes ??= undoesOf(body.set)
  if (body.to === 'RUNNING') known.began ??= place
  if (invocationMachine.final.has(body.to)) known.ended ??= place
}

const undoesOf = ({ wait, dispatch }: Partial<InvocationRecord>): Undoes | null =>
  wait?.kind === 'rollback' ? wait : (dispatch?.undoes ?? null)
