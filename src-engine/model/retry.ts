/** When a failed attempt is tried again. Pure: the random share comes in. */

import type { ErrorRecord } from './errors.ts'
import { retriesMax } from './limits.ts'
import { retryAfterOf } from './retry-after.ts'
import type { Millis } from './time.ts'
import type { RetryPolicy } from './workflow.ts'

/** A retry policy with its defaults filled in. */
export type FullRetryPolicy = Required<Omit<RetryPolicy, 'retryOn'>> & {
  readonly retryOn: readonly string[] | null
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
}

/** The policy with defaults for what it doesn't say; never beyond `retriesMax`. */
export function fullRetryPolicy(policy: RetryPolicy | undefined): FullRetryPolicy {
  if (policy === undefined) return defaultRetryPolicy
  const full = { ...defaultRetryPolicy, ...policy, retryOn: policy.retryOn ?? null }
  return { ...full, maxAttempts: Math.min(Math.max(1, full.maxAttempts), retriesMax) }
}

/** Whether this error is tried again after `failureCount` failures (this one included). */
export function shouldRetry(policy: FullRetryPolicy, error: ErrorRecord, failureCount: number): boolean {
  if (failureCount >= policy.maxAttempts) return false
  if (policy.neverOn.includes(error.code)) return false
  if (policy.retryOn !== null) return policy.retryOn.includes(error.code)
  return error.retryable
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
