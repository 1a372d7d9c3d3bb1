/** What a safety kernel said about something the last time it was asked; kept with what it was asked about. */

import type { Instant } from '../time.ts'
import type { PolicyConstraints, PolicyDecision } from './policy.ts'

export interface PolicyRuling {
  /** `UNAVAILABLE` where nobody could be asked. */
  readonly decision: PolicyDecision | 'UNAVAILABLE'
  /** Null for the default, or where nobody could be asked. */
  readonly ruleId: string | null
  /** The hash of the policy that was asked; null for none. */
  readonly snapshot: string | null
  readonly reason: string
  /** What it goes on under; null for nothing. */
  readonly constraints: PolicyConstraints | null
  readonly at: Instant
  /** It went on although nobody could be asked: its topic, for who counts. Absent otherwise. */
  readonly bypassed?: string
  /** How often in a row nobody could be asked; absent for never. */
  readonly unavailableCount?: number
}

/** The tag of what went on although nobody could be asked. */
export const bypassedTag = 'safety_bypassed'

/** The cause's kind of what a policy did. */
export const policyCause = 'policy'
