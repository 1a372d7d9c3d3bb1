/** Histories as a version wrote them: what they hold, and where they lie. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttemptRecord } from '../../../src-engine/model/attempt.ts'
import type { EngineEvent } from '../../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'

/** One story, as its store told it in the end. */
export interface Golden {
  readonly story: string
  /** All of them, in their order, with their hashes. */
  readonly events: readonly EngineEvent[]
  readonly runs: readonly GoldenRun[]
}

export interface GoldenRun {
  readonly run: RunRecord
  readonly document: WorkflowDocument
  readonly invocations: readonly InvocationRecord[]
  readonly attempts: readonly AttemptRecord[]
}

/** A folder per version. */
export const goldenFolder = join(import.meta.dirname, '../../golden')

/** The histories that each version left, by version and file. */
export function goldenHistories(): readonly { readonly from: string; readonly golden: Golden }[] {
  return readdirSync(goldenFolder)
    .sort()
    .flatMap((version) =>
      readdirSync(join(goldenFolder, version))
        .sort()
        .map((file) => ({
          from: `${version}/${file}`,
          golden: JSON.parse(readFileSync(join(goldenFolder, version, file), 'utf8')) as Golden,
        })),
    )
}
