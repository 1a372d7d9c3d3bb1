/** The error codes of approvals. */

import { entry } from './error-entry.ts'

export const approvalErrorCatalogue = {
  approval_not_found: entry(
    'The step has never asked anybody.',
    'List what waits for a person with `sagasmith approvals list`.',
  ),
  approval_stale: entry(
    'What is asked is not what was seen.',
    'Look at it again: `sagasmith approvals show` tells what is asked now.',
  ),
  approval_already_decided: entry(
    'Somebody has decided otherwise already.',
    'Look at who decided what, and talk to them. A decision is not taken back.',
  ),
  approval_not_allowed: entry(
    'This person may not decide it.',
    'Ask one of those who may, or name yourself with --as if you are one of them.',
  ),
  approval_not_actionable: entry(
    'It can’t be decided now.',
    'Resume the step, or wait until what happens to it is done.',
  ),
  approval_form_invalid: entry(
    'What was filled in doesn’t fit the form.',
    'Correct the named fields and approve again.',
  ),
  approval_rejected: entry(
    'The step was rejected.',
    'See who rejected it and why, then change what is asked and run it again.',
  ),
  approval_expired: entry(
    'Nobody decided in time.',
    'Run it again, and allow more time or name more people who may decide.',
  ),
} as const
