/** What the safety policy says of a step, in words. */

import { expect, it } from 'vitest'
import type { PolicyOfStep } from '../../src-engine/protocol/policy.ts'
import { safetySentences } from '../../src-renderer/panels/inspector/safety-sentences.ts'

const free: PolicyOfStep = {
  ...{ decision: 'ALLOW', ruleId: null, ruleTitle: null, reason: '', constraints: null, approval: null },
  ...{ beyond: [], larger: [], unreadable: null, isRemoteAsked: false },
}
const by = { ruleId: 'r1', ruleTitle: 'Payments' }

it.each<[Partial<PolicyOfStep>, readonly string[]]>([
  [{}, ['No safety rule applies to it: it is run.']],
  [{ ...by }, ['The safety rule “Payments” lets it run.']],
  [
    { ...by, ruleTitle: null, decision: 'DENY', reason: 'Not on Fridays.' },
    ['The safety rule “r1” denies it: it fails without being run. (Not on Fridays.)'],
  ],
  [
    { decision: 'DENY' },
    ['No safety rule allows it, and what none allows is denied: it fails without being run.'],
  ],
  [
    {
      ...by,
      decision: 'ALLOW_WITH_CONSTRAINTS',
      constraints: { maxRuntimeMs: 60_000, hosts: ['a.test', 'b.test'] },
    },
    [
      'The safety rule “Payments” lets it run within bounds: a try ends after 1 min, it reaches only a.test, b.test.',
    ],
  ],
  [
    {
      ...by,
      decision: 'REQUIRE_APPROVAL',
      approval: { approvers: ['ada', 'bob'], deadlineMs: 3_600_000 },
      constraints: { maxRetries: 0 },
    },
    [
      'The safety rule “Payments” has somebody asked before it is run: ada, bob, within 1 h. It is tried again 0 times at most.',
    ],
  ],
  [
    {
      beyond: [{ ruleId: 'many', decision: 'THROTTLE', max: 5, windowMs: 60_000 }],
      larger: [{ ruleId: 'large', decision: 'DENY', bytes: 1000 }],
      isRemoteAsked: true,
    },
    [
      'No safety rule applies to it: it is run.',
      'Once more than 5 come within 1 min, the rule “many” holds it back.',
      'Once its parameters have more than 1000 bytes, the rule “large” denies it.',
      'A remote safety kernel is asked as well, and may be stricter.',
    ],
  ],
  [{ unreadable: 'closed' }, ['The safety rules can’t be read: it waits until they can.']],
])('%j', (said, sentences) => {
  expect(safetySentences({ ...free, ...said })).toEqual(sentences)
})
