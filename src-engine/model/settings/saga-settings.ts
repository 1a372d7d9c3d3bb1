/** Settings of rollbacks: what becomes of them while nobody can say whether a step may be undone. */

import { choice, count } from './setting.ts'

/** A rollback never goes on by itself where a policy might have denied it, unless somebody wants that. */
export const sagaSettings = {
  compensationPolicyFailMode: choice({
    name: 'compensation_policy_fail_mode',
    words: ['closed', 'open'],
    default: 'closed',
    meaning:
      'What becomes of a rollback while the safety kernel can’t be asked about its next compensation: closed has it wait, ask again and at last park for somebody to decide, open undoes the step unasked, with a mark. policy_check_fail_mode and the modes of tenants don’t count for it.',
  }),
  compensationPolicyAttempts: count({
    name: 'compensation_policy_attempts',
    default: 20,
    min: 1,
    meaning:
      'How often in a row the safety kernel is asked in vain about one compensation before its rollback parks as COMPENSATION_FAILED; the pauses are those of other work that nobody can be asked about.',
  }),
} as const
