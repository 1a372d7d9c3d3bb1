/** The lock under which people begin rollbacks and answer them, so that answers don't cross. */

import type { RunId } from '../../model/ids.ts'

/** One of 64: a lock stays for ever, for its fence must grow, so there may not be one per run. */
const locks = 64

/** What is decided about the rollback of a run is decided under this lock. */
export function lockKeyOf(runId: RunId): string {
  let sum = 0
  for (let index = 0; index < runId.length; index += 1) sum = (sum * 31 + runId.charCodeAt(index)) % locks
  return `saga:${sum}`
}
