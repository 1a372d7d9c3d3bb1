/** Replaying a run that a store has, with the version it was bound to or with another one. */

import { compileWorkflow } from '../../core/compile.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { Clock } from '../../model/ports.ts'
import type { ValidationOptions } from '../../model/validation.ts'
import type { ReplayReport, ReplayRequest } from '../../protocol/teleport.ts'
import { createMemoryBlobs } from '../../store/blobs.ts'
import type { Store } from '../../store/store.ts'
import type { TaskMock } from '../../tasks/mock.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'
import { noFailpoints } from '../failpoints.ts'
import { nodeMocksOf } from '../mocked-host.ts'
import type { PayloadStore } from '../payload-store.ts'
import { createPayloadStore } from '../payload-store.ts'
import { feedStart, partitionOfRun } from '../run-place.ts'
import type { TaskHost } from '../task-host.ts'
import { referencesOnly } from '../vault/attempt-secrets.ts'
import { boundDocument, documentInPlace } from './bound-document.ts'
import { plainWorkflow } from './plain-workflow.ts'
import { recordingOf } from './recording.ts'
import { reportOf } from './replay-report.ts'
import { replaySteps } from './replay-run.ts'
import { compareDefinitions } from './step-definitions.ts'

export interface ReplaySource {
  /** Where the run is; nothing is written there. */
  readonly store: Store
  readonly host: TaskHost
  readonly validation: ValidationOptions
  readonly kindMocks: ReadonlyMap<string, TaskMock<unknown>>
  readonly clock: Clock
}

/** Throws `run_not_found`, `invocation_not_found`, `document_invalid`, `bad_request`. */
export async function replayOf(source: ReplaySource, request: ReplayRequest): Promise<ReplayReport> {
  const { store, host, kindMocks } = source
  const { runId, nodeId } = request
  const run = await store.load(partitionOfRun(store.info, runId), 'run', { runId })
  if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
  const bound = await boundDocument(store, run.definitionHash)
  const document =
    request.document === null
      ? bound
      : documentInPlace(request.document, bound, { runId, rules: { ...source, ...host } })
  if (nodeId !== null && document.nodes[nodeId] === undefined) {
    throw new SagasmithError('invocation_not_found', {
      message: `The workflow has no step “${nodeId}” to begin with.`,
      details: { runId, nodeId },
    })
  }
  const recorded = compileWorkflow(plainWorkflow(bound), host.specsByKind)
  const recording = recordingOf(await eventsOf(store, runId), run, recorded)
  const payloads = payloadsOver(store)
  const definitions = compareDefinitions(
    { hash: run.definitionHash, document: bound },
    document,
    host.specsByKind,
  )
  const safeHost = { ...host, secrets: referencesOnly }
  const replayed = await replaySteps({
    host: safeHost,
    payloads,
    recording,
    nodeMocks: nodeMocksOf(document, request.mocks),
    kindMocks,
    executor: executorOf(source, payloads),
    definitions,
    document,
    from: nodeId,
  })
  return reportOf({ payloads, recording, definitions, replayed }, runId)
}

async function eventsOf(store: Store, runId: RunId): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = []
  for (let after = feedStart(partitionOfRun(store.info, runId)); ; ) {
    const page = await store.readEvents({ after, runId, until: null, limit: eventBatchMax })
    events.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < eventBatchMax) return events
    after = { partition: last.partition, epoch: last.epoch, seq: last.seq }
  }
}

/** What the replay itself makes stays in memory. */
function payloadsOver(store: Store): PayloadStore {
  const own = createMemoryBlobs(() => 0)
  const both: Store = {
    ...store,
    putBlob: own.put,
    getBlob: (hash) => own.get(hash).catch(() => store.getBlob(hash)),
  }
  return createPayloadStore(both)
}

/** Nothing ends by time, nobody looks on, and no other run is started. */
function executorOf({ store, host, clock }: ReplaySource, payloads: PayloadStore): ExecutorDependencies {
  const never = { cancel: () => undefined, isPast: () => false }
  return {
    info: store.info,
    host,
    payloads,
    clock,
    deadlines: { expect: () => never, recheck: () => undefined },
    killGraceMs: 0,
    leftBehind: () => undefined,
    random: { next: () => 0 },
    failpoints: noFailpoints,
    live: () => undefined,
    calls: {
      prepare: async () => {
        throw new SagasmithError('teleport_not_recorded')
      },
    },
  }
}
