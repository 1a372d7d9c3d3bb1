/**
 * What the canvas knows of one run: the reducer's state, and a view per node that keeps its identity while
 * nothing about that node changes. Pure.
 */

import type { AttemptRecord } from '../../src-engine/model/attempt.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { ReplayState } from '../../src-engine/model/replay.ts'
import { applyEvents, emptyReplay } from '../../src-engine/model/replay.ts'
import type { RunSnapshot } from '../../src-engine/protocol/snapshot.ts'
import type { Ways } from './generations.ts'
import { newestByNode } from './generations.ts'
import type { Strip, TurnChoice } from './turns.ts'
import { chosenPath, placeOf, recordsByPlace, scopeOf, stripsOf } from './turns.ts'

/** The state of one node in one run. */
export interface NodeRun {
  /** The newest forward invocation, in a body that of the turn looked at; null for a node that was skipped. */
  readonly invocation: InvocationRecord | null
  readonly attempts: readonly AttemptRecord[]
  readonly isSkipped: boolean
  /** In the body of a map or loop: how many of its turns have ended, of how many known; else null. */
  readonly turns: Turns | null
  /** Of a map or loop: how each of its turns fares; null for every other node. */
  readonly strip: Strip | null
  /** What undoes it, in the place that is looked at; null while nothing is recorded. */
  readonly undo: InvocationRecord | null
}

export interface Turns {
  readonly done: number
  readonly total: number
}

/** A run as far as its events were applied. */
export interface RunModel {
  readonly replay: ReplayState
  readonly nodes: ReadonlyMap<string, NodeRun>
  /** Every scope of every map and loop. */
  readonly strips: ReadonlyMap<string, Strip>
  /** How its nodes follow each other. */
  readonly ways: Ways
}

export const emptyRunModel: RunModel = {
  replay: emptyReplay,
  nodes: new Map(),
  strips: new Map(),
  ways: new Map(),
}

/** The model of a snapshot. Attempts come with later events, or are fetched. */
export function modelOfSnapshot(
  snapshot: RunSnapshot,
  attempts: readonly AttemptRecord[] = [],
  ways: Ways = emptyRunModel.ways,
): RunModel {
  const replay: ReplayState = {
    run: snapshot.run,
    invocations: new Map(snapshot.invocations.map((invocation) => [invocation.id, invocation])),
    attempts,
    skipped: snapshot.skipped,
  }
  return modelOf(replay, { ...emptyRunModel, ways })
}

/**
 * The model after events. A run of many steps has thousands of events in a second: only what they touch is looked at,
 * but for bodies, where one step changes what is said of others, and for runs that somebody had go on.
 */
export function advance(model: RunModel, events: readonly EngineEvent[]): RunModel {
  const replay = applyEvents(model.replay, events)
  const nodes = nodesAfter(model, replay, events)
  return nodes === null ? modelOf(replay, model) : { ...model, replay, nodes }
}

/** The model of other records of the same run; nodes that are the same keep their identity. */
export const modelAt = (replay: ReplayState, near: RunModel): RunModel => modelOf(replay, near)

/** The same records with other attempts. */
export function withAttempts(model: RunModel, attempts: readonly AttemptRecord[]): RunModel {
  return modelOf({ ...model.replay, attempts }, model)
}

function modelOf(replay: ReplayState, before: RunModel): RunModel {
  const { ways } = before
  const newest = newestByNode(replay, ways)
  const current: InvocationRecord[] = []
  for (const record of replay.invocations.values()) {
    if (record.role === 'forward' && record.generation === newest.get(record.nodeId)?.generation)
      current.push(record)
  }
  const strips = stripsOf(current)
  const nodes = nodesOf(replay, { newest, strips, turns: turnsByNode(current, newest), before: before.nodes })
  return { replay, nodes, strips, ways }
}

/** How far the nodes inside of bodies have come. A map knows its items before their steps begin. */
function turnsByNode(
  current: readonly InvocationRecord[],
  newest: ReadonlyMap<string, InvocationRecord>,
): ReadonlyMap<string, Turns> {
  const counts = new Map<string, { done: number; begun: number; readonly path: string }>()
  for (const { nodeId, path, finishedAt } of current) {
    if (path === '') continue
    let known = counts.get(nodeId)
    if (known === undefined) {
      known = { done: 0, begun: 0, path }
      counts.set(nodeId, known)
    }
    known.begun += 1
    if (finishedAt !== null) known.done += 1
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

interface Known {
  readonly newest: ReadonlyMap<string, InvocationRecord>
  readonly strips: ReadonlyMap<string, Strip>
  readonly turns: ReadonlyMap<string, Turns>
  readonly before: ReadonlyMap<string, NodeRun>
}

function nodesOf(replay: ReplayState, { newest, strips, turns, before }: Known): RunModel['nodes'] {
  const attemptsById = Map.groupBy(replay.attempts, (attempt) => attempt.invocationId)
  const undos = undosByPlace(replay)
  const nodes = new Map<string, NodeRun>()
  for (const [id, invocation] of newest) {
    const now: NodeRun = {
      invocation,
      attempts: attemptsById.get(invocation.id) ?? [],
      isSkipped: false,
      turns: turns.get(id) ?? null,
      strip: strips.get(scopeOf(invocation.path, id)) ?? null,
      undo: undos.get(placeOf(id, invocation.path)) ?? null,
    }
    nodes.set(id, kept(before.get(id), now))
  }
  for (const { nodeId } of replay.skipped) {
    if (!nodes.has(nodeId)) nodes.set(nodeId, kept(before.get(nodeId), skippedRun))
  }
  return nodes
}

/** The nodes once these events were applied; null where all records have to be looked at for that. */
function nodesAfter(
  before: RunModel,
  replay: ReplayState,
  events: readonly EngineEvent[],
): RunModel['nodes'] | null {
  if (before.replay.run === null || replay.run?.generation !== 0 || before.strips.size > 0) return null
  const nodes = new Map(before.nodes)
  for (const { body, invocationId } of events) {
    if (body.type === 'node.skipped') {
      if (!nodes.has(body.nodeId)) nodes.set(body.nodeId, skippedRun)
    } else if (body.type === 'invocation.registered' || body.type === 'invocation.changed') {
      const record = invocationId === null ? undefined : replay.invocations.get(invocationId)
      if (record === undefined || record.path !== '' || record.wait?.kind === 'items') return null
      const isNew = body.type === 'invocation.registered'
      const attempt = body.type === 'invocation.changed' ? body.attempt : null
      const now = nodeAfter(nodes.get(record.nodeId), { record, isNew, attempt })
      if (now === null) return null
      nodes.set(record.nodeId, now)
    } else if (body.type === 'run.created') return null
  }
  return nodes
}

/** A node outside of bodies after an event of one of its records; null when that doesn't tell. */
function nodeAfter(
  before: NodeRun | undefined,
  change: {
    readonly record: InvocationRecord
    readonly isNew: boolean
    readonly attempt: AttemptRecord | null
  },
): NodeRun | null {
  const { record, isNew, attempt } = change
  if (record.role === 'forward' && isNew)
    return before === undefined ? { ...skippedRun, invocation: record, isSkipped: false } : null
  if (before === undefined || before.invocation === null) return null
  if (record.role === 'compensation') {
    if (isNew) return { ...before, undo: newerUndo(before.undo ?? undefined, record) }
    return before.undo?.id === record.id ? { ...before, undo: record } : before
  }
  if (before.invocation.id !== record.id) return null
  const attempts = attempt === null ? before.attempts : [...before.attempts, attempt]
  return { ...before, invocation: record, attempts }
}

/** What undoes each step of a run that something undoes; of several tries the newest. */
export function undosByPlace({ invocations }: ReplayState): ReadonlyMap<string, InvocationRecord> {
  const undos = new Map<string, InvocationRecord>()
  for (const record of invocations.values()) {
    if (record.role !== 'compensation') continue
    const place = placeOf(record.nodeId, record.path)
    undos.set(place, newerUndo(undos.get(place), record))
  }
  return undos
}

/** Of two tries to undo a step the newer one; of two of one moment the one that was registered last. */
function newerUndo(known: InvocationRecord | undefined, record: InvocationRecord): InvocationRecord {
  const isNewer =
    known === undefined ||
    record.generation > known.generation ||
    (record.generation === known.generation && record.registeredAt >= known.registeredAt)
  return isNewer ? record : known
}

const skippedRun: NodeRun = {
  invocation: null,
  attempts: [],
  isSkipped: true,
  turns: null,
  strip: null,
  undo: null,
}

/** The view from before when it says the same, so that only nodes that changed are drawn again. */
function kept(before: NodeRun | undefined, now: NodeRun): NodeRun {
  if (before === undefined) return now
  const same =
    before.invocation === now.invocation &&
    before.isSkipped === now.isSkipped &&
    before.turns?.done === now.turns?.done &&
    before.turns?.total === now.turns?.total &&
    before.strip === now.strip &&
    before.undo === now.undo &&
    before.attempts.length === now.attempts.length
  return same ? before : now
}

/** What is seen of a model with chosen turns, kept so that a node that didn't change stays the same. */
const seenByModel = new WeakMap<
  RunModel,
  { readonly choice: TurnChoice; readonly nodes: RunModel['nodes'] }
>()

/** The nodes as they are in the turns that a person chose; those of the newest turns without a choice. */
export function nodesAt(model: RunModel, choice: TurnChoice): RunModel['nodes'] {
  if (Object.keys(choice).length === 0) return model.nodes
  const known = seenByModel.get(model)
  if (known?.choice === choice) return known.nodes
  const records = recordsByPlace(model.replay)
  const nodes = new Map(model.nodes)
  for (const [id, { invocation, turns }] of model.nodes) {
    if (invocation === null || invocation.path === '') continue
    const path = chosenPath(invocation.path, choice, model.strips)
    if (path === invocation.path) continue
    const seen = records.get(placeOf(id, path))
    if (seen !== undefined) {
      const attempts = model.replay.attempts.filter((attempt) => attempt.invocationId === seen.id)
      const strip = model.strips.get(scopeOf(path, id)) ?? null
      const undo = undosByPlace(model.replay).get(placeOf(id, path)) ?? null
      nodes.set(id, { invocation: seen, attempts, isSkipped: false, turns, strip, undo })
    } else if (model.replay.skipped.some((one) => one.nodeId === id && one.path === path)) {
      nodes.set(id, { ...skippedRun, turns })
    } else nodes.delete(id)
  }
  seenByModel.set(model, { choice, nodes })
  return nodes
}
