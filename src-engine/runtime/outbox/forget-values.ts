/** Values that aren't kept go once their run is over. */

import type { OutboxRecord } from '../../model/checkpoint.ts'
import type { Effect } from '../../model/effect.ts'
import { effectOf } from '../../model/effect.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Page } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'
import type { RunnerDependencies } from '../runner.ts'

/** A run that somebody has had go on meanwhile says anew what goes when it ends again. Throws where it is too soon. */
export async function forgetValues(
  dependencies: Pick<RunnerDependencies, 'store' | 'partition' | 'log'>,
  { runId, generation, hashes }: Extract<Effect, { readonly kind: 'values.forgotten' }>,
): Promise<void> {
  const { store, partition, log } = dependencies
  const run = await store.load(partition, 'run', { runId })
  if (run !== null && (run.generation !== generation || !runMachine.final.has(run.status))) return
  if (await isLookedInto(dependencies, runId))
    throw new SagasmithError('lost_race', { message: `Results of the run ${runId} are still looked into.` })
  await store.dropBlobs(hashes)
  log.info('values.forgotten', { runId, count: hashes.length })
}

/** Nothing goes unseen past those who look into results. */
async function isLookedInto({ store }: Pick<RunnerDependencies, 'store'>, runId: RunId): Promise<boolean> {
  const filter = { dueBefore: Number.MAX_SAFE_INTEGER }
  for (let after: string | null = null; ; ) {
    const page: Page = { after, limit: pageSizeMax }
    const waiting: readonly OutboxRecord[] = await store.list(partitionOfRun(store.info, runId), 'outbox', {
      filter,
      page,
    })
    for (const record of waiting) {
      const effect = effectOf(record)
      if (effect.kind === 'output.scan' && effect.runId === runId) return true
    }
    after = waiting.at(-1)?.id ?? null
    if (after === null || waiting.length < pageSizeMax) return false
  }
}
