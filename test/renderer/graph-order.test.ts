import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { graphRows } from '../../src-renderer/rules/graph-order.ts'
import { chain, edgeOf, link } from './factories.ts'

const at = (x: number, y: number) => ({ x, y })

test('each step comes after what leads to it, and knows its neighbours', () => {
  const base = chain('a', 'b', 'c')
  const document = {
    ...base,
    nodes: { late: { kind: 'noop' }, ...base.nodes },
    edges: { ...base.edges, [edgeOf('a', 'c')]: link('a', 'c'), [edgeOf('c', 'late')]: link('c', 'late') },
    layout: { nodes: { ...base.layout?.nodes, late: at(-500, 0) } },
  }
  const rows = graphRows(document)
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'late'])
  expect(rows[0]?.after).toEqual(['b', 'c'])
  expect(rows[2]?.before).toEqual(['a', 'b'])
})

test('a body follows its map, one level deeper; what may come next stands as on the canvas', () => {
  const base = chain('x', 'y')
  const document = {
    ...base,
    nodes: {
      other: { kind: 'noop' },
      each: { kind: 'map', parameters: {} },
      x: { kind: 'noop', parent: nodeId('each') },
      y: { kind: 'noop', parent: nodeId('each') },
    },
    layout: { nodes: { each: at(0, 0), other: at(0, 300), x: at(10, 0), y: at(300, 0) } },
  }
  expect(graphRows(document).map(({ id, level }) => [id, level])).toEqual([
    ['each', 1],
    ['x', 2],
    ['y', 2],
    ['other', 1],
  ])
})

test('steps of a circle are listed all the same', () => {
  const base = chain('a', 'b')
  const circle = { ...base, edges: { ...base.edges, [edgeOf('b', 'a')]: link('b', 'a') } }
  expect(graphRows(circle).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('two thousand steps are in order within a moment', () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => `n${index}`)
  expect(graphRows(chain(...ids)).map(({ id }) => id)).toEqual(ids)
})
