/** What a policy says of a result that it holds, before the record notes what it held. */

import type { FreshCheck } from '../../../../src-engine/core/output/hold-back.ts'

export const heldCheck = {
  phase: 'content',
  decision: 'quarantine',
  rule: 'r',
  severity: 'high',
  reason: '',
  policy: 'hash',
  at: 0,
  standing: 'held',
  findings: null,
  with: null,
  decided: null,
} as const satisfies FreshCheck
