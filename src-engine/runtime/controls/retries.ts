/** Having an ended run go on: on its own version, or explicitly on another one. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import type { RetryRequest as RetryDecision } from '../../core/control/retry-run.ts'
import { retryRun } from '../../core/control/retry-run.ts'
import type { Decision } from '../../core/draft.ts'
import type { DeadLetter } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash, RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import { pageSizeMax, taskOutputBytesMax } from '../../model/limits.ts'
import { nodeMeaningsOf } from '../../model/node-meanings.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { RetryAnswer, RetryRequest } from '../../protocol/run-control.ts'
import type { Admission } from '../admission.ts'
import type { Claimer } from '../claimer.ts'
import type { Definitions } from '../definitions.ts'
import type { PayloadStore } from '../payload-store.ts'
import { versionOf } from '../published-version.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { VersionPins } from '../sub-workflows/version-pins.ts'
import { movedOn } from '../teleport/moved-on.ts'
import type { Timers } from '../timers.ts'

export interface Retries {
  /** Throws `run_not_found`, what `retryRun` throws, and what a start throws about another version. */
  readonly retry: (request: RetryRequest) => Promise<RetryAnswer>
}

export interface RetryParts {
  readonly dependencies: RunnerDependencies
  readonly definitions: Definitions
  readonly payloads: PayloadStore
  readonly admission: Admission
  readonly runner: Runner
  readonly claimer: Claimer
  readonly timers: Timers
  readonly pins: VersionPins
}

/** Has runs go on in this process. */
export function createRetries(parts: RetryParts): Retries {
  const { dependencies, payloads, runner, claimer, timers, definitions } = parts
  const { book, clock } = dependencies
  return {
    retry: async (request) => {
      const { runId, nodeId, input } = request
      const run = await loaded(parts, runId)
      const target = await targetOf(parts, run, request)
      const given =
        input === null ? null : await payloads.keep(JSON.stringify(input.value), taskOutputBytesMax)
      const letters = await lettersOf(parts, runId)
      const decision = await book.decide(runId, (state) => {
        const context = runner.context({
          actor: 'operator',
          cause: { kind: 'retry', by: request.by ?? 'local', detail: request.reason },
          opId: opId(`retry:${runId}:${state.run.generation + 1}`),
          runId,
          claims: false,
        })
        if ((request.ifVersion ?? state.run.version) !== state.run.version) throw movedOn(state.run, [])
        // Somebody else had it go on, on another version: what was looked up is stale.
        if (state.run.definitionHash !== run.definitionHash) throw new SagasmithError('lost_race')
        const asksAtStart = dependencies.policy.kernel.isActive()
        return retryRun(state, context, { ...target, nodeId, input: given, letters, asksAtStart })
      })
      definitions.notePublished(target.hash)
      const deadlineAt = decision?.changes.run.deadlineAt ?? null
      if (deadlineAt !== null) timers.expect(deadlineAt)
      claimer.poke()
      return answerOf(decision, { runId, hash: target.hash, now: clock.now() })
    },
  }
}

async function loaded({ dependencies }: RetryParts, runId: RunId): Promise<RunRecord> {
  const run = await dependencies.store.load(dependencies.partition, 'run', { runId })
  if (run !== null) return run
  throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
}

type Target = Pick<RetryDecision, 'workflow' | 'hash' | 'publish' | 'meanings'>

async function targetOf(parts: RetryParts, run: RunRecord, request: RetryRequest): Promise<Target> {
  const { definitions, admission, payloads, dependencies, pins } = parts
  const bound = await definitions.compiled(run.definitionHash)
  const same: Target = { workflow: bound, hash: run.definitionHash, publish: null, meanings: null }
  const other = await otherDocument(parts, bound, request)
  if (other === null) return same
  if (other.id !== run.workflowId) throw anotherWorkflow(run, other)
  const { document, versions } = await pins.pin(other, run.baseDirectory)
  const hash = admission.admit(document)
  if (hash === run.definitionHash) return same
  await pins.publish(versions)
  // The run's input must fit the form of the version that goes on with it.
  admission.admitInput(document, await payloads.value(run.input))
  const { specsByKind } = dependencies.executor.host
  return {
    workflow: definitions.add(hash, document),
    hash,
    publish: (await definitions.isPublished(hash))
      ? null
      : versionOf(document, hash, dependencies.clock.now()),
    meanings: {
      before: nodeMeaningsOf(bound.document, specsByKind),
      after: nodeMeaningsOf(document, specsByKind),
    },
  }
}

/** The document that was given, or the newest that was published; null to stay on the run's own. */
async function otherDocument(
  { dependencies, definitions }: RetryParts,
  bound: CompiledWorkflow,
  { document, version }: RetryRequest,
): Promise<WorkflowDocument | null> {
  if (version === 'same') {
    if (document === null) return null
    throw new SagasmithError('bad_request', {
      message: 'A run goes on with another document only where that is asked for by “newest”.',
    })
  }
  // The engine validates it before it does anything with it.
  if (document !== null) return document as unknown as WorkflowDocument
  const { store, partition } = dependencies
  const [newest]: readonly WorkflowVersion[] = await store.list(partition, 'workflowVersions', {
    filter: { workflowId: bound.document.id },
    page: { after: null, limit: 1 },
  })
  return newest === undefined ? null : (await definitions.compiled(newest.hash)).document
}

/** A page at a time; a run has one letter per failed step, and few fail. */
async function lettersOf({ dependencies }: RetryParts, runId: RunId): Promise<RetryDecision['letters']> {
  const { store, partition } = dependencies
  const letters: { readonly id: string; readonly nodeId: RetryDecision['nodeId'] }[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly DeadLetter[] = await store.list(partition, 'deadLetters', {
      filter: { reason: null, workflowId: null, runId },
      page: { after, limit: pageSizeMax },
    })
    for (const { id, nodeId } of page) letters.push({ id, nodeId })
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax) return letters
  }
}

function answerOf(
  decision: Decision | null,
  told: { readonly runId: RunId; readonly hash: DefinitionHash; readonly now: number },
): RetryAnswer {
  const { runId, hash, now } = told
  const run = decision?.changes.run
  const again = decision?.changes.invocations.map(({ nodeId }) => nodeId) ?? []
  return { runId, hash, generation: run?.generation ?? 0, status: run?.status ?? 'RUNNING', again, at: now }
}

const anotherWorkflow = (run: RunRecord, document: WorkflowDocument): SagasmithError =>
  new SagasmithError('bad_request', {
    message: `The run ${run.id} is one of “${run.workflowId}”; the document is “${document.id}”.`,
    details: { runId: run.id, workflowId: run.workflowId, given: document.id },
  })
