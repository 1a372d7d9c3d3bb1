/** What a policy answers: the first rule that applies, every criterion, velocity, and the default. */

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  asksForPayload,
  evaluatePolicy,
  ruleMatches,
  speaksOfStarts,
} from '../../../../src-engine/model/policy/evaluate-policy.ts'
import { matchesGlob } from '../../../../src-engine/model/policy/glob.ts'
import type {
  PolicyDecision,
  PolicyMatch,
  PolicyRequest,
  PolicyRule,
  VelocityPlace,
} from '../../../../src-engine/model/policy/policy.ts'
import { policyDecisions, severityOf } from '../../../../src-engine/model/policy/policy.ts'
import { policyOf, startRequest, stepRequest } from './request.ts'

const deny = (match: PolicyMatch, id = 'no'): PolicyRule => ({ id, match, decision: 'DENY' })

describe('a criterion of a rule', () => {
  interface Case {
    readonly name: string
    readonly match: PolicyMatch
    readonly holds: Partial<PolicyRequest>
    readonly fails: Partial<PolicyRequest>
  }
  const cases: readonly Case[] = [
    { name: 'tenants', match: { tenants: ['ac*'] }, holds: { tenant: 'ACME' }, fails: { tenant: 'local' } },
    { name: 'workflows', match: { workflows: ['ord*s'] }, holds: {}, fails: { workflowId: 'order' } },
    { name: 'nodes', match: { nodes: ['charge', 'pay'] }, holds: {}, fails: { nodeId: 'ship' } },
    { name: 'kinds', match: { kinds: ['http-*'] }, holds: {}, fails: { kind: 'log' } },
    { name: 'topics', match: { topics: ['mail.*'] }, holds: { topic: 'mail.out.now' }, fails: {} },
    { name: 'pools', match: { pools: ['gpu'] }, holds: { pool: 'gpu' }, fails: {} },
    { name: 'roles', match: { roles: ['compensation'] }, holds: { role: 'compensation' }, fails: {} },
    { name: 'tags', match: { tags: ['a', 'b'] }, holds: { tags: ['x', 'B'] }, fails: { tags: ['x'] } },
    { name: 'risk tags', match: { riskTags: ['net*'] }, holds: { riskTags: ['network'] }, fails: {} },
    {
      name: 'requires',
      match: { requires: ['gpu', 'eu'] },
      holds: { requires: ['eu', 'gpu', 'x'] },
      fails: { requires: ['gpu'] },
    },
    { name: 'labels', match: { labels: { env: 'prod' } }, holds: { labels: { env: 'Prod' } }, fails: {} },
    {
      name: 'a label outside of its list',
      match: { labelAllowlist: { zone: ['eu', 'us-*'] } },
      holds: { labels: { zone: 'cn' } },
      fails: { labels: { zone: 'us-east' } },
    },
    {
      name: 'a listed label that is missing',
      match: { labelAllowlist: { zone: [] } },
      holds: { labels: { zone: 'eu' } },
      fails: {},
    },
    {
      name: 'a label above its threshold',
      match: { labelThreshold: { amount: 100 } },
      holds: { labels: { amount: '100.5' } },
      fails: { labels: { amount: '100' } },
    },
    {
      name: 'a label that is no number',
      match: { labelThreshold: { amount: -1 } },
      holds: { labels: { amount: '0' } },
      fails: { labels: { amount: ' ' } },
    },
    { name: 'secrets', match: { secretsPresent: true }, holds: { secrets: ['KEY'] }, fails: {} },
    { name: 'no secrets', match: { secretsPresent: false }, holds: {}, fails: { secrets: ['KEY'] } },
    {
      name: 'a named secret',
      match: { secrets: ['PROD_*'] },
      holds: { secrets: ['prod_key'] },
      fails: { secrets: ['KEY'] },
    },
    {
      name: 'payload',
      match: { payloadBytesOver: 10 },
      holds: { payloadBytes: 11 },
      fails: { payloadBytes: 10 },
    },
    { name: 'a payload nobody knows', match: { payloadBytesOver: 0 }, holds: { payloadBytes: 1 }, fails: {} },
    { name: 'the moment', match: { at: 'step' }, holds: {}, fails: startRequest() },
  ]

  test.for(cases)('$name holds or fails as it says', ({ match, holds, fails }) => {
    expect(ruleMatches(deny(match), stepRequest(holds))).toBe(true)
    expect(ruleMatches(deny(match), stepRequest(fails))).toBe(false)
  })

  it('about a step never holds for the start of a run', () => {
    for (const match of [
      { nodes: ['*'] },
      { kinds: ['*'] },
      { labels: { a: 'b' } },
      { at: 'step' as const },
    ]) {
      expect(ruleMatches(deny(match), startRequest({ labels: { a: 'b' } }))).toBe(false)
      expect(speaksOfStarts(policyOf([deny(match)]))).toBe(false)
    }
    expect(ruleMatches(deny({ workflows: ['orders'] }), startRequest())).toBe(true)
    expect(speaksOfStarts(policyOf([deny({ workflows: ['orders'] })]))).toBe(true)
  })

  it('tells whether an answer may depend on the payload', () => {
    expect(asksForPayload(policyOf([deny({ payloadBytesOver: 1 })]))).toBe(true)
    expect(asksForPayload(policyOf([{ ...deny({ payloadBytesOver: 1 }), enabled: false }]))).toBe(false)
    expect(asksForPayload(policyOf([deny({ kinds: ['x'] })]))).toBe(false)
  })
})

describe('a policy', () => {
  it('answers by the first rule that applies', () => {
    const policy = policyOf([
      { id: 'off', enabled: false, decision: 'DENY' },
      { id: 'other', match: { kinds: ['log'] }, decision: 'DENY' },
      { id: 'first', decision: 'THROTTLE', reason: 'Slowly.' },
      { id: 'second', decision: 'DENY' },
    ])
    expect(evaluatePolicy(policy, stepRequest())).toMatchObject({
      decision: 'THROTTLE',
      ruleId: 'first',
      reason: 'Slowly.',
    })
  })

  it('denies what no rule applies to, unless it says otherwise; a start goes on', () => {
    const closed = policyOf([], { defaultDecision: 'DENY' })
    expect(evaluatePolicy(closed, stepRequest())).toMatchObject({ decision: 'DENY', ruleId: null })
    expect(evaluatePolicy(closed, startRequest()).decision).toBe('ALLOW')
    expect(evaluatePolicy(policyOf([]), stepRequest()).decision).toBe('ALLOW')
    const misspelled = { ...policyOf([]), defaultDecision: 'allow' as 'ALLOW' }
    expect(evaluatePolicy(misspelled, stepRequest()).decision).toBe('DENY')
  })

  it('denies by a decision that nobody knows', () => {
    const policy = policyOf([{ id: 'odd', decision: 'MAYBE' as PolicyDecision }])
    expect(evaluatePolicy(policy, stepRequest())).toMatchObject({ decision: 'DENY', ruleId: 'odd' })
  })

  it('takes an allowance with bounds for one under constraints', () => {
    const policy = policyOf([{ id: 'short', decision: 'ALLOW', constraints: { maxRuntimeMs: 5 } }])
    expect(evaluatePolicy(policy, stepRequest())).toMatchObject({
      decision: 'ALLOW_WITH_CONSTRAINTS',
      constraints: { maxRuntimeMs: 5 },
    })
  })

  it('orders decisions from the mildest to the strictest', () => {
    expect(policyDecisions.map(severityOf)).toEqual([0, 1, 2, 3, 4])
  })
})

describe('a velocity rule', () => {
  const policy = policyOf([
    {
      id: 'fast',
      match: { kinds: ['http-*'] },
      velocity: { max: 3, windowMs: 60_000, key: 'tenant:labels.customer' },
      decision: 'THROTTLE',
    },
    { id: 'rest', decision: 'ALLOW' },
  ])
  const asked = stepRequest({ labels: { customer: 'c1' } })

  it('is passed while there is room, and tells which place is taken', () => {
    const { decision, ruleId, velocity } = evaluatePolicy(policy, asked)
    expect({ decision, ruleId }).toEqual({ decision: 'ALLOW', ruleId: 'rest' })
    expect(velocity).toEqual([{ key: '["fast","step","local","c1"]', max: 3, windowMs: 60_000 }])
  })

  it('applies once its count is full', () => {
    const full: VelocityPlace[] = []
    const answer = evaluatePolicy(policy, asked, { isFull: (place) => full.push(place) > 0 })
    expect(answer).toMatchObject({ decision: 'THROTTLE', ruleId: 'fast', velocity: [] })
    expect(full).toHaveLength(1)
  })

  it('is passed over where a part of its key is missing', () => {
    const counts = { isFull: () => true }
    expect(evaluatePolicy(policy, stepRequest(), counts)).toMatchObject({ ruleId: 'rest', velocity: [] })
  })
})

describe('any policy', () => {
  const word = fc.constantFrom('orders', 'charge', 'http-request', 'local', 'x', '*', 'o*s')
  const match = fc.record(
    {
      workflows: fc.array(word, { minLength: 1, maxLength: 2 }),
      kinds: fc.array(word, { minLength: 1, maxLength: 2 }),
      tenants: fc.array(word, { minLength: 1, maxLength: 2 }),
      secretsPresent: fc.boolean(),
      payloadBytesOver: fc.nat(20),
    },
    { requiredKeys: [] },
  )
  const rules = fc
    .array(fc.record({ match, decision: fc.constantFrom(...policyDecisions), enabled: fc.boolean() }))
    .map((all) => all.map((rule, index): PolicyRule => ({ id: `r${index}`, ...rule })))
  const request = fc.record({
    workflowId: word,
    kind: word,
    secrets: fc.subarray(['A', 'B']),
    payloadBytes: fc.option(fc.nat(40)),
  })

  it('answers by the first enabled rule that matches, and by nothing behind it', () => {
    fc.assert(
      fc.property(rules, request, rules, (before, given, after) => {
        const asked = stepRequest(given)
        const policy = policyOf(before)
        const first = before.find((rule) => rule.enabled !== false && ruleMatches(rule, asked))
        const answer = evaluatePolicy(policy, asked)
        expect(answer.ruleId).toBe(first?.id ?? null)
        expect(answer.decision).toBe(first?.decision ?? 'ALLOW')
        if (first === undefined) return
        const longer = policyOf([...before, ...after.map((rule) => ({ ...rule, id: `x${rule.id}` }))])
        expect(evaluatePolicy(longer, asked)).toEqual(answer)
      }),
    )
  })

  it('never says more of a rule that has one criterion more', () => {
    fc.assert(
      fc.property(match, match, request, (one, other, given) => {
        const asked = stepRequest(given)
        const both = ruleMatches(deny({ ...other, ...one }), asked)
        expect(both && !ruleMatches(deny(one), asked)).toBe(false)
      }),
    )
  })
})

describe('a pattern with stars', () => {
  it('describes what a regular expression of the same meaning describes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', '.', '*'), maxLength: 8 })
    fc.assert(
      fc.property(text, text, (pattern, given) => {
        const source = pattern.toLowerCase().replaceAll('.', String.raw`\.`).replaceAll('*', '.*')
        expect(matchesGlob(pattern, given)).toBe(new RegExp(`^${source}$`).test(given.toLowerCase()))
      }),
    )
  })

  it('takes no longer for a pattern that is made to take long', () => {
    expect(matchesGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(5_000))).toBe(false)
  })
})
