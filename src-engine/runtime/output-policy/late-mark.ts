/** Whether any result of a store was held back after it had been told: nearly no store needs to ask any further. */

import { noWrites } from '../../model/checkpoint.ts'
import type { RunnerId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { Clock } from '../../model/ports.ts'
import type { Store } from '../../store/store.ts'

/** That some result of this store was held back after it had been told. */
export const lateKey = 'output-policy/late'

export interface LateMarkParts {
  readonly store: Store
  readonly partition: number
  readonly runnerId: RunnerId
  readonly clock: Pick<Clock, 'now'>
}

/** Says, before the first late quarantine, that readers have to look from now on. */
export async function markLate({ store, partition, runnerId, clock }: LateMarkParts): Promise<void> {
  if ((await store.load(partition, 'register', { key: lateKey })) !== null) return
  const at = clock.now()
  // Whoever else was first wrote the same.
  await store.commit(partition, [
    {
      partition,
      opId: opId(`output-late:${runnerId}:${at}`),
      actor: { kind: 'scan', id: runnerId },
      at,
      expect: { invocations: [], registers: [{ key: lateKey, version: 0 }] },
      writes: { ...noWrites, registers: [{ key: lateKey, value: { at } }] },
      events: [],
    },
  ])
}
