/** What would stay if a workflow failed, told from the drawing alone. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { callText } from '../../../src-engine/model/pinned-versions.ts'
import type { FindStarted, SagaCoverage } from '../../../src-engine/model/saga-coverage.ts'
import { failurePoints, sagaCoverage, sagaEffects } from '../../../src-engine/model/saga-coverage.ts'
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

describe('asked for by themselves', () => {
  const document = documentOf({
    nodes: { a: pays, b: undone, c: pays, d: pure },
    edges: edgesOf('a>b', 'b>c', 'c>d'),
  })

  test('effects are the same without a look at the edges', () => {
    const { points: _, ...told } = sagaCoverage(document, taskSpecsByKind)
    const unseen = { ...document }
    Object.defineProperty(unseen, 'edges', { get: () => expect.unreachable() })
    expect(sagaEffects(unseen, taskSpecsByKind)).toEqual(told)
  })

  test('what stays is found point by point, only as far as it is taken', () => {
    const seen: string[] = []
    const specs = new Map(taskSpecsByKind)
    const get = (kind: string) => {
      seen.push(kind)
      return taskSpecsByKind.get(kind)
    }
    const points = failurePoints(document, Object.assign(specs, { get }))
    expect(points.next().value).toEqual({ nodeId: 'a', stays: [] })
    const before = seen.length
    expect(points.next().value).toEqual({ nodeId: 'b', stays: ['a'] })
    expect(seen.length - before).toBe(1)
    expect([...failurePoints(document, taskSpecsByKind)]).toEqual(
      sagaCoverage(document, taskSpecsByKind).points,
    )
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

describe('what started workflows do', () => {
  const calls = (workflow: string, rest: JsonObject = {}): JsonObject => ({
    kind: 'sub-workflow',
    parameters: { workflow, mode: 'wait' },
    ...rest,
  })
  /** Workflows by name; a step names one. */
  const looking = (parts: JsonObject, library: Readonly<Record<string, JsonObject>>): SagaCoverage => {
    const documents = new Map(
      Object.entries(library).map(([id, child]) => [id, documentOf({ id, title: id, ...child })]),
    )
    const find: FindStarted = (_of, step) => documents.get(callText(step, 'workflow')) ?? null
    return sagaCoverage(documentOf(parts), taskSpecsByKind, find)
  }
  const told = ({ effects }: SagaCoverage) =>
    effects.map(({ nodeId, inside, plan }) => [nodeId, ...inside.map((one) => one.nodeId), plan])
  const invoice = { nodes: { charge: undone, mail: pays }, edges: edgesOf('charge>mail') }

  test('counts as what the step does, and names its place', () => {
    const nodes = { a: undone, bill: calls('invoice'), last: pure }
    const coverage = looking({ nodes, edges: edgesOf('a>bill', 'bill>last') }, { invoice })
    expect(told(coverage)).toEqual([
      ['a', 'undone'],
      ['bill', 'charge', 'undone'],
      ['bill', 'mail', 'missing'],
    ])
    expect(coverage.undoable).toBe(2)
    expect(coverage.effects[2]?.inside).toEqual([
      { workflowId: 'invoice', workflow: 'invoice', nodeId: 'mail', title: 'mail' },
    ])
    expect(staysAt(coverage, 'last')).toEqual(['bill'])
    // Its last step is the one whose effect would stay, and that has not happened where it fails.
    expect(staysAt(coverage, 'bill')).toEqual([])
  })

  test('a workflow that fails leaves behind what it had done by then', () => {
    const early = { nodes: { mail: pays, charge: undone }, edges: edgesOf('mail>charge') }
    const nodes = { bill: calls('early'), z: pays }
    const coverage = looking({ nodes, edges: edgesOf('z>bill') }, { early })
    expect(staysAt(coverage, 'bill')).toEqual(['bill', 'z'])
  })

  test('a workflow that fails is undone as its own settings say, one that succeeded with its step', () => {
    const settings = { rollbackOn: [] }
    const child = { nodes: { charge: undone, next: pure }, edges: edgesOf('charge>next'), settings }
    const nodes = { bill: calls('child'), last: pure }
    const rolled = looking({ nodes, edges: edgesOf('bill>last') }, { child })
    expect(staysAt(rolled, 'bill')).toEqual(['bill'])
    expect(staysAt(rolled, 'last')).toEqual([])
    const careful = { ...child, settings: {} }
    const left = looking({ nodes, edges: edgesOf('bill>last'), settings }, { child: careful })
    expect(staysAt(left, 'bill')).toEqual([])
    expect(staysAt(left, 'last')).toEqual(['bill'])
  })

  test('what the step says of its undoing counts for all of it; a run that nobody waits for is apart', () => {
    const compensation = { task: { kind: 'noop', parameters: {} } }
    const plans = (rest: JsonObject) =>
      looking({ nodes: { bill: calls('invoice', rest) } }, { invoice }).effects.map(({ plan }) => plan)
    expect(plans({ compensation })).toEqual(['undone', 'undone'])
    expect(plans({ compensation: { impossible: 'It is sent.' } })).toEqual(['impossible', 'impossible'])
    const alone = { workflow: 'invoice', mode: 'start' }
    expect(plans({ parameters: alone })).toEqual(['apart', 'apart'])
    expect(plans({ parameters: alone, compensation })).toEqual(['undone', 'undone'])
  })

  test('goes as deep as they start each other, and tells each step once', () => {
    const both = { nodes: { one: calls('invoice'), two: calls('invoice') } }
    const coverage = looking({ nodes: { top: calls('both') } }, { both, invoice })
    expect(told(coverage)).toEqual([
      ['top', 'one', 'charge', 'undone'],
      ['top', 'one', 'mail', 'missing'],
    ])
  })

  test('workflows that start each other, or are started by many at many levels, are looked into once', () => {
    const round = { nodes: { mail: pays, again: calls('round') } }
    expect(told(looking({ nodes: { top: calls('round') } }, { round }))).toEqual([['top', 'mail', 'missing']])
    const levels = Object.fromEntries(
      Array.from({ length: 60 }, (_, level): [string, JsonObject] => {
        const next = level === 59 ? pays : calls(`level-${level + 1}`)
        return [`level-${level}`, { nodes: { left: next, right: next } }]
      }),
    )
    expect(looking({ nodes: { top: calls('level-0') } }, levels).effects).toHaveLength(2)
  })

  test('nobody claims to know what isn’t at hand', () => {
    const outer = { nodes: { inner: calls('gone') } }
    const nodes = {
      a: calls('gone'),
      b: calls('outer'),
      c: calls('invoice'),
      off: calls('gone', { disabled: true }),
    }
    expect(looking({ nodes }, { outer, invoice }).unknown).toEqual(['a', 'b'])
  })
})
