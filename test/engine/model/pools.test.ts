/** The rules of pools: what a change keeps, and what a topic's pools are. */

import { describe, expect, it } from 'vitest'
import {
  changePools,
  isPoolActive,
  noPoolRules,
  poolRuleOf,
  poolsOfTopic,
  readPoolRules,
  topicsOfPool,
  writePoolRules,
} from '../../../src-engine/model/pools.ts'

describe('the rules of pools', () => {
  it('say nothing about a pool without a rule: it is active and has no limit', () => {
    expect(poolRuleOf(noPoolRules, 'constructor')).toEqual({
      status: 'active',
      drainingSince: null,
      limit: null,
    })
    expect(isPoolActive(noPoolRules, 'any')).toBe(true)
    expect(poolsOfTopic(noPoolRules, 'toString')).toBeNull()
  })

  it('keep what a change does not name', () => {
    const limited = changePools(noPoolRules, { name: 'gpu', limit: 2, topics: ['render'] }, 1)
    const drained = changePools(limited, { name: 'gpu', status: 'draining' }, 5)
    expect(poolRuleOf(drained, 'gpu')).toEqual({ status: 'draining', drainingSince: 5, limit: 2 })
    expect(topicsOfPool(drained, 'gpu')).toEqual(['render'])
    const again = changePools(drained, { name: 'gpu', status: 'draining' }, 9)
    expect(poolRuleOf(again, 'gpu').drainingSince).toBe(5)
    expect(isPoolActive(again, 'gpu')).toBe(false)
    const back = changePools(again, { name: 'gpu', status: 'active', limit: null }, 9)
    expect(poolRuleOf(back, 'gpu')).toEqual({ status: 'active', drainingSince: null, limit: null })
  })

  it('keep the order in which pools joined a topic, and forget a topic that all have left', () => {
    let rules = changePools(noPoolRules, { name: 'b', topics: ['render', 'mail'] }, 1)
    rules = changePools(rules, { name: 'a', topics: ['render'] }, 2)
    expect(poolsOfTopic(rules, 'render')).toEqual(['b', 'a'])
    rules = changePools(rules, { name: 'b', topics: ['render'] }, 3)
    expect(rules.topics).toEqual({ render: ['b', 'a'] })
    rules = changePools(rules, { name: 'b', topics: [] }, 4)
    expect(rules.topics).toEqual({ render: ['a'] })
  })

  it('come back from the register as they went in; what no engine wrote is none', () => {
    const rules = changePools(
      noPoolRules,
      { name: 'gpu', status: 'inactive', limit: 3, topics: ['render'] },
      1,
    )
    expect(readPoolRules(writePoolRules(rules))).toEqual(rules)
    expect(readPoolRules({ pools: { gpu: { status: 'gone' } }, topics: {} })).toBeNull()
    expect(readPoolRules('nonsense')).toBeNull()
  })
})
