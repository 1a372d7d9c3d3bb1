/** Everything that a store must do, for the authors of stores: call it in a test file with your own subject. */

import { describe } from 'vitest'
import { blobSuite } from './blobs.ts'
import { checkpointSuite } from './checkpoint.ts'
import { claimSuite } from './claim.ts'
import { dueSuite } from './due.ts'
import { eventSuite } from './events.ts'
import { groupSuite, prunedGroupSuite } from './groups.ts'
import { leaseSuite } from './lease.ts'
import { permitSuite } from './permits.ts'
import { pruneSuite } from './prune.ts'
import { pruneAcrossSuite } from './prune-across.ts'
import { querySuite } from './queries.ts'
import { recordSuite } from './records.ts'
import { registerSuite } from './registers.ts'
import type { StoreSubject } from './scene.ts'
import { sealedSuite } from './sealed.ts'
import { watchSuite } from './watch.ts'

/** The same of a store over many partitions, but for what is a matter of each partition alone: its feed. */
export function partitionedSuite(subject: StoreSubject): void {
  describe(subject.name, () => {
    for (const list of [
      checkpointSuite,
      claimSuite,
      leaseSuite,
      dueSuite,
      groupSuite,
      prunedGroupSuite,
      recordSuite,
      registerSuite,
      sealedSuite,
      permitSuite,
      pruneAcrossSuite,
      querySuite,
      blobSuite,
      watchSuite,
    ]) {
      list(subject)
    }
  })
}

export function conformanceSuite(subject: StoreSubject): void {
  describe(subject.name, () => {
    checkpointSuite(subject)
    claimSuite(subject)
    leaseSuite(subject)
    dueSuite(subject)
    eventSuite(subject)
    groupSuite(subject)
    prunedGroupSuite(subject)
    recordSuite(subject)
    registerSuite(subject)
    sealedSuite(subject)
    permitSuite(subject)
    pruneSuite(subject)
    querySuite(subject)
    blobSuite(subject)
    watchSuite(subject)
  })
}
