import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { taskSpecs } from '../../src-engine/tasks/specs.ts'
import { aligned, distributed } from '../../src-renderer/canvas/align.ts'
import { findOnCanvas } from '../../src-renderer/canvas/find-on-canvas.ts'
import { snapOf } from '../../src-renderer/canvas/guides.ts'
import { jumpLabels } from '../../src-renderer/canvas/jump-labels.ts'
import { lassoed } from '../../src-renderer/canvas/lasso.ts'
import { reached } from '../../src-renderer/canvas/reach.ts'
import { stripsOf } from '../../src-renderer/canvas/strips.ts'
import { chain, edgeOf, link } from './factories.ts'

const box = (x: number, y: number, width = 100) => ({ x, y, width, height: 40 })
const specs = new Map(Object.entries(taskSpecs))

describe('arranging', () => {
  const boxes = new Map([
    ['a', box(0, 0)],
    ['b', box(130, 50, 60)],
    ['c', box(400, 90)],
  ])

  test.for([
    ['left', [0, 0, 0], [0, 50, 90]],
    ['centre', [200, 220, 200], [0, 50, 90]],
    ['right', [400, 440, 400], [0, 50, 90]],
    ['top', [0, 130, 400], [0, 0, 0]],
    ['middle', [0, 130, 400], [45, 45, 45]],
    ['bottom', [0, 130, 400], [90, 90, 90]],
  ] as const)('%s edges are shared', ([how, xs, ys]) => {
    const places = Object.values(aligned(boxes, how))
    expect(places.map(({ x }) => x)).toEqual(xs)
    expect(places.map(({ y }) => y)).toEqual(ys)
  })

  test('gaps become the same, the outer ones stay', () => {
    expect(distributed(boxes, 'x')).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 220, y: 50 },
      c: { x: 400, y: 90 },
    })
    expect(distributed(new Map([...boxes].slice(0, 2)), 'x')).toEqual({})
  })
})

describe('what a drag lines up with', () => {
  test('edges and middles near enough, and nothing farther', () => {
    const near = snapOf(box(4, 100), stripsOf([box(0, 0)]), 6)
    expect(near.by).toEqual({ x: -4, y: 0 })
    expect(near.guides).toContainEqual({ kind: 'line', axis: 'x', at: 0, from: 0, to: 140 })
    expect(snapOf(box(60, 100), stripsOf([box(0, 0)]), 6)).toEqual({ by: { x: 0, y: 0 }, guides: [] })
  })

  test('the place with the same gap on both sides', () => {
    const snap = snapOf(box(223, 5), stripsOf([box(0, 0), box(440, 0)]), 6)
    expect(snap.by.x).toBe(-3)
    expect(snap.guides.filter(({ kind }) => kind === 'gap')).toHaveLength(2)
  })

  test('the place that goes on with the gap of the two before', () => {
    const snap = snapOf(box(276, 0), stripsOf([box(0, 0), box(140, 0)]), 6)
    expect(snap.by).toEqual({ x: 4, y: 0 })
    expect(snap.guides.filter(({ kind }) => kind === 'gap').map(({ from, to }) => to - from)).toEqual([
      40, 40,
    ])
  })
})

describe('selecting', () => {
  const base = chain('a', 'b', 'c', 'd')
  const forked = { ...base, edges: { ...base.edges, [edgeOf('a', 'd')]: link('a', 'd') } }

  test('everything before, everything after', () => {
    expect(reached(forked, [nodeId('c')], 'up')).toEqual(['c', 'b', 'a'])
    expect(reached(forked, [nodeId('b')], 'down')).toEqual(['b', 'c', 'd'])
  })

  test('an outline takes nodes by their middle, and edges between them or through it', () => {
    const around = [
      { x: 30, y: -50 },
      { x: 640, y: -50 },
      { x: 640, y: 120 },
      { x: 30, y: 120 },
    ]
    const found = lassoed(base, around, specs)
    expect(found.nodes).toEqual(['a', 'b'])
    expect(found.edges).toEqual([edgeOf('a', 'b'), edgeOf('b', 'c')])
  })

  test('hits are found in titles, ids, values, notes and labels, from left to right', () => {
    const document = {
      ...base,
      nodes: { ...base.nodes, c: { kind: 'log', parameters: { message: 'Paid in full' } } },
      notes: { one: { text: 'who paid?' } },
      edges: { ...base.edges, [edgeOf('a', 'b')]: { ...link('a', 'b'), label: 'paid' } },
      layout: { ...base.layout, notes: { one: { x: 900, y: 0 } } },
    }
    const hits = findOnCanvas(document, 'PAID', specs)
    expect(hits.map(({ kind, id }) => [kind, id])).toEqual([
      ['edges', edgeOf('a', 'b')],
      ['nodes', 'c'],
      ['notes', 'one'],
    ])
    expect(findOnCanvas(document, 'paid full', specs)).toHaveLength(1)
    expect(findOnCanvas(document, '  ', specs)).toEqual([])
  })
})

test.for([3, 26, 27, 60, 300, 676])('letters for %i nodes: none is the beginning of another', (count) => {
  const labels = [...jumpLabels(Array.from({ length: count }, (_, index) => `n${index}`)).values()]
  expect(labels).toHaveLength(count)
  expect(new Set(labels).size).toBe(count)
  const single = new Set(labels.filter((label) => label.length === 1))
  expect(labels.filter((label) => label.length === 2 && single.has(label.charAt(0)))).toEqual([])
})
