/** Where the invocations of a node may run. */

import { describe, expect, it } from 'vitest'
import { compileNodeRoute, poolAt, routeAt, topicOf } from '../../../../src-engine/core/routing/node-route.ts'
import { changePools, noPoolRules } from '../../../../src-engine/model/pools.ts'
import type { WorkflowNode } from '../../../../src-engine/model/workflow.ts'

const rules = changePools(
  changePools(noPoolRules, { name: 'gpu', topics: ['render', 'noop'] }, 1),
  { name: 'big', topics: ['render'] },
  1,
)

function routed(node: Partial<WorkflowNode>, known: typeof rules | null = rules) {
  const whole: WorkflowNode = { kind: 'noop', ...node }
  const pool = node.pool ?? 'default'
  const compiled = { pool, topic: topicOf(whole), route: compileNodeRoute(whole, pool) }
  const route = routeAt(compiled, known, 1_000)
  return { route, pool: poolAt(compiled, route) }
}

describe('the route of a node', () => {
  it('is none for a node that says nothing, unless its kind is mapped to pools', () => {
    expect(routed({}, null)).toEqual({ route: null, pool: 'default' })
    expect(routed({ kind: 'delay' })).toEqual({ route: null, pool: 'default' })
    expect(routed({})).toMatchObject({ route: { pools: ['gpu'] }, pool: 'gpu' })
  })

  it('has the pools of its topic in their order, and its own pool before any topic', () => {
    expect(routed({ route: { topic: 'render' } })).toMatchObject({
      route: { pools: ['gpu', 'big'] },
      pool: 'gpu',
    })
    expect(routed({ pool: 'own', route: { topic: 'render' } })).toEqual({ route: null, pool: 'own' })
  })

  it('has no pool when none is mapped to the topic that it names, or not the one it prefers [C42]', () => {
    expect(routed({ route: { topic: 'unknown' } }).route?.pools).toEqual([])
    expect(routed({ route: { topic: 'unknown' } }, null).route?.pools).toEqual([])
    expect(routed({ route: { topic: 'render', preferredPool: 'other' } }).route?.pools).toEqual([])
    expect(routed({ route: { topic: 'render', preferredPool: 'big' } }).route?.pools).toEqual(['big', 'gpu'])
  })

  it('is bound by labels of placement, and by no business label [C42]', () => {
    const labels = {
      'placement.zone': 'eu',
      'constraint.disk': 'ssd',
      'node.name': 'n1',
      team: 'blue',
      'x.placement.zone': 'us',
    }
    expect(routed({ route: { labels } }).route?.labels).toEqual([
      'constraint.disk=ssd',
      'node.name=n1',
      'placement.zone=eu',
    ])
    expect(routed({ route: { labels: { team: 'blue' } } }, null).route).toBeNull()
  })

  it('compares abilities without regard to case, and keeps tags', () => {
    expect(routed({ route: { requires: ['CUDA'] }, tags: ['eu'] }).route).toMatchObject({
      requires: ['cuda'],
      tags: ['eu'],
    })
  })

  it('gives the preferred runner a head start from when it is registered', () => {
    expect(routed({ pool: 'own', route: { preferredRunner: 'r1' } }).route).toEqual({
      pools: ['own'],
      labels: [],
      requires: [],
      preferredRunner: 'r1',
      preferredUntil: 3_000,
    })
  })
})
