/** The runners that live and may do the chores. */

import type { ActiveRunner } from '../../core/atomic-service/decide.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { ProcessIdentity, RunnerRecord } from '../../model/runner.ts'
import type { Store } from '../../store/store.ts'

export interface ActiveRunnersQuery {
  readonly store: Store
  readonly partition: number
  /** Whether a runner's heartbeat is too old: then it is dead. */
  readonly isSilent: (runner: RunnerRecord) => boolean
  readonly isProvenGone: (identity: ProcessIdentity) => boolean
}

/** In no particular order. */
export async function listActiveRunners(query: ActiveRunnersQuery): Promise<readonly ActiveRunner[]> {
  const { store, partition, isSilent, isProvenGone } = query
  const active: ActiveRunner[] = []
  for (let after: string | null = null; ; ) {
    const page: readonly RunnerRecord[] = await store.list(partition, 'runners', {
      filter: null,
      page: { after, limit: pageSizeMax },
    })
    for (const runner of page) {
      const mayWork = runner.canRunAtomicService && runner.stoppedAt === null && runner.drainingSince === null
      const silent = isSilent(runner)
      if (!mayWork || silent || isProvenGone(runner.process)) continue
      active.push({ id: runner.id, createdAt: runner.startedAt })
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax || after === null) return active
  }
}
