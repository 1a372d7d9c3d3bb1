/** Whether a failure is tried again: asked once it is known why the attempt failed. */

import type { FailedEnd } from '../core/finish-attempt.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { mayBeRetried } from '../model/retry.ts'
import { shortened } from '../model/summary.ts'
import { isTrue } from '../tasks/truth.ts'
import { askExpression } from './ask-expression.ts'
import { afterwards, scopeOf } from './attempt-scope.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { ExecutorDependencies } from './executor-dependencies.ts'
import type { PayloadStore } from './payload-store.ts'

/** What a condition said. */
export interface RetryAnswer {
  readonly again: boolean
  /** For the log of the attempt; null where there is nothing to tell. */
  readonly told: { readonly level: 'info' | 'error'; readonly text: string } | null
}

interface RetryMeans extends Pick<ExecutorDependencies, 'host'> {
  readonly payloads: PayloadStore
}

/** Null where nobody is asked: there is no condition, or tries and codes have decided already. */
export function retryConditionFor({ node, record }: AttemptWork, error: ErrorRecord): string | null {
  const { retryIf } = node.retry
  if (retryIf === null) return null
  return mayBeRetried(node.retry, { error, failureCount: record.failureCount + 1 }) ? retryIf : null
}

/** What the policy's condition says of a failure; null where nobody is asked. Never rejects. */
export async function askRetry(
  means: RetryMeans,
  work: AttemptWork,
  error: ErrorRecord,
): Promise<RetryAnswer | null> {
  const condition = retryConditionFor(work, error)
  if (condition === null) return null
  const shown = shortened(condition)
  try {
    const scope = afterwards(scopeOf(means, work), { error: () => seenError(error) })
    if (isTrue(await askExpression(means, condition, scope))) return { again: true, told: null }
    return {
      again: false,
      told: { level: 'info', text: `Isn’t tried again, because this isn’t true: ${shown}` },
    }
  } catch (thrown) {
    // Nobody said that it may be repeated, and a repeat may be a second effect.
    const why = recordOfThrown(thrown).message
    const text = `Isn’t tried again, because nobody could tell whether this is true: ${shown} (${why})`
    return { again: false, told: { level: 'error', text } }
  }
}

/** The end with what the policy's condition says of it; `tell` hears what goes into its log. */
export async function withAnswer(
  means: RetryMeans,
  { work, end }: { readonly work: AttemptWork; readonly end: FailedEnd },
  tell: (line: NonNullable<RetryAnswer['told']>) => void,
): Promise<FailedEnd> {
  const answer = await askRetry(means, work, end.error)
  if (answer === null) return end
  if (answer.told !== null) tell(answer.told)
  return { ...end, again: answer.again }
}

/** An error as expressions see it. */
export const seenError = ({ code, message, hint, details, retryable }: ErrorRecord): JsonObject => ({
  code,
  message,
  hint,
  details,
  retryable,
})
