/** Asks an engine for two of its runs and compares them. */

import type { ComparedRun } from '../model/comparison/compared-run.ts'
import type { RunComparison } from '../model/comparison/run-comparison.ts'
import { blobsToRead, compareRuns } from '../model/comparison/run-comparison.ts'
import type { TaskSpecs } from '../model/definition-hash.ts'
import { SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import { parseDocument } from '../model/read-document.ts'
import type { InputOf, Method, OutputOf } from './api.ts'

/** How the engine is asked. */
export interface Asked {
  readonly call: <M extends Method>(method: M, input: InputOf<M>) => Promise<OutputOf<M>>
}

export interface LoadedComparison extends RunComparison {
  readonly before: ComparedRun
  readonly after: ComparedRun
}

/** Refused with `bad_request` for runs of different workflows, and for one run twice. */
export async function loadComparison(
  engine: Asked,
  runs: { readonly before: RunId; readonly after: RunId },
  specs: TaskSpecs,
): Promise<LoadedComparison> {
  if (runs.before === runs.after)
    throw refusal('That is the same run twice.', 'Name another run of its workflow.')
  const [before, after] = await Promise.all([sideOf(engine, runs.before), sideOf(engine, runs.after)])
  if (before.run.workflowId !== after.run.workflowId) {
    throw refusal(
      `The runs are of two workflows, “${before.run.workflowTitle}” and “${after.run.workflowTitle}”.`,
      'Two runs of one workflow can be compared, also of different versions of it.',
    )
  }
  const blobs = await blobsOf(engine, before, after)
  const sides = { before: { ...before, blobs }, after: { ...after, blobs } }
  return { ...compareRuns(sides.before, sides.after, specs), ...sides }
}

const refusal = (message: string, hint: string): SagasmithError =>
  new SagasmithError('bad_request', { message, hint })

type Side = Omit<ComparedRun, 'blobs'>

async function sideOf(engine: Asked, runId: RunId): Promise<Side> {
  const { run, invocations, skipped } = await engine.call('runs.get', { runId })
  const version = await engine.call('workflows.version', { hash: run.definitionHash })
  const read = parseDocument(version.document)
  if (!read.ok) throw read.error
  return { run, invocations, skipped, document: read.value.document }
}

/** What can't be read any more is left out: the comparison says what it didn't look into. */
async function blobsOf(engine: Asked, before: Side, after: Side): Promise<ReadonlyMap<string, JsonValue>> {
  const blobs = new Map<string, JsonValue>()
  for (const payload of blobsToRead(before, after)) {
    if (payload.kind !== 'blob') continue
    try {
      // One after the other: each may be large.
      const { json } = await engine.call('payloads.get', { payload })
      blobs.set(payload.hash, JSON.parse(json) as JsonValue)
    } catch (thrown) {
      if (!(thrown instanceof SagasmithError)) throw thrown
    }
  }
  return blobs
}
