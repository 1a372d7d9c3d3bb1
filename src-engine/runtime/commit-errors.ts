/** What a commit that didn't come about means for who decided. */

import type { Decision } from '../core/draft.ts'
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
const forGood = (thrown: unknown): SagasmithError | null =>
  thrown instanceof SagasmithError && /^(?:seal|vault)_/.test(thrown.code) ? thrown : null

/**
 * The store could not say whether a decision is there: its disk is full, its file is locked. Says so, and of its letters
 * too, as nobody is told of them elsewhere; gives the error where trying again is in vain.
 */
export function uncommitted(
  log: Logger,
  { checkpoint, changes }: Decision,
  thrown: unknown,
): SagasmithError | null {
  const { id: runId } = changes.run
  const error = recordOfThrown(thrown).message
  const count = checkpoint.writes.deadLetters.length
  log.error('commit.failed', { runId, error })
  if (count > 0) log.error('dead-letter.failed', { runId, count, error })
  return forGood(thrown)
}
