/** Which finished runs may be removed: the rule that both stores apply. */

import type { RunId } from '../model/ids.ts'
import type { RunRecord } from '../model/run.ts'

/** The runs that an open run names, so that these stay as long as it is open. */
export const namedBy = (run: Pick<RunRecord, 'parentRunId' | 'origin'>): readonly RunId[] =>
  [run.parentRunId, run.origin?.runId ?? null].filter((id) => id !== null)

/** Everything of a blob hash that stored text may show; a hash is 64 hexadecimal digits. */
export const blobHashPattern = /[0-9a-f]{64}/g
