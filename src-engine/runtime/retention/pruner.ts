/** Forgets what is over its age or count, in small slices; never what isn't final. */

import { recordOfThrown } from '../../model/errors.ts'
import type { PruneAnswer } from '../../store/store.ts'
import type { DeadLetters } from '../dead-letters/dead-letter-desk.ts'
import type { RunnerDependencies } from '../runner.ts'
import type { Pruned, Pruner } from './retention.ts'

export function createPruner(dependencies: RunnerDependencies, letters: DeadLetters): Pruner {
  const { clock, log, settings } = dependencies
  let running = false
  let cancel = (): void => {}
  const prune = async (): Promise<Pruned> => {
    // Letters first: they keep their runs.
    const deadLetters = await letters.sweep()
    let runs = 0
    let blobs = 0
    let answer: PruneAnswer
    do {
      answer = await slice(dependencies)
      runs += answer.runs
      blobs += answer.blobs
    } while (answer.more)
    return { runs, blobs, deadLetters }
  }
  const later = (): void => {
    cancel = clock.after(settings.pruneIntervalMs, () => {
      prune()
        .then(
          (pruned) => {
            if (pruned.runs > 0 || pruned.deadLetters > 0) log.info('pruned', { ...pruned })
          },
          (thrown: unknown) => log.warn('prune.failed', { error: recordOfThrown(thrown).message }),
        )
        .finally(() => {
          if (running) later()
        })
    })
  }
  return {
    prune,
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
