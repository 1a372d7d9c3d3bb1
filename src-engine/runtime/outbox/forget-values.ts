/** Values that aren't kept go once their run is over. */

import type { Effect } from '../../model/effect.ts'
import { effectOf } from '../../model/effect.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { runMachine } from '../../model/run-status.ts'
import { partitionOfRun } from '../run-place.ts'
import type { RunnerDependencies } from '../runner.ts'
import { hasEffect } from './find-effect.ts'

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
function isLookedInto({ store }: Pick<RunnerDependencies, 'store'>, runId: RunId): Promise<boolean> {
  return hasEffect({ store, partition: partitionOfRun(store.info, runId) }, (record) => {
    const effect = effectOf(record)
    return effect.kind === 'output.scan' && effect.runId === runId
  })
}
