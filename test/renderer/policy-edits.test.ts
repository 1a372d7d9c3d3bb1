import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { PolicyDocument, PolicyRule } from '../../src-engine/model/policy/policy.ts'
import type { PolicyQuestion } from '../../src-engine/protocol/policy.ts'
import {
  emptyPolicy,
  faultsOf,
  faultsWithin,
  forDecision,
  matchWords,
  moved,
  ruleOfFault,
  ruleTitle,
  withNewRule,
  withoutRule,
  withRule,
} from '../../src-renderer/panels/engine-page/policy/policy-edits.ts'
import { formOfRule, ruleOfForm } from '../../src-renderer/panels/engine-page/policy/rule-form.ts'
import { requestSchema, ruleSchema } from '../../src-renderer/panels/engine-page/policy/rule-schema.ts'

const deny = (id: string): PolicyRule => ({ id, decision: 'DENY' })
const policyOf = (...rules: readonly PolicyRule[]): PolicyDocument => ({ ...emptyPolicy, rules })
const ids = ({ rules }: PolicyDocument): readonly string[] => rules.map(({ id }) => id)

describe('the rules of a policy', () => {
  const three = policyOf(deny('a'), deny('b'), deny('c'))

  test('are moved by place, and stay where they can’t go', () => {
    expect(ids(moved(three, 0, 2))).toEqual(['b', 'c', 'a'])
    expect(ids(moved(three, 2, 0))).toEqual(['c', 'a', 'b'])
    expect(moved(three, 0, -1)).toBe(three)
    expect(moved(three, 2, 3)).toBe(three)
    expect(moved(three, 1, 1)).toBe(three)
    expect(moved(three, 7, 0)).toBe(three)
  })

  test('a new one comes last, with a name that is free', () => {
    const { policy, id } = withNewRule(policyOf(deny('rule-2')))
    expect([ids(policy), id]).toEqual([['rule-2', 'rule-3'], 'rule-3'])
    expect(ids(withoutRule(three, 1))).toEqual(['a', 'c'])
    expect(ids(withRule(three, 1, deny('x')))).toEqual(['a', 'x', 'c'])
  })

  test('another decision takes along only what means something with it', () => {
    const rule: PolicyRule = { ...deny('a'), constraints: { maxRetries: 1 }, approval: { message: 'Look' } }
    expect(forDecision(rule)).toEqual(deny('a'))
    expect(forDecision({ ...rule, decision: 'REQUIRE_APPROVAL' })).toEqual({
      ...rule,
      decision: 'REQUIRE_APPROVAL',
    })
    expect(forDecision({ ...rule, decision: 'ALLOW_WITH_CONSTRAINTS' }).approval).toBeUndefined()
  })

  test('what is wrong is told with its place', () => {
    expect(faultsOf(three)).toEqual([])
    expect(faultsOf(emptyPolicy)).toEqual([])
    const [twice] = faultsOf(policyOf(deny('a'), deny('a')))
    expect(twice?.path).toBe('rules[1].id')
    const [missing] = faultsOf(policyOf({ id: 'a', decision: 'ALLOW_WITH_CONSTRAINTS' }))
    expect(missing).toMatchObject({ path: 'rules[0].constraints' })
    expect(missing?.message).toContain('is missing')
  })

  test('what a rule applies to is said in a few words', () => {
    const words = (match: NonNullable<PolicyRule['match']>) =>
      matchWords({ ...deny('a'), match }, 'everything')
    expect(matchWords(deny('a'), 'everything')).toBe('everything')
    expect(words({ at: 'start', workflows: ['pay*', 'bill'] })).toBe('starts · pay*, bill')
    expect(words({ at: 'step', secretsPresent: true, payloadBytesOver: 5 })).toBe(
      'steps · with secrets · over 5 bytes',
    )
    expect(words({ labels: { zone: 'eu' }, secretsPresent: false })).toBe('zone · without secrets')
  })
})

describe('the form of a rule', () => {
  const propertiesOf = (schema: JsonValue | undefined): JsonObject => {
    const properties = isJsonObject(schema) ? schema['properties'] : undefined
    return isJsonObject(properties) ? properties : {}
  }

  test('a rule with every field of the form can be used', () => {
    const rule = {
      id: 'all',
      title: 'All',
      enabled: false,
      reason: 'Because',
      decision: 'REQUIRE_APPROVAL',
      match: {
        at: 'step',
        workflows: ['w'],
        kinds: ['k'],
        nodes: ['n'],
        topics: ['t'],
        pools: ['p'],
        tenants: ['t'],
        tags: ['t'],
        riskTags: ['r'],
        requires: ['r'],
        roles: ['forward'],
        labels: { zone: 'eu' },
        labelAllowlist: { zone: ['eu'] },
        labelThreshold: { amount: 5 },
        secretsPresent: true,
        secrets: ['s'],
        payloadBytesOver: 1,
      },
      velocity: { max: 1, windowMs: 1000, key: 'tenant' },
      constraints: { maxRuntimeMs: 1, maxRetries: 1, maxConcurrent: 1, hosts: ['h'] },
      approval: { message: 'm', approvers: ['a'], deadlineMs: 1, escalateAfterMs: 1 },
    } satisfies PolicyRule
    expect(faultsOf(policyOf(rule))).toEqual([])
    const fields = propertiesOf(ruleSchema)
    expect(Object.keys(fields).toSorted()).toEqual(Object.keys(rule).toSorted())
    for (const group of ['match', 'velocity', 'constraints', 'approval'] as const) {
      expect(Object.keys(propertiesOf(fields[group])).toSorted()).toEqual(Object.keys(rule[group]).toSorted())
    }
  })
})

describe('what a rule’s form says', () => {
  const rule = {
    ...deny('a'),
    match: { labelAllowlist: { zone: ['eu', 'us'] }, labelThreshold: { amount: 1.5 }, secretsPresent: false },
  } satisfies PolicyRule

  test('labels are lines of text there, and come back as they were', () => {
    const form = formOfRule(rule)
    expect(form['match']).toEqual({
      labelAllowlist: { zone: 'eu, us' },
      labelThreshold: { amount: '1.5' },
      secretsPresent: 'no',
    })
    expect(ruleOfForm(form)).toEqual(rule)
    expect(ruleOfForm(formOfRule(deny('a')))).toEqual(deny('a'))
  })

  test('half a number stays as it is, and is told with its place', () => {
    const half = ruleOfForm({ id: 'a', decision: 'DENY', match: { labelThreshold: { amount: '1.' } } })
    expect(half.match).toEqual({ labelThreshold: { amount: '1.' } })
    expect(faultsOf(policyOf(half)).map(({ path }) => path)).toEqual(['rules[0].match.labelThreshold.amount'])
  })

  test('what was emptied is not said; no hosts at all is', () => {
    const emptied = {
      id: 'a',
      title: '',
      decision: 'DENY',
      match: { kinds: [], labels: {}, at: '', secretsPresent: '' },
    }
    expect(ruleOfForm(emptied)).toEqual(deny('a'))
    const none = { id: 'a', decision: 'ALLOW_WITH_CONSTRAINTS', constraints: { hosts: [] } }
    expect(ruleOfForm(none)).toEqual(none)
    // Without a name it is a fault, in the field of the name.
    expect(faultsOf(policyOf(ruleOfForm({ decision: 'DENY', id: '' })))[0]?.path).toBe('rules[0].id')
  })
})

describe('the place of a fault', () => {
  test('is a rule and a field of it, or the policy itself', () => {
    expect(ruleOfFault({ path: 'rules[2].match.kinds[0]', message: '' })).toEqual({
      index: 2,
      field: 'match.kinds[0]',
    })
    expect(ruleOfFault({ path: 'rules[1]', message: '' })).toEqual({ index: 1, field: '' })
    expect(ruleOfFault({ path: 'tenantFailModes.acme', message: '' })).toEqual({
      index: Number.POSITIVE_INFINITY,
      field: 'tenantFailModes.acme',
    })
  })

  test('in a form begins at its rule', () => {
    const faults = [
      { path: 'rules[1].id', message: 'one' },
      { path: 'rules[10].id', message: 'ten' },
    ]
    expect(faultsWithin(faults, 'rules[1].')).toEqual([{ path: 'id', message: 'one' }])
  })
})

describe('the words of a trial', () => {
  test('call a rule by its title, else by its name, and none as one is told to', () => {
    const policy = policyOf({ ...deny('a'), title: 'No shell' }, deny('b'))
    expect(['a', 'b', 'gone', null].map((id) => ruleTitle(policy, id, 'no rule'))).toEqual([
      'No shell',
      'b',
      'gone',
      'no rule',
    ])
  })

  test('a made-up request can say what its form asks for', () => {
    const asked = {
      at: 'step',
      kind: 'shell-command',
      workflowId: 'w',
      tenant: 'local',
      nodeId: 'n',
      tags: [],
      riskTags: [],
      labels: {},
      secrets: [],
      payloadBytes: 1,
    } satisfies PolicyQuestion
    expect(Object.keys(requestSchema['properties'] ?? {}).toSorted()).toEqual(Object.keys(asked).toSorted())
  })
})
