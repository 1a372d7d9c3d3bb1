/** Policy files: what can be used, what is wrong with the others, and how policies are kept. */

import { describe, expect, it, test } from 'vitest'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import {
  noPolicyIndex,
  policyHashOf,
  policySnapshotsMax,
  readPolicyIndex,
  withSnapshot,
  writePolicyIndex,
} from '../../../../src-engine/model/policy/policy-snapshots.ts'
import { parsePolicy, readPolicy } from '../../../../src-engine/model/policy/read-policy.ts'
import { policyOf } from './request.ts'

const full = policyOf([
  {
    id: 'pay',
    title: 'Payments',
    match: { kinds: ['http-request'], labels: { env: 'prod' }, payloadBytesOver: 10 },
    velocity: { max: 3, windowMs: 1_000, key: 'tenant:labels.customer' },
    decision: 'REQUIRE_APPROVAL',
    reason: 'Money moves.',
    constraints: { maxRuntimeMs: 1_000, maxRetries: 0, maxConcurrent: 1, hosts: ['*.bank.example'] },
    approval: { approvers: ['ann'], deadlineMs: 60_000 },
  },
])

describe('a policy file', () => {
  it('is read as it is written', () => {
    expect(readPolicy(`\uFEFF${JSON.stringify(full)}`)).toEqual({ ok: true, value: full })
  })

  it('that is no JSON is refused with the place', () => {
    const read = readPolicy('{\n  "format": oops\n}')
    expect(read.ok).toBe(false)
    if (read.ok) return
    expect(read.error.code).toBe('policy_unreadable')
    expect(read.error.message).toContain('line 2')
  })

  interface Fault {
    readonly name: string
    readonly change: Record<string, unknown>
    readonly says: string
  }
  const rule = { id: 'a', decision: 'ALLOW' }
  const faults: readonly Fault[] = [
    { name: 'no default', change: { defaultDecision: undefined }, says: '“defaultDecision”' },
    { name: 'a misspelled default', change: { defaultDecision: 'allow' }, says: '“ALLOW” or “DENY”' },
    {
      name: 'a criterion nobody knows',
      change: { rules: [{ ...rule, match: { kind: ['x'] } }] },
      says: 'has no field "kind"',
    },
    {
      name: 'a decision nobody knows',
      change: { rules: [{ ...rule, decision: 'MAYBE' }] },
      says: '“rules[0].decision”',
    },
    {
      name: 'two rules of one id',
      change: { rules: [rule, rule] },
      says: '“rules[1].id” “a” names an earlier rule already',
    },
    {
      name: 'constraints without any',
      change: { rules: [{ ...rule, decision: 'ALLOW_WITH_CONSTRAINTS' }] },
      says: 'needs them',
    },
    {
      name: 'a denial with bounds',
      change: { rules: [{ ...rule, decision: 'DENY', constraints: { maxRetries: 1 } }] },
      says: 'mean nothing with DENY',
    },
    {
      name: 'bounds of steps at starts',
      change: { rules: [{ ...rule, match: { at: 'start' }, constraints: { hosts: [] } }] },
      says: 'bounds steps',
    },
    {
      name: 'a velocity without a key',
      change: { rules: [{ ...rule, velocity: { max: 1, windowMs: 1, key: 'customer' } }] },
      says: 'labels.NAME',
    },
    { name: 'a version of tomorrow', change: { schemaVersion: 2 }, says: '“schemaVersion”' },
  ]

  test.for(faults)('with $name is refused, and says where', ({ change, says }) => {
    const read = readPolicy(JSON.stringify({ ...policyOf([]), ...change }))
    expect(read.ok).toBe(false)
    if (read.ok) return
    expect(read.error.code).toBe('policy_invalid')
    expect(read.error.message.replaceAll('"ALLOW" or "DENY"', '“ALLOW” or “DENY”')).toContain(says)
  })

  it('that is too large is refused', () => {
    const rules = Array.from({ length: 400 }, (_, index) => ({
      id: `r${index}`,
      reason: 'x'.repeat(200),
      decision: 'ALLOW' as const,
    }))
    expect(parsePolicy(policyJson(policyOf(rules)))).toMatchObject({ ok: false })
  })
})

describe('kept policies', () => {
  it('have the same name for the same content, whatever the order of its fields', () => {
    const { rules, ...rest } = full
    expect(policyHashOf({ rules, ...rest })).toBe(policyHashOf(full))
    expect(policyHashOf(policyOf([]))).not.toBe(policyHashOf(full))
  })

  it('are the last ten, each once, and setting an earlier one again brings it to the front', () => {
    let index = noPolicyIndex
    const dropped: string[] = []
    for (let at = 1; at <= policySnapshotsMax + 2; at += 1) {
      const next = withSnapshot(index, { hash: `h${at}`, at, by: 'ann', note: '', title: '', ruleCount: at })
      index = next.index
      dropped.push(...next.dropped)
    }
    expect(dropped).toEqual(['h1', 'h2'])
    const back = withSnapshot(index, { hash: 'h5', at: 99, by: 'bob', note: 'back', title: '', ruleCount: 5 })
    expect(back.dropped).toEqual([])
    expect(back.index.current).toBe('h5')
    expect(back.index.snapshots.map(({ hash }) => hash).slice(0, 3)).toEqual(['h5', 'h12', 'h11'])
    expect(back.index.snapshots).toHaveLength(policySnapshotsMax)
    expect(readPolicyIndex(writePolicyIndex(back.index))).toEqual(back.index)
    expect(readPolicyIndex({ current: 1, snapshots: [] })).toBeNull()
  })
})
