/**
 * Records from events: the one reducer of the engine's checks and of every view. It can go back too, so a
 * timeline moves in both directions without starting over.
 */

import type { AttemptRecord } from './attempt.ts'
import type { EventDraft } from './event.ts'
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

/** What one event replaced; enough to take it back. */
interface Replaced {
  readonly run: RunRecord | null
  readonly invocation: { readonly id: InvocationId; readonly record: InvocationRecord | null } | null
  readonly attempts: number
  readonly skipped: number
  /** The skipped nodes of the generation that the event ended; null for every other event. */
  readonly ended: readonly SkippedNode[] | null
}

/** Takes a batch of events back; only for the state that the batch led to. */
export type Inverse = readonly Replaced[]

export interface Replayed {
  readonly state: ReplayState
  readonly inverse: Inverse
}

/** Before the first event. */
export const emptyReplay: ReplayState = { run: null, invocations: new Map(), attempts: [], skipped: [] }

/** A working copy that a batch of events is applied to. */
interface Draft {
  run: RunRecord | null
  readonly invocations: Map<InvocationId, InvocationRecord>
  readonly attempts: AttemptRecord[]
  skipped: SkippedNode[]
}

/**
 * The state after a batch of events of one run, and the way back. The state given stays as it is; the cost
 * of copying it is paid once per batch, so apply what arrived together together.
 */
export function applyEvents(state: ReplayState, events: readonly EventDraft[]): Replayed {
  const draft = draftOf(state)
  const inverse = events.map((event) => applyTo(draft, event))
  return { state: draft, inverse }
}

/** The state before the batch of events that gave this inverse. */
export function revertEvents(state: ReplayState, inverse: Inverse): ReplayState {
  const draft = draftOf(state)
  for (const replaced of inverse.toReversed()) {
    draft.run = replaced.run
    draft.attempts.length = replaced.attempts
    draft.skipped.length = replaced.skipped
    if (replaced.ended !== null) draft.skipped = [...replaced.ended]
    if (replaced.invocation === null) continue
    const { id, record } = replaced.invocation
    if (record === null) draft.invocations.delete(id)
    else draft.invocations.set(id, record)
  }
  return draft
}

/** The records of a run from all of its events. */
export const replayRun = (events: readonly EventDraft[]): ReplayState =>
  applyEvents(emptyReplay, events).state

function draftOf(state: ReplayState): Draft {
  return {
    run: state.run,
    invocations: new Map(state.invocations),
    attempts: [...state.attempts],
    skipped: [...state.skipped],
  }
}

function applyTo(draft: Draft, event: EventDraft): Replaced {
  const { body, invocationId: id, runVersion } = event
  const invocation = id === null ? null : { id, record: draft.invocations.get(id) ?? null }
  const replaced: Replaced = {
    run: draft.run,
    invocation,
    attempts: draft.attempts.length,
    skipped: draft.skipped.length,
    ended: opensGeneration(body) ? draft.skipped : null,
  }
  applyBody(draft, body, invocation)
  if (runVersion !== undefined && draft.run !== null) draft.run = { ...draft.run, version: runVersion }
  return replaced
}

/** Whether a person has the run go on, under the next generation. */
const opensGeneration = (body: EventDraft['body']): boolean =>
  body.type === 'run.changed' && body.set.generation !== undefined

function applyBody(draft: Draft, body: EventDraft['body'], invocation: Replaced['invocation']): void {
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
      if (invocation?.record)
        draft.invocations.set(invocation.id, { ...invocation.record, ...body.set, status: body.to })
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
