/** What the safety policy says of a step, as sentences; the engine's own evaluator was asked. Pure. */

import type { PolicyConstraints } from '../../../src-engine/model/policy/policy.ts'
import { spanText } from '../../../src-engine/model/summary.ts'
import type { PolicyOfStep } from '../../../src-engine/protocol/policy.ts'
import { fill } from '../../text/messages.ts'
import { safetyWords as words } from '../../text/safety-words.ts'

/** In the order in which things happen to a step. */
export function safetySentences(of: PolicyOfStep): readonly string[] {
  if (of.unreadable !== null) return [words[of.unreadable]]
  return [
    decided(of),
    ...of.beyond.map(({ ruleId, decision, max, windowMs }) =>
      fill(words.beyond, { max, span: spanText(windowMs), rule: ruleId, does: words.does[decision] }),
    ),
    ...of.larger.map(({ ruleId, decision, bytes }) =>
      fill(words.larger, { bytes, rule: ruleId, does: words.does[decision] }),
    ),
    ...(of.isRemoteAsked ? [words.remote] : []),
  ]
}

function decided(of: PolicyOfStep): string {
  const { decision, ruleId, ruleTitle, constraints } = of
  if (ruleId === null) return decision === 'ALLOW' ? words.free : words.denyDefault
  const rule = ruleTitle ?? ruleId
  switch (decision) {
    case 'ALLOW':
      return fill(words.allow, { rule })
    case 'ALLOW_WITH_CONSTRAINTS':
      return fill(words.bounded, { rule, bounds: boundsOf(constraints) })
    case 'REQUIRE_APPROVAL':
      return `${fill(words.ask, { rule })}${askedOf(of)}.${boundsAfter(constraints)}`
    case 'THROTTLE':
      return fill(words.throttle, { rule }) + reasonOf(of)
    default:
      return fill(words.deny, { rule }) + reasonOf(of)
  }
}

function askedOf({ approval }: PolicyOfStep): string {
  const names = approval?.approvers ?? []
  const deadline = approval?.deadlineMs
  return [
    names.length === 0 ? '' : fill(words.approvers, { names: names.join(', ') }),
    deadline === undefined ? '' : fill(words.deadline, { span: spanText(deadline) }),
  ].join('')
}

function reasonOf({ reason, ruleTitle }: PolicyOfStep): string {
  return reason === '' || reason === ruleTitle ? '' : fill(words.why, { reason })
}

const boundsAfter = (constraints: PolicyConstraints | null): string =>
  constraints === null ? '' : ` ${capital(boundsOf(constraints))}.`

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function boundsOf(constraints: PolicyConstraints | null): string {
  const { maxRuntimeMs, maxRetries, maxConcurrent, hosts } = constraints ?? {}
  return [
    ...(maxRuntimeMs === undefined
      ? []
      : [fill(words.bounds.maxRuntimeMs, { value: spanText(maxRuntimeMs) })]),
    ...(maxRetries === undefined ? [] : [fill(words.bounds.maxRetries, { value: maxRetries })]),
    ...(maxConcurrent === undefined ? [] : [fill(words.bounds.maxConcurrent, { value: maxConcurrent })]),
    ...(hosts === undefined ? [] : [fill(words.bounds.hosts, { value: hosts.join(', ') })]),
  ].join(', ')
}
