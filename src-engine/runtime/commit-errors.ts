/** What a commit that didn't come about means for who decided. */

import type { Checkpoint, CommitAnswer } from '../model/checkpoint.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import type { Logger } from '../model/ports.ts'

/** The decision itself is wrong. */
export const invalidCheckpoint = (problems: readonly string[]): SagasmithError =>
  new SagasmithError('checkpoint_invalid', {
    message: `A checkpoint contradicts itself: ${problems.join('; ')}.`,
    details: { problems: [...problems] },
  })

/** Others are first each time. */
export const changesTooFast = (runId: RunId): SagasmithError =>
  new SagasmithError('lost_race', { message: `The run ${runId} changes faster than decisions about it.` })

/** Why trying again is in vain: this process may not write there as long as it has no key. Null otherwise. */
export const forGood = (thrown: unknown): SagasmithError | null =>
  thrown instanceof SagasmithError && /^(?:seal|vault)_/.test(thrown.code) ? thrown : null

/** The answer to a commit of one checkpoint. */
export function onlyAnswer([answer]: readonly CommitAnswer[]): CommitAnswer {
  if (answer === undefined) throw new SagasmithError('store_failed', { message: 'The store gave no answer.' })
  return answer
}

/** The store could not say: the disk is full, the file is locked. */
export function logFailure(
  log: Logger,
  { writes }: Checkpoint,
  { runId, thrown }: { readonly runId: RunId; readonly thrown: unknown },
): void {
  const error = recordOfThrown(thrown).message
  const count = writes.deadLetters.length
  log.error('commit.failed', { runId, error })
  if (count > 0) log.error('dead-letter.failed', { runId, count, error })
}
