/** The runners that live and may do the chores. */

import type { ActiveRunner } from '../../core/atomic-service/decide.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { ProcessIdentity, RunnerRecord } from '../../model/runner.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'

export interface ActiveRunnersQuery {
  readonly store: Store
  readonly partition: number
  readonly now: Instant
  /** A runner whose heartbeat is older is dead. */
  readonly deadAfterMs: Millis
  readonly isProvenGone: (identity: ProcessIdentity) => boolean
}

/** In no particular order. */
export async function listActiveRunners(query: ActiveRunnersQuery): Promise<readonly ActiveRunner[]> {
  const { store, partition, now, deadAfterMs, isProvenGone } = query
  const active: ActiveRunner[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly RunnerRecord[] = await store.list(partition, 'runners', {
      filter: null,
      page: { after, limit: pageSizeMax },
    })
    for (const runner of page) {
      const mayWork = runner.canRunAtomicService && runner.stoppedAt === null && runner.drainingSince === null
      if (!mayWork || now - runner.heartbeatAt > deadAfterMs || isProvenGone(runner.process)) continue
      active.push({ id: runner.id, createdAt: runner.startedAt })
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax || after === null) return active
  }
}
