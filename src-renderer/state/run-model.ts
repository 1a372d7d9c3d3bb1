/**
 * What the canvas knows of one run: the reducer's state, and a view per node that keeps its identity while
 * nothing about that node changes. Pure, and able to go back: the timeline is built on it.
 */

import type { AttemptRecord } from '../../src-engine/model/attempt.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { Inverse, ReplayState } from '../../src-engine/model/replay.ts'
import { applyEvents, emptyReplay, revertEvents } from '../../src-engine/model/replay.ts'
import type { RunSnapshot } from '../../src-engine/protocol/snapshot.ts'

/** The state of one node in one run. */
export interface NodeRun {
  /** The newest forward invocation outside of loops; null for a node that was skipped. */
  readonly invocation: InvocationRecord | null
  readonly attempts: readonly AttemptRecord[]
  readonly isSkipped: boolean
  /** In the body of a map or loop: how many of its turns have ended, of how many known; else null. */
  readonly turns: Turns | null
}

export interface Turns {
  readonly done: number
  readonly total: number
}

/** A run as far as its events were applied. */
export interface RunModel {
  readonly replay: ReplayState
  readonly nodes: ReadonlyMap<string, NodeRun>
}

export const emptyRunModel: RunModel = { replay: emptyReplay, nodes: new Map() }

/** The model of a snapshot. Attempts come with later events, or are fetched. */
export function modelOfSnapshot(snapshot: RunSnapshot, attempts: readonly AttemptRecord[] = []): RunModel {
  const replay: ReplayState = {
    run: snapshot.run,
    invocations: new Map(snapshot.invocations.map((invocation) => [invocation.id, invocation])),
    attempts,
    skipped: snapshot.skipped,
  }
  return { replay, nodes: nodesOf(replay, new Map()) }
}

/** The model after events, and the way back. */
export function advance(
  model: RunModel,
  events: readonly EngineEvent[],
): { readonly model: RunModel; readonly inverse: Inverse } {
  const { state, inverse } = applyEvents(model.replay, events)
  return { model: { replay: state, nodes: nodesOf(state, model.nodes) }, inverse }
}

/** The model before the events that gave this inverse. */
export function rewind(model: RunModel, inverse: Inverse): RunModel {
  const replay = revertEvents(model.replay, inverse)
  return { replay, nodes: nodesOf(replay, model.nodes) }
}

/** The newest forward invocation of each node; inside of a body that of the turn begun last. */
function newestByNode(replay: ReplayState): ReadonlyMap<string, InvocationRecord> {
  const newest = new Map<string, InvocationRecord>()
  for (const invocation of replay.invocations.values()) {
    if (invocation.role !== 'forward') continue
    const known = newest.get(invocation.nodeId)
    if (known === undefined || invocation.generation >= known.generation)
      newest.set(invocation.nodeId, invocation)
  }
  return newest
}

/** How far the nodes inside of bodies have come. A map knows its items before their steps begin. */
function turnsByNode(
  replay: ReplayState,
  newest: ReadonlyMap<string, InvocationRecord>,
): ReadonlyMap<string, Turns> {
  const counts = new Map<string, { done: number; begun: number; path: string }>()
  for (const { nodeId, path, generation, role, finishedAt } of replay.invocations.values()) {
    if (path === '' || role !== 'forward' || generation !== newest.get(nodeId)?.generation) continue
    const known = counts.get(nodeId) ?? { done: 0, begun: 0, path }
    counts.set(nodeId, { done: known.done + (finishedAt === null ? 0 : 1), begun: known.begun + 1, path })
  }
  const turns = new Map<string, Turns>()
  for (const [id, { done, begun, path }] of counts) {
    turns.set(id, { done, total: Math.max(begun, plannedTurns(path, newest)) })
  }
  return turns
}

/** The items of the map right under the run whose body this path is in; 0 when it isn't known. */
function plannedTurns(path: string, newest: ReadonlyMap<string, InvocationRecord>): number {
  const [container = ''] = path.split(':')
  const wait = path.includes('/') ? null : (newest.get(container)?.wait ?? null)
  return wait?.kind === 'items' ? wait.count : 0
}

function nodesOf(replay: ReplayState, before: ReadonlyMap<string, NodeRun>): ReadonlyMap<string, NodeRun> {
  const newest = newestByNode(replay)
  const attemptsById = Map.groupBy(replay.attempts, (attempt) => attempt.invocationId)
  const turns = turnsByNode(replay, newest)
  const nodes = new Map<string, NodeRun>()
  for (const [id, invocation] of newest) {
    nodes.set(
      id,
      kept(before.get(id), {
        invocation,
        attempts: attemptsById.get(invocation.id) ?? [],
        isSkipped: false,
        turns: turns.get(id) ?? null,
      }),
    )
  }
  for (const { nodeId } of replay.skipped) {
    if (!nodes.has(nodeId))
      nodes.set(
        nodeId,
        kept(before.get(nodeId), { invocation: null, attempts: [], isSkipped: true, turns: null }),
      )
  }
  return nodes
}

/** The view from before when it says the same, so that only nodes that changed are drawn again. */
function kept(before: NodeRun | undefined, now: NodeRun): NodeRun {
  if (before === undefined) return now
  const same =
    before.invocation === now.invocation &&
    before.isSkipped === now.isSkipped &&
    before.turns?.done === now.turns?.done &&
    before.turns?.total === now.turns?.total &&
    before.attempts.length === now.attempts.length
  return same ? before : now
}
