/** What an attempt needs of its run, taken from the state in the moment in which it starts. */

import type { CompiledNode } from '../core/compile.ts'
import type { DoneItems } from '../core/done-items.ts'
import { doneItemsOf } from '../core/done-items.ts'
import { nodeOfRecord } from '../core/draft.ts'
import type { NodeInput } from '../core/node-input.ts'
import { arrivalsOf, nodeInput } from '../core/node-input.ts'
import type { RunState } from '../core/run-state.ts'
import { forwardId } from '../core/run-state.ts'
import { scopeInputOf } from '../core/scope-input.ts'
import { pathSeenFrom } from '../core/scope-path.ts'
import type { InvocationId, NodeId } from '../model/ids.ts'
import { nodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject } from '../model/json.ts'
import type { RunRecord } from '../model/run.ts'
import type { UndoWork } from './saga/undo-work.ts'
import { undoWorkOf } from './saga/undo-work.ts'
import type { StepSurroundings } from './surroundings.ts'
import { around, resultsOf } from './surroundings.ts'

/** An attempt's work, taken from the state when it was started. */
export interface AttemptWork {
  readonly run: RunRecord
  readonly record: InvocationRecord
  readonly node: CompiledNode
  readonly input: NodeInput
  readonly variables: JsonObject
  readonly approvedHosts: readonly string[]
  readonly approvedFolders: readonly string[] | null
  /** The record of a node's forward invocation, for expressions that name other nodes. */
  readonly recordOf: (id: string) => InvocationRecord | undefined
  /** The item or turn that the step is part of; null outside of maps and loops. */
  readonly around: StepSurroundings | null
  /** What the items gave, for a map whose items are done, or what the signals carried that a wait collected. */
  readonly results: readonly NodeInput[] | null
  /** What of a map was done before, where it takes that over; null for everything else. */
  readonly done?: DoneItems | null
  /** The step that is undone; null for a step itself. */
  readonly undo: UndoWork | null
  /** Steps that wait for web calls, as seen from here; null for a workflow without any. */
  readonly called: ReadonlyMap<NodeId, InvocationId> | null
}

/** Takes from the state what the attempt needs, so that later changes of the run don't matter to it. */
export function workOf(state: RunState, record: InvocationRecord): AttemptWork | null {
  const node = nodeOfRecord(state.workflow, record)
  if (node === undefined) return null
  const undo = record.role === 'forward' ? null : undoWorkOf(state, record)
  if (undo === null && record.role !== 'forward') return null
  const { run } = state
  const find = (id: InvocationId) => state.invocations.get(id)
  const recordOfNode = (id: string) => {
    const named = state.workflow.nodeById.get(nodeId(id))
    const path = named === undefined ? null : pathSeenFrom(record.path, named)
    return path === null ? undefined : find(forwardId(state, nodeId(id), path))
  }
  const { path } = record
  const scope = path === '' ? state : state.bodies.get(path)
  // Somebody who had the run go on from here may have given another one.
  const given = record.dispatch === null ? null : (record.dispatch.input ?? null)
  const input: NodeInput =
    given === null
      ? nodeInput(
          {
            scopeInput: scopeInputOf(state, path, find),
            arrived: arrivalsOf(node, record),
            isTaken: (edge) => scope?.edgeDecisions[edge.index] === 'taken',
            record: (from) => find(forwardId(state, from.id, path)),
          },
          node,
        )
      : { kind: 'single', payload: given }
  const { variables, document } = state.workflow
  return {
    run,
    record,
    node,
    input,
    variables,
    approvedHosts: document.capabilities?.hosts ?? [],
    approvedFolders: document.capabilities?.paths ?? null,
    recordOf: recordOfNode,
    around: path === '' ? null : around(state, path),
    results: resultsOf(state, node, record),
    done: doneItemsOf(state, node, record),
    undo,
    called: calledFrom(state, path),
  }
}

/** The steps of web calls that a step at this path sees, and their invocations that count now. */
export function calledFrom(
  state: Pick<RunState, 'workflow' | 'run' | 'kept'>,
  path: string,
): AttemptWork['called'] {
  const { calledNodes } = state.workflow
  if (calledNodes === null) return null
  return new Map(
    calledNodes.flatMap((node) => {
      const level = pathSeenFrom(path, node)
      return level === null ? [] : [[node.id, forwardId(state, node.id, level)] as const]
    }),
  )
}
