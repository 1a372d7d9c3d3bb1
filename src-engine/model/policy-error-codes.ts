/** What can go wrong with policies, and what they refuse. */

import { entry } from './error-entry.ts'

export const policyErrorCatalogue = {
  circuit_not_found: entry(
    'There is no such circuit breaker, or it is closed and has nothing to forget.',
    'List those that have counted failures with `sagasmith circuits`.',
  ),
  policy_unreadable: entry(
    'The policy is not valid JSON.',
    'Correct the place that the message names, and set the policy again.',
  ),
  policy_invalid: entry(
    'The policy can’t be used.',
    'Correct the listed places. Until then the policy that was set before counts.',
  ),
  policy_changed: entry(
    'Another policy counts than the one that this change was made for.',
    'Look at the policy that counts now, and make the change again.',
  ),
  policy_not_found: entry(
    'There is no such policy.',
    'List those that are kept with `sagasmith policy history`.',
  ),
  safety_denied: entry(
    'The policy denies it.',
    'Change the workflow, or have the policy changed (`sagasmith policy show`), then run it again.',
  ),
  safety_unknown: entry(
    'The safety kernel gave an answer that nobody knows, so it counts as denied.',
    'Make sure that the kernel at safety_kernel_url answers as docs/policy.md says.',
  ),
  safety_unavailable: entry(
    'The safety kernel could not be asked.',
    'Make sure that the kernel can be reached; work waits until it can, and is tried again by itself.',
    true,
  ),
  max_retries_exceeded: entry(
    'The step has been tried as often as the policy allows.',
    'Look at why it fails, or have the policy allow more retries.',
  ),
  host_not_allowed: entry(
    'The policy doesn’t allow this host.',
    'Use an address that the policy allows, or have the policy changed (`sagasmith policy show`).',
  ),
} as const
