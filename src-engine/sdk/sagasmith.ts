/**
 * An engine inside your own process. It holds a data directory like the app does: what a crash interrupts
 * goes on when the directory is opened again, by your program or by the app.
 */

import type { ErrorRecord } from '../model/errors.ts'
import { nodeId, runId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import type { Payload } from '../model/payload.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import type { Engine } from '../runtime/engine.ts'
import { payloadBytes } from '../runtime/payload-store.ts'
import { sealedValueError } from '../runtime/sealing/value-seal.ts'

export interface SagasmithOptions {
  /** The data directory; created when it isn't there. One engine at a time may hold it. */
  readonly directory: string
}

export interface FinishedRun {
  readonly status: RunStatus
  readonly output: JsonValue
  /** What failed first; null when nothing did. */
  readonly error: ErrorRecord | null
}

export interface RunHandle {
  readonly id: string
  /** Resolves when the run has ended, however it ended. */
  readonly result: () => Promise<FinishedRun>
  /**
   * What it gave, or one of its steps, as far as that is there: throws `result_not_ready` while it isn't,
   * `result_failed` and `result_none` when it never will be.
   */
  readonly output: (step?: string) => Promise<JsonValue>
  readonly cancel: () => Promise<RunStatus>
}

export interface RunOptions {
  /** The same request id gives the same run: repeating a call after a crash starts nothing twice. */
  readonly requestId?: string
  /** Where relative paths of the workflow start. */
  readonly baseDirectory?: string
}

export interface Sagasmith {
  /** Starts a run. Throws `document_invalid` and `input_invalid`. */
  readonly run: (document: WorkflowDocument, input?: JsonValue, options?: RunOptions) => Promise<RunHandle>
  /** A run by its id, such as one that an earlier process started. */
  readonly find: (id: string) => RunHandle
  /** Hands back what is under way, to be continued by whoever opens the directory next. */
  readonly close: () => Promise<void>
}

/** The library's face of an engine that was started. */
export function createSagasmith(engine: Engine, close: () => Promise<void>): Sagasmith {
  return {
    run: async (document, input = {}, { requestId, baseDirectory } = {}) => {
      const started = await engine.startRun({
        document,
        input,
        requestId: requestId ?? null,
        baseDirectory: baseDirectory ?? null,
      })
      return handleOf(engine, started.runId)
    },
    find: (id) => handleOf(engine, id),
    close,
  }
}

function handleOf(engine: Engine, id: string): RunHandle {
  return {
    id,
    result: async () => finished(engine, await engine.waitForRun(runId(id))),
    output: async (step) => {
      const wanted = { runId: runId(id), nodeId: step === undefined ? null : nodeId(step) }
      return valueOf(engine, await engine.results.read(wanted))
    },
    cancel: () => engine.cancelRun(runId(id)),
  }
}

async function finished(engine: Engine, run: RunRecord): Promise<FinishedRun> {
  const { status, error, output } = run
  return { status, error, output: output === null ? null : await valueOf(engine, output) }
}

async function valueOf(engine: Engine, payload: Payload): Promise<JsonValue> {
  if (payload.kind === 'sealed') throw sealedValueError(payload)
  const json =
    payload.kind === 'inline'
      ? payload.json
      : Buffer.from(await payloadBytes(engine.store, payload)).toString('utf8')
  // A payload is JSON text.
  return JSON.parse(json) as JsonValue
}
