/** The state of a run from its records: what a restart, or a commit by somebody else, makes necessary. */

import type { NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { RunRecord } from '../model/run.ts'
import { placeOfTaken } from '../model/taken-items.ts'
import { mayOpen } from './bodies.ts'
import type { CompiledBody, CompiledEdge, CompiledNode, CompiledWorkflow } from './compile.ts'
import { keptGenerations } from './generations.ts'
import { isMoot, readinessOf } from './join.ts'
import type { LevelRecords } from './level-output.ts'
import { failsItsLevel } from './level-output.ts'
import type { BodyChanges, EdgeDecision, MutableRunState, MutableScope, RunState } from './run-state.ts'
import {
  applyChanges,
  applyEdge,
  createRunState,
  createScope,
  decisionOf,
  forwardId,
  isActive,
  isCurrent,
  isLoser,
} from './run-state.ts'
import { placeOf } from './scope-path.ts'
import { awaitsBranches } from './timed-joins.ts'

/**
 * Follows the edges of finished invocations as the decisions did, without making new ones: nodes with a
 * record are invoked, nodes whose ways in are all skipped are skipped. Items and turns that have ended
 * leave nothing but their count.
 */
export function rebuildRunState(
  workflow: CompiledWorkflow,
  run: RunRecord,
  invocations: readonly InvocationRecord[],
): MutableRunState {
  return rebuildWithout(workflow, run, { invocations })
}

/** The same for a run that is to go on: what is to be done `again` has no record that counts. */
export function rebuildWithout(
  workflow: CompiledWorkflow,
  run: RunRecord,
  given: {
    readonly invocations: readonly InvocationRecord[]
    readonly again?: ReadonlySet<CompiledNode>
  },
): MutableRunState {
  const { invocations } = given
  const state = createRunState(workflow, run)
  state.kept = keptGenerations(workflow, run.generation, given)
  const levels = levelsOf(state, invocations)
  const bodies: BodyChanges[] = []
  for (const [path, level] of levels) {
    if (path !== '' && level.container !== null && level.isActive) {
      bodies.push({
        path,
        container: level.container,
        edges: null,
        nodes: null,
        failed: level.failed,
      })
    }
  }
  applyChanges(state, { run, invocations, edges: null, nodes: null, bodies })
  for (const [path, level] of levels) {
    const scope = path === '' ? state : state.bodies.get(path)
    if (scope !== undefined) rebuildLevel(scope, level)
  }
  countItems(state, levels)
  countTaken(state)
  return state
}

interface Level {
  readonly container: CompiledNode | null
  readonly body: CompiledBody
  readonly records: InvocationRecord[]
  isActive: boolean
  failed: boolean
}

/** The records that count by path; the run's own level is always there. */
function levelsOf(state: RunState, invocations: readonly InvocationRecord[]): ReadonlyMap<string, Level> {
  const { workflow } = state
  const levels = new Map<string, Level>([['', levelOf(null, workflow)]])
  for (const record of invocations) {
    if (record.role !== 'forward' || !isCurrent(state, record)) continue
    let level = levels.get(record.path)
    if (level === undefined) {
      const container = workflow.nodeById.get(placeOf(record.path).container)
      if (container?.body === null || container === undefined) continue
      level = levelOf(container, container.body)
      levels.set(record.path, level)
    }
    level.records.push(record)
    if (isActive(record)) level.isActive = true
    else if (failsItsLevel(record)) level.failed = true
  }
  return levels
}

const levelOf = (container: CompiledNode | null, body: CompiledBody): Level => {
  return { container, body, records: [], isActive: false, failed: false }
}

function rebuildLevel(scope: MutableScope, level: Level): void {
  const byId = new Map(level.body.nodes.map((node) => [node.id, node]))
  const waiting = new Set<CompiledNode>()
  for (const record of level.records) {
    const node = byId.get(record.nodeId)
    if (node === undefined) continue
    scope.nodePhases[node.index] = 'invoked'
    if (awaitsBranches(record)) waiting.add(node)
  }
  const open: CompiledNode[] = []
  for (const record of level.records) {
    const node = byId.get(record.nodeId)
    if (node === undefined || isActive(record)) continue
    for (const edge of node.waysOut)
      decide(scope, level.body, { edge, decision: decisionOf(record, edge), open })
  }
  for (const node of level.body.starts) open.push(node)
  for (let node = open.pop(); node !== undefined; node = open.pop())
    followSkipped(scope, level.body, { node, open, waiting })
}

function decide(
  scope: MutableScope,
  body: CompiledBody,
  made: {
    readonly edge: CompiledEdge
    readonly decision: EdgeDecision | null
    readonly open: CompiledNode[]
  },
): void {
  const { edge, decision } = made
  if (decision === null || scope.edgeDecisions[edge.index] !== undefined) return
  applyEdge(scope, body, { index: edge.index, decision })
  made.open.push(edge.to)
}

function followSkipped(
  scope: MutableScope,
  body: CompiledBody,
  at: {
    readonly node: CompiledNode
    readonly open: CompiledNode[]
    /** Joins that have a record and wait for branches: they have cancelled nobody. */
    readonly waiting: ReadonlySet<CompiledNode>
  },
): void {
  const { node, open, waiting } = at
  if (scope.nodePhases[node.index] !== undefined) return
  const decided = scope.decidedCounts[node.index] ?? 0
  const taken = scope.takenCounts[node.index] ?? 0
  const readiness = readinessOf(node, { decided, taken })
  // A node that was ready and has no record wasn't worth one, or its run was stopping.
  const passedOver =
    readiness === 'ready' &&
    (node.behaviour === 'skip' ||
      isMoot(node, (join) => (waiting.has(join) ? undefined : scope.nodePhases[join.index])))
  if (readiness !== 'skipped' && !passedOver) return
  scope.nodePhases[node.index] = 'skipped'
  for (const edge of node.waysOut) decide(scope, body, { edge, decision: 'skipped', open })
}

/** Items that were taken over have no level: they count as soon as what is before them is open. */
function countTaken(state: MutableRunState): void {
  for (const [id, progress] of state.maps) {
    const map = state.invocations.get(id)
    if (map?.wait?.kind !== 'items' || map.dispatch?.taken === undefined) continue
    const { dispatch, wait } = map
    const isTaken = (index: number): boolean => placeOfTaken(dispatch, index) !== null
    for (let index = 0; index < progress.opened; index += 1) if (isTaken(index)) progress.closed += 1
    while (mayOpen(progress, wait) && isTaken(progress.opened)) {
      progress.opened += 1
      progress.closed += 1
    }
  }
}

function countItems(state: MutableRunState, levels: ReadonlyMap<string, Level>): void {
  for (const [path, level] of levels) {
    if (path === '' || level.container === null) continue
    const { parent, index } = placeOf(path)
    const id = forwardId(state, level.container.id, parent)
    const map = state.invocations.get(id)
    if (map?.wait?.kind !== 'items' || !isActive(map)) continue
    const { opened, closed, failed } = state.maps.get(id) ?? { opened: 0, closed: 0, failed: 0 }
    const hasEnded = !level.isActive
    state.maps.set(id, {
      opened: Math.max(opened, index + 1),
      closed: closed + (hasEnded ? 1 : 0),
      failed: failed + (hasEnded && level.failed ? 1 : 0),
    })
  }
}

/** The skipped nodes of a state, those of ended items and turns too, for a snapshot. */
export function skippedNodes(state: RunState) {
  const { generation } = state.run
  const skipped: { readonly nodeId: NodeId; readonly path: string; readonly generation: number }[] = []
  const levels = state.workflow.hasBodies ? levelsOf(state, [...state.invocations.values()]) : []
  for (const node of state.workflow.nodes) {
    if (state.nodePhases[node.index] === 'skipped') skipped.push({ nodeId: node.id, path: '', generation })
  }
  for (const [path, level] of levels) {
    if (path === '') continue
    const scope = createScope(level.body)
    rebuildLevel(scope, level)
    for (const node of level.body.nodes) {
      if (scope.nodePhases[node.index] === 'skipped') skipped.push({ nodeId: node.id, path, generation })
    }
  }
  return skipped
}

/** Whether an item was worked on to its end, and nothing in it failed or was left undone. */
export function isLevelDone(body: CompiledBody, recordOf: LevelRecords): boolean {
  const level = levelOf(null, body)
  for (const node of body.nodes) {
    const record = recordOf(node)
    if (record === undefined) continue
    if (isActive(record) || failsItsLevel(record) || wasCutOff(record)) return false
    level.records.push(record)
  }
  if (level.records.length === 0) return false
  const scope = createScope(body)
  rebuildLevel(scope, level)
  return body.nodes.every((node) => scope.nodePhases[node.index] !== undefined)
}

/** Cancelled for another reason than that nobody needed it. */
const wasCutOff = (record: InvocationRecord): boolean =>
  record.status === 'CANCELLED' && record.cause.kind !== 'skipped' && !isLoser(record)
