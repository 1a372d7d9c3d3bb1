/** What a remote safety kernel may answer; what nobody knows denies. */

import { z } from 'zod'
import type { PolicyAnswer, PolicyConstraints, PolicyDecision } from './policy.ts'
import { policyDecisions, severityOf } from './policy.ts'

const bound = z.int().min(0).nullish()

const remoteSchema = z.looseObject({
  decision: z.string(),
  reason: z.string().max(2_000).nullish(),
  ruleId: z.string().max(200).nullish(),
  constraints: z
    .looseObject({
      maxRuntimeMs: bound,
      maxRetries: bound,
      maxConcurrent: bound,
      hosts: z.array(z.string()).nullish(),
    })
    .nullish(),
})

/** An answer, and whether its decision is one that nobody knows. */
export interface ReadAnswer {
  readonly answer: PolicyAnswer
  readonly isUnknown: boolean
}

/** Reads the body of an answer; null for one that is none. */
export function readRemoteAnswer(body: unknown): ReadAnswer | null {
  const read = remoteSchema.safeParse(body)
  if (!read.success) return null
  const { reason, ruleId, constraints } = read.data
  const word = read.data.decision.trim().toUpperCase()
  const known = policyDecisions.find((decision) => decision === word)
  const bounds = constraintsOf(constraints ?? null)
  const decision: PolicyDecision =
    known === 'ALLOW' && bounds !== null ? 'ALLOW_WITH_CONSTRAINTS' : (known ?? 'DENY')
  const said = reason ?? 'The safety kernel says so.'
  return {
    isUnknown: known === undefined,
    answer: {
      decision,
      ruleId: ruleId ?? null,
      reason:
        known === undefined ? `The safety kernel gave an unknown decision: ${word.slice(0, 60)}.` : said,
      constraints: bounds,
      approval: null,
      velocity: [],
    },
  }
}

function constraintsOf(
  given: {
    readonly maxRuntimeMs?: number | null | undefined
    readonly maxRetries?: number | null | undefined
    readonly maxConcurrent?: number | null | undefined
    readonly hosts?: readonly string[] | null | undefined
  } | null,
): PolicyConstraints | null {
  if (given === null) return null
  const { maxRuntimeMs, maxRetries, maxConcurrent, hosts } = given
  const bounds = {
    ...(typeof maxRuntimeMs === 'number' ? { maxRuntimeMs: Math.max(1, maxRuntimeMs) } : {}),
    ...(typeof maxRetries === 'number' ? { maxRetries } : {}),
    ...(typeof maxConcurrent === 'number' ? { maxConcurrent: Math.max(1, maxConcurrent) } : {}),
    ...(hosts === null || hosts === undefined ? {} : { hosts }),
  }
  return Object.keys(bounds).length === 0 ? null : bounds
}

/** The stricter of two answers, under the bounds of both. */
export function stricter(one: PolicyAnswer, other: PolicyAnswer): PolicyAnswer {
  const isOther = severityOf(other.decision) > severityOf(one.decision)
  const picked = isOther ? other : one
  return {
    ...picked,
    constraints: bothConstraints(one.constraints, other.constraints),
    velocity: [...one.velocity, ...other.velocity],
  }
}

function bothConstraints(
  one: PolicyConstraints | null,
  other: PolicyConstraints | null,
): PolicyConstraints | null {
  if (one === null || other === null) return one ?? other
  const least = (name: 'maxRuntimeMs' | 'maxRetries' | 'maxConcurrent') => {
    const bounds = [one[name], other[name]].filter((value) => value !== undefined)
    return bounds.length === 0 ? {} : { [name]: Math.min(...bounds) }
  }
  const hosts =
    one.hosts === undefined || other.hosts === undefined
      ? (one.hosts ?? other.hosts)
      : one.hosts.filter((host) => other.hosts?.includes(host) === true)
  return {
    ...least('maxRuntimeMs'),
    ...least('maxRetries'),
    ...least('maxConcurrent'),
    ...(hosts === undefined ? {} : { hosts }),
  }
}
