/** What would stay if a workflow failed, told from the drawing alone. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { SagaCoverage } from '../../../src-engine/model/saga-coverage.ts'
import { sagaCoverage } from '../../../src-engine/model/saga-coverage.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from './workflow-fixture.ts'

const coverageOf = (parts: JsonObject): SagaCoverage => sagaCoverage(documentOf(parts), taskSpecsByKind)
const staysAt = (coverage: SagaCoverage, id: string) =>
  coverage.points.find(({ nodeId }) => nodeId === id)?.stays ?? null

const pure = { kind: 'noop' }
const pays: JsonObject = { kind: 'shell-command', parameters: { command: 'pay' } }
const undone: JsonObject = { ...pays, compensation: { task: { kind: 'noop', parameters: {} } } }

describe('effects', () => {
  test('are steps that change something outside, and can be undone, knowingly not, or nobody said', () => {
    const nodes = {
      read: pure,
      pay: undone,
      mail: { ...pays, compensation: { impossible: 'A mail that was read is read.' } },
      ship: pays,
      back: { ...pure, sideEffect: 'keyed', compensation: { node: 'undo' } },
      undo: pays,
      off: { ...pays, disabled: true },
      passed: { ...pays, bypassed: true },
      harmless: { ...pays, sideEffect: 'pure' },
    }
    const { effects, undoable } = coverageOf({ nodes })
    expect(effects.map(({ nodeId, plan, reason }) => [nodeId, plan, reason])).toEqual([
      ['pay', 'undone', null],
      ['mail', 'impossible', 'A mail that was read is read.'],
      ['ship', 'missing', null],
      ['back', 'undone', null],
    ])
    expect(undoable).toBe(2)
  })

  test('of kinds that nobody knows are not told of, and nothing breaks', () => {
    const { effects, points } = coverageOf({ nodes: { a: { kind: 'acme.launch' } } })
    expect(effects).toEqual([])
    expect(points).toEqual([{ nodeId: 'a', stays: [] }])
  })
})

describe('what stays', () => {
  test('is what comes before the failure and has nothing that undoes it', () => {
    const nodes = { a: pays, b: undone, c: pays, d: pays }
    const coverage = coverageOf({ nodes, edges: edgesOf('a>b', 'b>c', 'c>d') })
    expect(staysAt(coverage, 'a')).toEqual([])
    expect(staysAt(coverage, 'c')).toEqual(['a'])
    expect(staysAt(coverage, 'd')).toEqual(['a', 'c'])
  })

  test('is also what a branch beside it may have done by then', () => {
    const nodes = { start: { kind: 'fork' }, a: pays, b: pure, after: pays }
    const edges = edgesOf('start:branch-1>a', 'start:branch-2>b', 'b>after')
    expect(staysAt(coverageOf({ nodes, edges }), 'b')).toEqual(['a'])
  })

  test('is nothing of a way that no run takes together with the failure’s', () => {
    const nodes = { ask: { kind: 'if', parameters: { condition: 'true' } }, a: pays, b: pure, both: pays }
    const edges = edgesOf('ask:true>a', 'ask:false>b', 'a>both', 'b>both')
    const coverage = coverageOf({ nodes, edges })
    expect(staysAt(coverage, 'b')).toEqual([])
    expect(staysAt(coverage, 'both')).toEqual(['a'])
  })

  test('a switch that takes every match excludes nothing; its first match does', () => {
    const branch = (match: string) => {
      const parameters = { cases: [{ when: 'true' }, { when: 'true' }], match }
      const nodes = { ask: { kind: 'switch', parameters }, a: pays, b: pure }
      return staysAt(coverageOf({ nodes, edges: edgesOf('ask:case-1>a', 'ask:case-2>b') }), 'b')
    }
    expect(branch('first')).toEqual([])
    expect(branch('all')).toEqual(['a'])
  })

  test('what an error port takes up is no point of failure; behind it the good way is excluded', () => {
    const nodes = { try: pure, a: pays, b: pure, calm: { ...pays, onError: 'continue' } }
    const coverage = coverageOf({ nodes, edges: edgesOf('try>a', 'try:error>b', 'calm>try') })
    expect(staysAt(coverage, 'try')).toBeNull()
    expect(staysAt(coverage, 'calm')).toBeNull()
    expect(staysAt(coverage, 'b')).toEqual(['calm'])
  })

  test('in the body of a map, other items may be done already, what follows the map can’t be', () => {
    const map = { kind: 'map', parameters: { items: '[1]' } }
    const nodes = {
      each: map,
      first: { ...pure, parent: 'each' },
      pay: { ...pays, parent: 'each' },
      after: pays,
    }
    const coverage = coverageOf({ nodes, edges: edgesOf('first>pay', 'each>after') })
    expect(staysAt(coverage, 'first')).toEqual(['pay'])
    expect(staysAt(coverage, 'pay')).toEqual(['pay'])
    expect(staysAt(coverage, 'after')).toEqual(['pay'])
  })

  test('is everything when the settings undo nothing after a failure', () => {
    const nodes = { a: undone, b: pure }
    const coverage = coverageOf({ nodes, edges: edgesOf('a>b'), settings: { rollbackOn: ['cancelled'] } })
    expect(coverage.rollsBack).toBe(false)
    expect(staysAt(coverage, 'b')).toEqual(['a'])
  })
})
