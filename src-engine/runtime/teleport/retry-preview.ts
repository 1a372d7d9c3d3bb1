/** What a retry would do to a run, judged by the engine's own rules on a copy of it; nothing is written. */

import { compileWorkflow } from '../../core/compile.ts'
import { retryRun } from '../../core/control/retry-run.ts'
import { rebuildRunState } from '../../core/rebuild.ts'
import { definitionHashOf } from '../../model/definition-hash.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { NodeId, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { nodeMeaningsOf } from '../../model/node-meanings.ts'
import type { RunRecord } from '../../model/run.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { Instant } from '../../model/time.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Store } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'

export interface RetryQuestion {
  readonly runId: RunId
  /** The version that the run is bound to, and the one to go on with; null for the same. */
  readonly bound: WorkflowDocument
  readonly document: WorkflowDocument | null
  readonly nodeId: NodeId | null
  readonly now: Instant
}

/** The steps that would begin anew. Throws what the retry would throw. */
export async function stepsToRetry(
  store: Store,
  specsByKind: ReadonlyMap<string, TaskSpec>,
  { runId, bound, document, nodeId, now }: RetryQuestion,
): Promise<readonly NodeId[]> {
  const partition = partitionOfRun(store.info, runId)
  const run = await store.load(partition, 'run', { runId })
  if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
  const invocations = await store.load(partition, 'invocations', { runId })
  return stepsOf({ run, invocations }, specsByKind, { bound, document, nodeId, now })
}

/** The same of records that nobody has stored yet. */
export function stepsOf(
  { run, invocations }: { readonly run: RunRecord; readonly invocations: readonly InvocationRecord[] },
  specsByKind: ReadonlyMap<string, TaskSpec>,
  { bound, document, nodeId, now }: Omit<RetryQuestion, 'runId'>,
): readonly NodeId[] {
  const state = rebuildRunState(compileWorkflow(bound, specsByKind), run, invocations)
  const hash = document === null ? run.definitionHash : definitionHashOf(document, specsByKind)
  const isOther = document !== null && hash !== run.definitionHash
  const decision = retryRun(
    state,
    {
      now,
      actor: { kind: 'operator', id: 'preview' },
      cause: { kind: 'retry', by: null, detail: null },
      opId: opId(`preview:${run.id}`),
      epoch: 1,
      claimant: null,
    },
    {
      nodeId,
      input: null,
      workflow: isOther ? compileWorkflow(document, specsByKind) : state.workflow,
      hash,
      publish: null,
      meanings: isOther
        ? { before: nodeMeaningsOf(bound, specsByKind), after: nodeMeaningsOf(document, specsByKind) }
        : null,
      letters: [],
    },
  )
  return decision.changes.invocations.map((record) => record.nodeId)
}
