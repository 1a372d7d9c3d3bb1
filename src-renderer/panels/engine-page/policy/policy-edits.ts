/** Changes of a policy's rules. Pure. */

import type { PolicyDocument, PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { policyFormat, policySchemaVersion } from '../../../../src-engine/model/policy/policy.ts'
import { parsePolicy } from '../../../../src-engine/model/policy/read-policy.ts'

/** What is edited while there is none: everything is allowed. */
export const emptyPolicy: PolicyDocument = {
  format: policyFormat,
  schemaVersion: policySchemaVersion,
  defaultDecision: 'ALLOW',
  rules: [],
}

/** A new rule in front of the others would hide them: it comes last. */
export function withNewRule(policy: PolicyDocument): {
  readonly policy: PolicyDocument
  readonly id: string
} {
  const taken = new Set(policy.rules.map(({ id }) => id))
  let number = policy.rules.length + 1
  while (taken.has(`rule-${number}`)) number += 1
  const id = `rule-${number}`
  return { policy: { ...policy, rules: [...policy.rules, { id, decision: 'REQUIRE_APPROVAL' }] }, id }
}

/** Another rule in the place of one. */
export const withRule = (policy: PolicyDocument, index: number, rule: PolicyRule): PolicyDocument => ({
  ...policy,
  rules: policy.rules.with(index, rule),
})

/** Without the rule of that place. */
export const withoutRule = (policy: PolicyDocument, index: number): PolicyDocument => ({
  ...policy,
  rules: policy.rules.toSpliced(index, 1),
})

/** With a rule asked earlier or later; the same policy where it can't be. */
export function moved(policy: PolicyDocument, from: number, to: number): PolicyDocument {
  const rule = policy.rules[from]
  if (rule === undefined || to < 0 || to >= policy.rules.length || from === to) return policy
  return { ...policy, rules: policy.rules.toSpliced(from, 1).toSpliced(to, 0, rule) }
}

/** What belongs to another decision means nothing with this one, and would keep the policy from being used. */
export function forDecision(rule: PolicyRule): PolicyRule {
  const { constraints, approval, ...rest } = rule
  const hasBounds = rule.decision === 'ALLOW_WITH_CONSTRAINTS' || rule.decision === 'REQUIRE_APPROVAL'
  return {
    ...rest,
    ...(hasBounds && constraints !== undefined ? { constraints } : {}),
    ...(rule.decision === 'REQUIRE_APPROVAL' && approval !== undefined ? { approval } : {}),
  }
}

/** A fault with the place that it is at: `rules[2].match.kinds`. */
export interface PolicyFault {
  readonly path: string
  readonly message: string
}

/** What keeps a policy from being used; nothing for one that can be. */
export function faultsOf(policy: PolicyDocument): readonly PolicyFault[] {
  const read = parsePolicy(policy)
  if (read.ok) return []
  const { faults } = read.error.details as { readonly faults?: readonly PolicyFault[] }
  return faults ?? [{ path: '', message: read.error.message }]
}

/** What a rule applies to, in a few words. */
export function matchWords({ match = {} }: PolicyRule, everything: string): string {
  const words = Object.entries(match).flatMap(([name, value]) => {
    if (name === 'at') return [value === 'start' ? 'starts' : 'steps']
    if (Array.isArray(value)) return value.length === 0 ? [] : [value.join(', ')]
    if (name === 'secretsPresent') return [value === true ? 'with secrets' : 'without secrets']
    if (name === 'payloadBytesOver') return [`over ${String(value)} bytes`]
    return typeof value === 'object' ? Object.keys(value) : []
  })
  return words.length === 0 ? everything : words.join(' · ')
}

/** The faults of a part, with paths that begin there. */
export const faultsWithin = (faults: readonly PolicyFault[], part: string): readonly PolicyFault[] =>
  faults.flatMap(({ path, message }) =>
    path.startsWith(part) ? [{ path: path.slice(part.length), message }] : [],
  )

/** The rule that a fault is in, and the field there; one past the rules for what is about the policy. */
export function ruleOfFault({ path }: PolicyFault): { readonly index: number; readonly field: string } {
  const [, place, field] = /^rules\[(\d+)\](?:\.(.*))?$/.exec(path) ?? []
  return place === undefined
    ? { index: Number.POSITIVE_INFINITY, field: path }
    : { index: Number(place), field: field ?? '' }
}

/** A rule as people call it; `otherwise` for none. */
export function ruleTitle({ rules }: PolicyDocument, ruleId: string | null, otherwise: string): string {
  return ruleId === null ? otherwise : (rules.find(({ id }) => id === ruleId)?.title ?? ruleId)
}
