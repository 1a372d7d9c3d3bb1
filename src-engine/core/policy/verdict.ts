/** What a safety kernel's answer means for a claimed step: it goes on, perhaps bounded, or it doesn't. */

import type { ApprovalRequest } from '../../model/approval.ts'
import type { SlotTake } from '../../model/checkpoint.ts'
import type { Permit, PermitPlan } from '../../model/invocation.ts'
import type { PolicyRuling } from '../../model/policy/ruling.ts'
import type { Millis } from '../../model/time.ts'
import type { Decision } from '../draft.ts'

export type Verdict =
  | {
      readonly kind: 'goes'
      readonly ruling: PolicyRuling
      /** Places of velocity rules that it takes: the commit is refused where one is full. */
      readonly takes: readonly SlotTake[]
      /** Permits that it holds while it runs. */
      readonly permits: readonly Permit[]
    }
  | {
      readonly kind: 'denied'
      readonly ruling: PolicyRuling
      readonly code: 'safety_denied' | 'safety_unknown'
    }
  /** Nobody could be asked for so long that somebody has to see to it. */
  | {
      readonly kind: 'parks'
      readonly ruling: PolicyRuling
      readonly code: 'compensation_safety_unavailable'
    }
  | { readonly kind: 'asks'; readonly ruling: PolicyRuling; readonly request: ApprovalRequest }
  /** It comes back after a while; that counts as no attempt. */
  | {
      readonly kind: 'waits'
      readonly ruling: PolicyRuling
      readonly code: 'safety_throttled' | 'safety_unavailable'
      readonly delayMs: Millis
    }
  /** This process is about to stop: somebody else asks. */
  | { readonly kind: 'stopping' }

/** The beginning of the keys of permits that policies ask for. */
const permitPrefix = 'policy:'

/** The permit of everything that one rule lets go on in a bounded number. */
export const policyPermitKey = (name: string): string => `${permitPrefix}${name}`

/** The plan with what the policy asks for now instead of what it asked for before. */
export function planUnder(plan: PermitPlan | null, permits: readonly Permit[]): PermitPlan | null {
  const kept = plan?.permits.filter(({ key }) => !key.startsWith(permitPrefix)) ?? []
  if (permits.length === 0 && kept.length === (plan?.permits.length ?? 0)) return plan
  const base = plan ?? { resolved: true, blockedSince: null, blockedBy: null }
  return { ...base, permits: [...kept, ...permits] }
}

/**
 * The decision with the places of velocity rules that what it starts takes. A run that has begun holds its
 * permits from here on; a step's are taken with its status.
 */
export function withPlaces(
  decision: Decision,
  { takes: places, permits }: Pick<Extract<Verdict, { readonly kind: 'goes' }>, 'takes' | 'permits'>,
  isGate: boolean,
): Decision {
  const { checkpoint, changes } = decision
  const held = isGate ? permits : []
  const takes = [
    ...places,
    ...held.map(({ key, limit }) => ({ key, limit, holder: changes.run.id, expiresAt: null })),
  ]
  if (takes.length === 0) return decision
  const writes = { ...checkpoint.writes, take: [...checkpoint.writes.take, ...takes] }
  return { ...decision, checkpoint: { ...checkpoint, writes } }
}
