/** Values that aren't kept go once their run is over. */

import { reuseKey } from '../../core/permits/held-permits.ts'
import type { Effect } from '../../model/effect.ts'
import { effectOf } from '../../model/effect.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { BlobHash, RunId } from '../../model/ids.ts'
import { isFleeting } from '../../model/payload.ts'
import { runMachine } from '../../model/run-status.ts'
import { partitionOfRun } from '../run-place.ts'
import type { RunnerDependencies } from '../runner.ts'
import { hasEffect } from './find-effect.ts'
import { replacedValues } from './replaced-values.ts'

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
  if (run !== null && (await isAwaited(dependencies, runId, hashes)))
    throw new SagasmithError('lost_race', { message: `Results of the run ${runId} are still waited for.` })
  const replaced = run === null ? [] : await replacedValues(store, run)
  await store.dropBlobs([...hashes, ...replaced])
  log.info('values.forgotten', { runId, count: hashes.length + replaced.length })
}

/** Steps of other runs that stood back for the same demand get what it came to first: see permits/own-copy.ts. */
async function isAwaited(
  { store, partition }: Pick<RunnerDependencies, 'store' | 'partition'>,
  runId: RunId,
  hashes: readonly BlobHash[],
): Promise<boolean> {
  const going = new Set(hashes)
  for (const { id, output, permits } of await store.load(partition, 'invocations', { runId })) {
    if (permits?.registration === undefined || output === null) continue
    if (!isFleeting(output) || !going.has(output.hash)) continue
    const waiting = await store.load(partition, 'slotHolders', { key: reuseKey(id) })
    if (waiting.length > 0) return true
  }
  return false
}

/** Nothing goes unseen past those who look into results. */
function isLookedInto({ store }: Pick<RunnerDependencies, 'store'>, runId: RunId): Promise<boolean> {
  return hasEffect({ store, partition: partitionOfRun(store.info, runId) }, (record) => {
    const effect = effectOf(record)
    return effect.kind === 'output.scan' && effect.runId === runId
  })
}
