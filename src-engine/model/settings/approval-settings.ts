/** Settings of approvals. */

import { flag } from './setting.ts'

/** Whose word counts. */
export const approvalSettings = {
  approvalOtherPerson: flag({
    name: 'approval_other_person',
    default: false,
    scope: 'store',
    meaning:
      'Whether every approval must come from somebody else than who had the run begin, whatever its step says.',
  }),
} as const
