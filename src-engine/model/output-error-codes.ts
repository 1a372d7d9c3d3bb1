/** The error codes of results that the output policy judges. */

import { entry } from './error-entry.ts'

export const outputErrorCatalogue = {
  output_quarantined: entry(
    'The output policy holds the result back.',
    'See why with `sagasmith quarantine show`, then release it or discard it.',
  ),
  output_not_held: entry(
    'No result of this step is held back.',
    'List those that are with `sagasmith quarantine list`.',
  ),
  output_release_refused: entry(
    'The result can’t be released any more.',
    'Its run is being undone. Start a new run once that has ended.',
  ),
  output_policy_invalid: entry(
    'The output policy has mistakes.',
    'Correct the named places. The policy that was in effect still is.',
  ),
  output_policy_changed: entry(
    'Somebody else changed the output policy meanwhile.',
    'Read it again, and repeat your change.',
  ),
  output_scan_failed: entry(
    'The result could not be scanned.',
    'Look at the engine’s log. What happens to the result is the setting output_policy_fail_mode.',
    true,
  ),
  output_scan_too_slow: entry(
    'The scan of the result took too long.',
    'Make patterns of the output policy simpler, or have the step give less.',
  ),
} as const
