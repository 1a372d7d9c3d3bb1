/** What an answer that lets something go on takes and holds of counted sets. */

import type { Verdict } from '../../core/policy/verdict.ts'
import { policyPermitKey } from '../../core/policy/verdict.ts'
import type { PolicyAnswer, PolicyRequest } from '../../model/policy/policy.ts'
import type { PolicyRuling } from '../../model/policy/ruling.ts'

/** The key of a place of a velocity rule, by the short name of its parts. */
export const velocityKey = (name: string): string => `velocity:${name}`

/** Whether a counted set is that of a velocity rule. */
export const isVelocityKey = (key: string): boolean => key.startsWith(velocityKey(''))

/** It goes on: with its places of velocity rules, and the permit of what runs only in a bounded number. */
export function goesUnder(
  ruling: PolicyRuling,
  of: {
    readonly request: PolicyRequest
    readonly answer: PolicyAnswer
    /** Whom the places count for: repeats of it take none. */
    readonly holder: string
    readonly hash: (text: string) => string
  },
): Verdict {
  const { request, answer, holder, hash } = of
  const takes = answer.velocity.map(({ key, max, windowMs }) => ({
    key: velocityKey(hash(key)),
    holder,
    limit: max,
    expiresAt: ruling.at + windowMs,
  }))
  const limit = ruling.constraints?.maxConcurrent
  const name = `${request.at}:${ruling.ruleId ?? 'remote'}/${request.tenant}`
  const permits = limit === undefined ? [] : [{ key: policyPermitKey(name), limit, windowMs: null }]
  return { kind: 'goes', ruling, takes, permits }
}
