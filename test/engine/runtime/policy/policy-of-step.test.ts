/** What the policy says of a step before it is run: by the evaluator that decides about it then. */

import { describe, expect, it } from 'vitest'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { PolicyDocument, PolicyRule } from '../../../../src-engine/model/policy/policy.ts'
import { noPolicy } from '../../../../src-engine/model/policy/policy.ts'
import { policyOfStep } from '../../../../src-engine/runtime/policy/policy-of-step.ts'
import { createPolicySubjects } from '../../../../src-engine/runtime/policy/policy-subjects.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import { documentOf } from '../../model/workflow-fixture.ts'

const parts = { specsByKind: taskSpecsByKind, subjects: createPolicySubjects(taskSpecsByKind) }
const document = documentOf({
  nodes: {
    call: {
      kind: 'http-request',
      parameters: { url: 'https://example.com', headers: { key: '{{ secrets.KEY }}' } },
      route: { topic: 'payments' },
    },
    note: { kind: 'log', parameters: { message: 'hi' } },
  },
}) as unknown as JsonObject
const policy = (...rules: readonly PolicyRule[]): PolicyDocument => ({ ...noPolicy, rules })
const asked = (given: PolicyDocument, node = 'call') =>
  policyOfStep(parts, given, { document, nodeId: nodeId(node) })

describe('a step of a document', () => {
  it('is free where no rule applies, and denied where nothing is allowed', () => {
    expect(asked(policy({ id: 'r', match: { kinds: ['sql-*'] }, decision: 'DENY' }))).toEqual({
      ...{ decision: 'ALLOW', ruleId: null, ruleTitle: null, reason: '', constraints: null, approval: null },
      ...{ beyond: [], larger: [] },
    })
    expect(asked({ ...noPolicy, defaultDecision: 'DENY' })).toMatchObject({ decision: 'DENY', ruleId: null })
  })

  it('is known to rules by its kind, its topic and the secrets that it names', () => {
    for (const match of [
      { kinds: ['http-*'] },
      { topics: ['payments'] },
      { secrets: ['KEY'] },
      { secretsPresent: true },
    ]) {
      const rules = policy({
        id: 'r',
        title: 'Careful',
        match,
        decision: 'REQUIRE_APPROVAL',
        approval: { approvers: ['ada'] },
      })
      expect(asked(rules)).toMatchObject({
        ...{
          decision: 'REQUIRE_APPROVAL',
          ruleId: 'r',
          ruleTitle: 'Careful',
          approval: { approvers: ['ada'] },
        },
      })
      expect(asked(rules, 'note').decision).toBe('ALLOW')
    }
  })

  it('is told its bounds', () => {
    const rule: PolicyRule = {
      id: 'r',
      decision: 'ALLOW',
      constraints: { maxRetries: 1, hosts: ['*.example.com'] },
    }
    expect(asked(policy(rule))).toMatchObject({
      decision: 'ALLOW_WITH_CONSTRAINTS',
      constraints: { maxRetries: 1, hosts: ['*.example.com'] },
    })
  })

  it('hears of rules that decide when too many come, or too much, in the place of the one that decides now', () => {
    const found = asked(
      policy(
        { id: 'off', enabled: false, velocity: { max: 1, windowMs: 1, key: 'tenant' }, decision: 'DENY' },
        { id: 'many', velocity: { max: 5, windowMs: 60_000, key: 'kind' }, decision: 'THROTTLE' },
        { id: 'large', match: { payloadBytesOver: 1_000 }, decision: 'DENY' },
        { id: 'now', decision: 'ALLOW' },
        { id: 'never', velocity: { max: 9, windowMs: 1, key: 'kind' }, decision: 'DENY' },
      ),
    )
    expect(found).toMatchObject({ decision: 'ALLOW', ruleId: 'now' })
    expect(found.beyond).toEqual([{ ruleId: 'many', decision: 'THROTTLE', max: 5, windowMs: 60_000 }])
    expect(found.larger).toEqual([{ ruleId: 'large', decision: 'DENY', bytes: 1_000 }])
  })

  it('must be there', () => {
    expect(() => asked(noPolicy, 'gone')).toThrow('no step “gone”')
  })
})
