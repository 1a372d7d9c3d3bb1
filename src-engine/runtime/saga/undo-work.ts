/** What a compensation needs of the step that it undoes, taken from the state when it starts. */

import type { NodeInput } from '../../core/node-input.ts'
import { arrivalsOf, nodeInput } from '../../core/node-input.ts'
import { resultBehind } from '../../core/output/result-behind.ts'
import type { RunState } from '../../core/run-state.ts'
import { decisionOf, forwardId, undoesOf, wasHandedOn } from '../../core/run-state.ts'
import type { SaidOfUndo } from '../../core/saga/compile-undo.ts'
import { scopeInputOf } from '../../core/scope-input.ts'
import type { InvocationId, NodeId } from '../../model/ids.ts'
import { invocationIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'

/** A step that is being undone. */
export interface UndoWork {
  readonly step: InvocationRecord
  /** What had arrived at it. */
  readonly arrived: NodeInput
  readonly uncertain: boolean
  /** Whether somebody has put another input in the place of what would arrive at the compensation. */
  readonly hasOtherInput: boolean
  readonly said: SaidOfUndo
  /** What the policies and pools call it. */
  readonly topic: string
}

/** The step had begun with what was held back afterwards: it can't be undone without that. */
const asHandedOn = (record: InvocationRecord | undefined): InvocationRecord | undefined =>
  record !== undefined && wasHandedOn(record)
    ? { ...record, status: 'SUCCESS', output: resultBehind(record).output }
    : record

/** The step that a compensation undoes; null when its definition says nothing of that any more. */
export function undoWorkOf(state: RunState, record: InvocationRecord): UndoWork | null {
  const undoes = undoesOf(record)
  const node = state.workflow.nodeById.get(record.nodeId)
  const step = undoes === null ? undefined : state.invocations.get(undoes.of)
  if (undoes === null || step === undefined || node?.undo === undefined || node.undo === null) return null
  const { path, generation } = step
  const find = (id: InvocationId) => state.invocations.get(id)
  // Steps before it may be of an earlier generation that still counts.
  const before = (id: NodeId) =>
    find(invocationIdOf({ runId: step.runId, generation, nodeId: id, path, role: 'forward' })) ??
    find(forwardId(state, id, path))
  const arrived = nodeInput(
    {
      scopeInput: scopeInputOf(state, path, find),
      arrived: arrivalsOf(node, step),
      isTaken: (edge) => {
        const from = before(edge.from.id)
        return from !== undefined && decisionOf(from, edge) === 'taken'
      },
      record: (from) => asHandedOn(before(from.id)),
    },
    node,
  )
  const { said, node: undoing } = node.undo
  const given = step.dispatch?.input ?? null
  return {
    step,
    arrived: given === null ? arrived : { kind: 'single', payload: given },
    uncertain: undoes.uncertain,
    hasOtherInput: (record.dispatch?.input ?? null) !== null,
    said,
    topic: undoing.topic ?? undoing.kind,
  }
}
