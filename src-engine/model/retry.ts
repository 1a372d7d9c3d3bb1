/** When a failed attempt is tried again. Pure: the random share comes in. */

import type { ErrorRecord } from './errors.ts'
import { retriesMax } from './limits.ts'
import { retryAfterOf } from './retry-after.ts'
import type { Millis } from './time.ts'
import type { RetryPolicy } from './workflow.ts'

/** A retry policy with its defaults filled in. */
export type FullRetryPolicy = Required<Omit<RetryPolicy, 'retryOn' | 'retryIf'>> & {
  readonly retryOn: readonly string[] | null
  /** What is asked of each failure; null for nothing. */
  readonly retryIf: string | null
}

const defaultRetryPolicy: FullRetryPolicy = {
  maxAttempts: 1,
  backoff: 'exponential',
  delayMs: 1_000,
  factor: 2,
  maxDelayMs: 60_000,
  jitter: 0.2,
  retryOn: null,
  neverOn: [],
  retryIf: null,
}

/** The condition of a policy that may not be checked yet; null where it has none. */
export const retryConditionOf = ({ retryIf }: { readonly retryIf?: unknown } = {}): string | null =>
  typeof retryIf === 'string' && retryIf.trim() !== '' ? retryIf : null

/** The policy with defaults for what it doesn't say; never beyond `retriesMax`. */
export function fullRetryPolicy(policy: RetryPolicy | undefined): FullRetryPolicy {
  if (policy === undefined) return defaultRetryPolicy
  const { retryOn = null } = policy
  const full = { ...defaultRetryPolicy, ...policy, retryOn, retryIf: retryConditionOf(policy) }
  return { ...full, maxAttempts: Math.min(Math.max(1, full.maxAttempts), retriesMax) }
}

/** A failure, as far as a retry policy looks at it. */
export interface RetryQuestion {
  readonly error: ErrorRecord
  /** This one included. */
  readonly failureCount: number
}

/** Whether tries and codes leave it open that the failure is tried again: only then is a condition asked. */
export function mayBeRetried(policy: FullRetryPolicy, { error, failureCount }: RetryQuestion): boolean {
  if (failureCount >= policy.maxAttempts) return false
  if (policy.neverOn.includes(error.code)) return false
  return policy.retryOn === null || policy.retryOn.includes(error.code)
}

/**
 * Whether the failure is tried again. `answer` is what the policy's condition said; null where it has none, and where
 * nobody could ask it: then codes and the error itself decide.
 */
export function shouldRetry(
  policy: FullRetryPolicy,
  question: RetryQuestion,
  answer: boolean | null = null,
): boolean {
  if (!mayBeRetried(policy, question)) return false
  if (policy.retryIf !== null && answer !== null) return answer
  return policy.retryOn !== null || question.error.retryable
}

/**
 * The pause before the next try, in ms. `random` in [0, 1) moves it by at most half of `jitter` in either
 * direction; it isn't shorter than the error asks for, and never beyond the maximum.
 */
export function retryDelayMs(
  policy: FullRetryPolicy,
  failure: { readonly error: ErrorRecord; readonly failureCount: number; readonly random: number },
): Millis {
  const { error, failureCount, random } = failure
  const growth = policy.backoff === 'fixed' ? 1 : policy.factor ** (failureCount - 1)
  const plain = Math.min(policy.delayMs * growth, policy.maxDelayMs)
  const moved = plain * (1 + policy.jitter * (random - 0.5))
  // Only ever later: who comes back before that is refused again.
  const asked = retryAfterOf(error) * (1 + (policy.jitter * random) / 2)
  return Math.round(Math.min(Math.max(0, moved, asked), policy.maxDelayMs))
}
