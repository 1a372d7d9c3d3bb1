/** A rollback as people see it, made of the run's records: it has no state of its own. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import { undoesOf } from '../../core/run-state.ts'
import {
  abandonCause,
  chainNumberOf,
  newestUndos,
  standingOf,
  stepOfUndo,
  undecodable,
} from '../../core/saga/undo-chain.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import { isRollingBack, runMachine } from '../../model/run-status.ts'
import type {
  LeftBehind,
  LeftReason,
  SagaAction,
  SagaEntry,
  SagaView,
  UndoState,
} from '../../protocol/saga.ts'

/** The rollback of a run: what is recorded, where it stands, what stays, and what may be done. */
export function sagaView(
  workflow: CompiledWorkflow,
  run: RunRecord,
  invocations: readonly InvocationRecord[],
): SagaView {
  const undos = [...newestUndos(invocations)].sort((a, b) => placeIn(b) - placeIn(a))
  const entries = undos.map((record) => entryOf(record, invocations))
  return {
    runId: run.id,
    status: run.status,
    hasBegun: isRollingBack(run.status) || run.status === 'COMPENSATED' || run.status === 'ABANDONED',
    entries,
    undone: entries.filter(({ state }) => state === 'done').map(({ of }) => of),
    leftBehind: [...undos.flatMap((record) => leftOf(record) ?? []), ...unrecorded(workflow, invocations)],
    actions: actionsOf(run, entries),
  }
}

const placeIn = (record: InvocationRecord): number => undoesOf(record)?.place ?? 0

function entryOf(record: InvocationRecord, all: readonly InvocationRecord[]): SagaEntry {
  const of = stepOfUndo(record.id)
  const chain = all.filter(({ id, role }) => role !== 'forward' && stepOfUndo(id) === of)
  const last = chain.toSorted((a, b) => chainNumberOf(b.id) - chainNumberOf(a.id))
  const { id, nodeId, path, taskKind, startedAt, finishedAt } = record
  return {
    ...{ id, of, nodeId, path, taskKind, startedAt, finishedAt },
    place: placeIn(record),
    state: stateOf(record),
    uncertain: undoesOf(record)?.uncertain ?? false,
    attempts: chain.reduce((sum, { attempt }) => sum + attempt, 0),
    error: last.find(({ error }) => error !== null)?.error ?? null,
  }
}

function stateOf(record: InvocationRecord): UndoState {
  const standing = standingOf(record)
  if (standing === 'open') return invocationMachine.available.has(record.status) ? 'pending' : 'running'
  return standing === 'left' ? 'skipped' : standing
}

function leftOf(record: InvocationRecord): LeftBehind | null {
  const standing = standingOf(record)
  if (standing !== 'left' && standing !== 'failed') return null
  const { nodeId, path, cause, error } = record
  const reason = reasonOf(record)
  const said = cause.detail ?? error?.message ?? ''
  return { of: stepOfUndo(record.id), nodeId, path, reason, message: said, by: cause.by }
}

function reasonOf(record: InvocationRecord): LeftReason {
  if (record.error?.code === undecodable) return 'undecodable'
  if (record.status === 'DENIED') return 'denied'
  if (record.status !== 'CANCELLED') return 'failed'
  return record.cause.kind === abandonCause ? 'abandoned' : 'skipped'
}

/** Steps with an effect that nothing undoes. */
function unrecorded(
  workflow: CompiledWorkflow,
  invocations: readonly InvocationRecord[],
): readonly LeftBehind[] {
  const undone = new Set<InvocationId>(
    invocations.filter(({ role }) => role !== 'forward').map(({ id }) => stepOfUndo(id)),
  )
  return invocations.flatMap(({ id, role, status, nodeId, path }) => {
    const node = workflow.nodeById.get(nodeId)
    if (role !== 'forward' || status !== 'SUCCESS' || undone.has(id) || node === undefined) return []
    const impossible = workflow.document.nodes[nodeId]?.compensation?.impossible
    if (impossible === undefined && (node.sideEffect === 'pure' || node.behaviour !== 'run')) return []
    const reason: LeftReason = impossible === undefined ? 'no_compensation' : 'impossible'
    // A step that was done in another run, or before its workflow said how it is undone.
    const notHere =
      node.undo?.kind === 'task' ? 'What undoes it isn’t recorded in this run.' : 'Nothing undoes it.'
    return [{ of: id, nodeId, path, reason, message: impossible ?? notHere, by: null }]
  })
}

function actionsOf(run: RunRecord, entries: readonly SagaEntry[]): readonly SagaAction[] {
  if (run.status === 'COMPENSATION_FAILED') return ['retry', 'skip', 'abandon']
  const actor = { kind: 'operator', id: null } as const
  const may =
    runMachine.final.has(run.status) &&
    runMachine.validateTransition(run.status, 'COMPENSATING', actor) === null
  return may && entries.some(({ state }) => state === 'recorded') ? ['compensate'] : []
}
