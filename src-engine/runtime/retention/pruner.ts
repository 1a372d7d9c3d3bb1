/** Forgets what is over its age or count, in small slices; never what isn't final. */

import { recordOfThrown } from '../../model/errors.ts'
import type { PruneAnswer } from '../../store/pruning.ts'
import type { DeadLetters } from '../dead-letters/dead-letter-desk.ts'
import type { EngineParts } from '../engine-parts.ts'
import type { RunnerDependencies } from '../runner.ts'
import type { Pruned, Pruner } from './retention.ts'

/** The lock of whoever forgets: two would only look for the same. */
const lockKey = 'prune'

export function createPruner(
  { dependencies, locks, triggers }: Pick<EngineParts, 'dependencies' | 'locks' | 'triggers'>,
  letters: DeadLetters,
): Pruner {
  const { clock, log, settings, executor } = dependencies
  let running = false
  let cancel = (): void => {}
  const prune = async (signal: AbortSignal): Promise<Pruned> => {
    // Letters first: they keep their runs.
    const deadLetters = await letters.sweep()
    const records = await triggers.forgetOld()
    // What triggers wait for is told by the runs that are about to go.
    await triggers.caughtUp()
    const results = (await executor.kept?.forgetOld()) ?? 0
    if (results > 0) log.info('kept-results.pruned', { results })
    if (records > 0) log.info('trigger-records.pruned', { records })
    let runs = 0
    let blobs = 0
    let answer: PruneAnswer
    do {
      answer = await slice(dependencies)
      runs += answer.runs
      blobs += answer.blobs
    } while (answer.more && !signal.aborted)
    return { runs, blobs, deadLetters }
  }
  const pruneInTurn = async (): Promise<void> => {
    const lock = await locks.acquire(lockKey, settings.runLockTtlMs)
    // Somebody is at it.
    if (lock === null) return
    try {
      const pruned = await prune(lock.signal)
      if (pruned.runs > 0 || pruned.deadLetters > 0) log.info('pruned', { ...pruned })
    } finally {
      await lock.release()
    }
  }
  const later = (): void => {
    cancel = clock.after(settings.pruneIntervalMs, () => {
      pruneInTurn()
        .catch((thrown: unknown) => log.warn('prune.failed', { error: recordOfThrown(thrown).message }))
        .finally(() => {
          if (running) later()
        })
    })
  }
  return {
    prune: () => locks.within(lockKey, settings.runLockTtlMs, prune),
    start: () => {
      running = true
      later()
    },
    stop: () => {
      running = false
      cancel()
    },
  }
}

function slice({ store, partition, clock, settings }: RunnerDependencies): Promise<PruneAnswer> {
  const now = clock.now()
  const { runRetentionAgeMs, runRetentionCount, blobGraceMs, pruneBatchSize } = settings
  return store.prune({
    partition,
    endedBefore: runRetentionAgeMs === 0 ? null : now - runRetentionAgeMs,
    keep: runRetentionCount === 0 ? null : runRetentionCount,
    blobsBefore: now - blobGraceMs,
    limit: pruneBatchSize,
  })
}
