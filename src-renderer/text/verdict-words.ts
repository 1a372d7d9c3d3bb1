/** On a card: who has a say about its step, and what was said. */

import type { ApprovalOutcome } from '../../src-engine/model/approval.ts'

export const verdict = {
  asks: 'asks {who}',
  asksAnybody: 'asks anybody',
  asksOther: 'asks somebody else',
  rule: 'rule “{rule}”',
  by: '{outcome} by {who}',
  outcome: {
    approved: 'approved',
    rejected: 'rejected',
    changes: 'pushed back',
    expired: 'nobody decided in time',
  } satisfies Readonly<Record<ApprovalOutcome, string>>,
} as const
