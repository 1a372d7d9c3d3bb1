/** Running a run again, as a new run that names the old one as its origin. */

import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { openRun } from './follow-runs.ts'

export interface Rerun {
  readonly runId: RunId
  /** Null for the input that the run had. */
  readonly input: { readonly value: JsonValue } | null
  /** The version that it ran on, or the document that is open now. */
  readonly version: 'same' | 'open'
}

/** Starts the new run and shows it; throws what the engine refuses. */
export async function rerun(designer: Designer, { runId, input, version }: Rerun): Promise<void> {
  const document = version === 'open' ? asJson(designer.document.getState().history.document) : null
  const started = await designer.connection.call('runs.rerun', {
    runId,
    document,
    otherVersion: version === 'open',
    input,
    requestId: designer.ambient.newId(),
    by: null,
    reason: null,
  })
  await openRun(designer, started.runId, started.hash)
}
