/** Records from events: the one reducer of the engine's checks and of every view. */

import type { AttemptRecord } from './attempt.ts'
import type { EventBody, EventChange } from './event.ts'
import type { InvocationId, NodeId } from './ids.ts'
import type { InvocationRecord } from './invocation.ts'
import type { RunRecord } from './run.ts'

/** A node that will not run in a generation of its run. */
export interface SkippedNode {
  readonly nodeId: NodeId
  readonly path: string
  readonly generation: number
}

/** One run as its events tell it. */
export interface ReplayState {
  readonly run: RunRecord | null
  /** In order of registration. */
  readonly invocations: ReadonlyMap<InvocationId, InvocationRecord>
  /** In the order in which they ended. */
  readonly attempts: readonly AttemptRecord[]
  readonly skipped: readonly SkippedNode[]
}

/** Before the first event. */
export const emptyReplay: ReplayState = { run: null, invocations: new Map(), attempts: [], skipped: [] }

/** What is read of an event. */
type Change = Omit<EventChange, 'at'>

/** A working copy that a batch of events is applied to. */
interface Draft {
  run: RunRecord | null
  readonly invocations: Map<InvocationId, InvocationRecord>
  readonly attempts: AttemptRecord[]
  skipped: SkippedNode[]
}

/**
 * The state after a batch of events of one run. The state given stays as it is; the cost of copying it is paid once
 * per batch, so apply what arrived together together.
 */
export function applyEvents(state: ReplayState, events: readonly Change[]): ReplayState {
  const draft = draftOf(state)
  for (const event of events) applyTo(draft, event)
  return draft
}

/** The records of a run from all of its events. */
export const replayRun = (events: readonly Change[]): ReplayState => applyEvents(emptyReplay, events)

function draftOf(state: ReplayState): Draft {
  return {
    run: state.run,
    invocations: new Map(state.invocations),
    attempts: [...state.attempts],
    skipped: [...state.skipped],
  }
}

function applyTo(draft: Draft, event: Change): void {
  const { body, invocationId: id, runVersion } = event
  applyBody(draft, body, id)
  if (runVersion !== undefined && draft.run !== null) draft.run = { ...draft.run, version: runVersion }
}

/** Whether a person has the run go on, under the next generation. */
const opensGeneration = (body: EventBody): boolean =>
  body.type === 'run.changed' && body.set.generation !== undefined

function applyBody(draft: Draft, body: EventBody, id: InvocationId | null): void {
  const record = id === null ? undefined : draft.invocations.get(id)
  switch (body.type) {
    case 'run.created':
      draft.run = body.run
      break
    case 'run.changed':
      if (draft.run !== null) draft.run = { ...draft.run, ...body.set, status: body.to }
      // What stays skipped is told again.
      if (opensGeneration(body)) draft.skipped = []
      break
    case 'invocation.registered':
      draft.invocations.set(body.invocation.id, body.invocation)
      break
    case 'invocation.changed':
      if (record !== undefined) draft.invocations.set(record.id, { ...record, ...body.set, status: body.to })
      if (body.attempt !== null) draft.attempts.push(body.attempt)
      break
    case 'node.skipped':
      draft.skipped.push({ nodeId: body.nodeId, path: body.path, generation: body.generation })
      break
    case 'register.changed':
    case 'epoch.changed':
      break
  }
}
