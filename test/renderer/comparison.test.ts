/** Two runs as one picture, and the run that says most beside another. */

import { expect, it } from 'vitest'
import type { StepComparison, StepSide } from '../../src-engine/model/comparison/step-comparison.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { LoadedComparison } from '../../src-engine/protocol/load-comparison.ts'
import { comparisonGraph } from '../../src-renderer/comparison/comparison-graph.ts'
import { factsOf } from '../../src-renderer/comparison/step-facts.ts'
import { areComparable, otherOf } from '../../src-renderer/state/begin-comparison.ts'
import { chain, edgeOf } from './factories.ts'

const side = (more: Partial<StepSide> = {}): StepSide => ({
  status: 'SUCCESS',
  ways: null,
  attempts: 1,
  tookMs: 100,
  input: null,
  output: null,
  errorCode: null,
  errorMessage: null,
  undo: null,
  ...more,
})

const skipped = side({ status: 'SKIPPED', tookMs: null })

const step = (nodeId: string, more: Partial<StepComparison> = {}): StepComparison => ({
  nodeId,
  path: '',
  title: nodeId,
  before: side(),
  after: side(),
  differences: [],
  deltaMs: 0,
  definition: null,
  hasUnread: false,
  ...more,
})

function compared(steps: readonly StepComparison[], parts: string | null): LoadedComparison {
  const document = chain('a', 'b', 'c')
  const blobs = new Map()
  const sides = { before: { document, blobs }, after: { document, blobs } }
  const divergence = parts === null ? null : { kind: 'way', nodeId: parts, path: '', because: [] }
  // Of the runs, the picture needs their versions only.
  return { ...sides, steps, changes: [], divergence, isInputSame: true } as never
}

const json = (value: unknown) => ({ kind: 'inline', json: JSON.stringify(value) }) as const

it('the way that both went has no mark, and what one of them did says which', () => {
  const steps = [
    step('a', { differences: ['ways'], after: side({ ways: [] }) }),
    step('b', { differences: ['presence'], after: skipped }),
    step('c', { differences: ['presence'], before: skipped }),
  ]
  const { nodes, edges } = comparisonGraph(compared(steps, 'a'))
  expect(Object.fromEntries(nodes)).toEqual({ a: 'parts', b: 'removed', c: 'added' })
  expect(Object.fromEntries(edges)).toEqual({ [edgeOf('a', 'b')]: 'removed', [edgeOf('b', 'c')]: 'removed' })
  expect(comparisonGraph(compared([step('a'), step('b')], null)).nodes.size).toBe(0)
})

it('turns that differ don’t make a node one of a single run', () => {
  const steps = [
    step('b', { path: 'each:0' }),
    step('b', { path: 'each:1', differences: ['presence'], after: null }),
  ]
  expect(comparisonGraph(compared(steps, null)).nodes.get('b')).toBe('changed')
})

it.for([
  [100, 105, null],
  [100, 10, { text: '−90 ms', isSlower: false, heat: 2 }],
  [100, 190, { text: '+90 ms', isSlower: true, heat: 2 }],
  [100, 1_100, { text: '+1 s', isSlower: true, heat: 3 }],
] as const)('%i ms that become %i are told as %o', ([was, is, told]) => {
  const sides = { before: side({ tookMs: was }), after: side({ tookMs: is }), deltaMs: is - was }
  const delta = comparisonGraph(compared([step('a', sides)], null)).deltas?.get('a') ?? null
  expect(delta?.isSlower).toBe(told?.isSlower)
  expect(delta?.heat).toBe(told?.heat)
  if (told !== null) expect(delta?.text.replace('1.0', '1')).toBe(told.text)
})

it('what differs of a step is told place by place, in both values', () => {
  const differing = step('a', {
    differences: ['status', 'output'],
    before: side({ output: json({ order: { total: 120 } }) }),
    after: side({ status: 'FAILED', output: json({ order: { total: 12 } }) }),
  })
  expect(factsOf(compared([differing], null), differing)).toEqual([
    { path: 'State', before: 'Done', after: 'Failed' },
    { path: 'Output: order.total', before: '120', after: '12' },
  ])
})

it('a failed run is laid beside the last good one, another beside the one before it', () => {
  const run = (id: string, createdAt: number, status = 'SUCCEEDED') =>
    ({ id, createdAt, status, workflowId: 'w' }) as RunRecord
  const others = [run('new', 9), run('bad', 4, 'FAILED'), run('good', 3), run('old', 1)]
  expect(otherOf(run('x', 5, 'FAILED'), others)?.id).toBe('good')
  expect(otherOf(run('x', 5), others)?.id).toBe('bad')
  expect(otherOf(run('x', 0), others)?.id).toBe('new')
  expect(otherOf(run('x', 0), [])).toBeNull()
  expect(areComparable(others.slice(0, 2))).toBe(true)
  expect(areComparable([run('a', 1), { ...run('b', 2), workflowId: 'v' } as RunRecord])).toBe(false)
  expect(areComparable(others)).toBe(false)
})
