/**
 * A new run that goes on from an instant of another one: what had ended there is taken over with its results, all
 * else begins anew. The other run goes on, or stays, as it is.
 */

import { isRecorded } from '../../core/run-state.ts'
import { placeOf } from '../../core/scope-path.ts'
import { errorRecord, SagasmithError } from '../../model/errors.ts'
import { buildGraph } from '../../model/graph.ts'
import type { NodeId } from '../../model/ids.ts'
import { invocationIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import type { Ids } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import { sliceTo, trialIdOf } from '../../model/slice.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ForkAnswer, ForkRequest } from '../../protocol/debugging.ts'
import { invalidCheckpoint } from '../commit-errors.ts'
import { partitionOfRun } from '../run-place.ts'
import { createRunViews } from '../run-views.ts'
import { newRunId } from '../starting/new-run-id.ts'
import { adoptable, adoptingCheckpoint, undoneThere } from '../teleport/adopted-run.ts'
import { stepsOf } from '../teleport/retry-preview.ts'
import type { Retries, RetryParts } from './retries.ts'

export interface Forks {
  /** Throws `run_not_found`, `invocation_not_found`, `trial_needs_more`, and what a retry throws. */
  readonly fork: (request: ForkRequest) => Promise<ForkAnswer>
}

export interface ForkParts extends RetryParts {
  readonly ids: Ids
}

/** Forks runs of this store. */
export function createForks(parts: ForkParts, { retry }: Retries): Forks {
  const { dependencies, definitions, pins, ids } = parts
  const { store, clock, executor } = dependencies
  // What readers don't see is part of the run all the same.
  const views = createRunViews(store)
  return {
    fork: async (request) => {
      const { runId, seq, input, by, reason } = request
      const { run, invocations } =
        seq === null ? await views.snapshot(runId) : await views.stateAt(runId, seq)
      const bound = (await definitions.compiled(run.definitionHash)).document
      const asked = documentOf(request, bound)
      const document = asked === null ? null : (await pins.pin(asked, run.baseDirectory)).document
      const id = newRunId(store, ids)
      const partition = partitionOfRun(store.info, id)
      const taken = takenOver(invocations, document ?? bound)
      const checkpoint = adoptingCheckpoint({
        run: setAside(run),
        invocations: taken,
        versions: [],
        partition,
        at: clock.now(),
        cause: { kind: 'fork', by: by ?? 'local', detail: reason },
        as: {
          id,
          origin: { kind: 'fork', runId, nodeId: request.nodeId },
          workflowId: request.until === null ? run.workflowId : trialIdOf(run.workflowId),
          tags: run.tags,
          breakpoints: request.breakpoints ?? [],
        },
      })
      const { run: made, invocations: records } = checkpoint.writes
      const nodeId = rootOf(request, taken)
      // All that a retry would refuse is refused before there is a run.
      if (made !== null) {
        const { specsByKind } = executor.host
        const question = { bound, document, nodeId, now: clock.now() }
        refuseMore(request, stepsOf({ run: made, invocations: records }, specsByKind, question))
      }
      const [answer] = await store.commit(partition, [checkpoint])
      if (answer?.kind === 'refused') {
        if (answer.refusal.kind === 'invalid') throw invalidCheckpoint(answer.refusal.problems)
        throw new SagasmithError('lost_race', { details: { runId: id } })
      }
      const version = document === null ? 'same' : 'newest'
      const given = document as unknown as Parameters<typeof retry>[0]['document']
      const gone = await retry({ runId: id, nodeId, input, version, document: given, by, reason })
      const anew = followersOf(document ?? bound, gone.again)
      const kept = taken.filter((record) => record.status === 'SUCCESS' && !anew.has(record.nodeId))
      const names = new Set(kept.filter(({ path }) => path === '').map((record) => record.nodeId))
      return { ...gone, of: runId, taken: [...names], staysThere: undoneThere(invocations) }
    },
  }
}

/** The document to go on with; null for the run's own. Throws `invocation_not_found`. */
function documentOf(
  { document, until, runId }: ForkRequest,
  bound: WorkflowDocument,
): WorkflowDocument | null {
  // It is validated before anything is done with it.
  const whole = document === null ? bound : (document as unknown as WorkflowDocument)
  if (until === null) return document === null ? null : whole
  const slice = sliceTo(whole, until)
  if (slice !== null) return slice
  throw new SagasmithError('invocation_not_found', {
    message: `The workflow has no step “${until}”.`,
    details: { runId, nodeId: until },
  })
}

/** Ended in a way that a retry goes on from. */
const setAside = (run: RunRecord): RunRecord => ({
  ...run,
  status: 'CANCELLED',
  error: errorRecord('run_cancelled', { message: 'Made by a fork; it goes on in its next generation.' }),
})

/**
 * Steps that had ended and that the document has, with the items and turns of maps and loops that had ended; whatever
 * was under way is ready there, and begins anew.
 */
function takenOver(
  invocations: readonly InvocationRecord[],
  { nodes }: WorkflowDocument,
): readonly InvocationRecord[] {
  const byId = new Map(invocations.map((record) => [record.id, record]))
  if (invocations.some((record) => record.role === 'compensation' && !isRecorded(record))) {
    throw new SagasmithError('run_not_retryable', {
      message: 'Steps of this run had been undone by then: nothing can go on from what is not done any more.',
      hint: 'Go back to an instant before its rollback, or start the run anew.',
    })
  }
  return adoptable(invocations).filter((record) => {
    if (!invocationMachine.final.has(record.status)) return false
    if (nodes[record.nodeId] === undefined && record.path === '') return false
    for (let { path } = record; path !== ''; ) {
      const { container, parent } = placeOf(path)
      const { runId, generation } = record
      const around = byId.get(
        invocationIdOf({ runId, generation, nodeId: container, path: parent, role: 'forward' }),
      )
      if (around === undefined || !invocationMachine.final.has(around.status)) return false
      if (nodes[container] === undefined) return false
      path = parent
    }
    return true
  })
}

/** The steps, and all that they lead to. */
function followersOf(document: WorkflowDocument, steps: readonly NodeId[]): ReadonlySet<NodeId> {
  const graph = buildGraph(document)
  const reached = new Set(steps)
  for (const id of reached) for (const { to } of graph.nodeById.get(id)?.outgoing ?? []) reached.add(to)
  return reached
}

/** The step to begin with; one that is to be tried alone may be new, then it is ready by itself. */
function rootOf({ nodeId, until }: ForkRequest, taken: readonly InvocationRecord[]): NodeId | null {
  if (nodeId === null || nodeId !== until) return nodeId
  return taken.some((record) => record.nodeId === nodeId && record.path === '') ? nodeId : null
}

/** Throws `trial_needs_more` where a step was to begin alone, and others would have to begin as well. */
function refuseMore({ only, until, runId }: ForkRequest, again: readonly NodeId[]): void {
  if (only !== true || until === null) return
  const others = again.filter((nodeId) => nodeId !== until)
  if (others.length === 0 && again.length > 0) return
  const names = others.map((nodeId) => `“${nodeId}”`).join(', ')
  throw new SagasmithError('trial_needs_more', {
    message:
      others.length === 0
        ? `The run ${runId} doesn’t come to the step “${until}”.`
        : `The run ${runId} has no results of ${names}, which “${until}” needs.`,
    details: { runId, nodeId: until, nodeIds: others },
  })
}
