import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WorkflowGraph } from '../../../src-engine/model/graph.ts'
import {
  ancestorsOf,
  buildGraph,
  edgesFromPort,
  endNodes,
  reachableFrom,
  startNodes,
  topologicalOrder,
} from '../../../src-engine/model/graph.ts'
import { findCycles, stronglyConnected } from '../../../src-engine/model/graph-cycles.ts'
import { edgeId, nodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowEdge, WorkflowNode } from '../../../src-engine/model/workflow.ts'

/** A graph of `n0 … n<count-1>` from pairs of indices. */
function graphOf(count: number, pairs: readonly (readonly [number, number])[]): WorkflowGraph {
  const nodes: Record<string, WorkflowNode> = {}
  for (let index = 0; index < count; index += 1) nodes[`n${index}`] = { kind: 'log' }
  const edges: Record<string, WorkflowEdge> = {}
  pairs.forEach(([from, to], index) => {
    edges[edgeId(`e${index}`)] = {
      from: { node: nodeId(`n${from}`), port: from % 2 === 0 ? 'even' : 'odd' },
      to: { node: nodeId(`n${to}`), port: 'in' },
    }
  })
  return buildGraph({ nodes, edges })
}

const pairsUpTo = (count: number): fc.Arbitrary<(readonly [number, number])[]> =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 25 })

describe('buildGraph', () => {
  test('indexes by node and port, and leaves out edges without an end', () => {
    const graph = graphOf(3, [
      [0, 1],
      [0, 2],
      [1, 9],
    ])
    expect(graph.edges.map((edge) => edge.id)).toEqual(['e0', 'e1'])
    expect(edgesFromPort(graph, nodeId('n0'), 'even').map((edge) => edge.to)).toEqual(['n1', 'n2'])
    expect(edgesFromPort(graph, nodeId('n0'), 'odd')).toEqual([])
    expect(startNodes(graph)).toEqual(['n0'])
    expect(endNodes(graph)).toEqual(['n1', 'n2'])
  })
})

describe('topologicalOrder', () => {
  test('puts every node after what leads to it, exactly when there is no cycle [S59]', () => {
    fc.assert(
      fc.property(pairsUpTo(8), (pairs) => {
        const graph = graphOf(8, pairs)
        const order = topologicalOrder(graph)
        expect(order === null).toBe(findCycles(graph).length > 0)
        if (order === null) return
        expect([...order].sort()).toEqual([...graph.nodeIds].sort())
        for (const edge of graph.edges) expect(order.indexOf(edge.from)).toBeLessThan(order.indexOf(edge.to))
      }),
    )
  })
})

describe('findCycles', () => {
  test('names the nodes in the order of the edges', () => {
    expect(
      findCycles(
        graphOf(5, [
          [0, 1],
          [1, 2],
          [2, 3],
          [3, 1],
          [3, 4],
        ]),
      ),
    ).toEqual([['n1', 'n2', 'n3']])
  })

  test('a node that leads to itself is a cycle', () => {
    expect(
      findCycles(
        graphOf(2, [
          [0, 1],
          [1, 1],
        ]),
      ),
    ).toEqual([['n1']])
  })

  test('each knot gives one real cycle', () => {
    fc.assert(
      fc.property(pairsUpTo(7), (pairs) => {
        const graph = graphOf(7, pairs)
        for (const cycle of findCycles(graph)) {
          cycle.forEach((node, index) => {
            const next = cycle[(index + 1) % cycle.length]
            expect(graph.edges.some((edge) => edge.from === node && edge.to === next)).toBe(true)
          })
          expect(new Set(cycle).size).toBe(cycle.length)
        }
      }),
    )
  })

  test('components are the classes of mutual reachability', () => {
    fc.assert(
      fc.property(pairsUpTo(7), (pairs) => {
        const graph = graphOf(7, pairs)
        const componentOf = new Map(stronglyConnected(graph).flatMap((c, at) => c.map((node) => [node, at])))
        expect(componentOf.size).toBe(7)
        for (const a of graph.nodeIds) {
          for (const b of graph.nodeIds) {
            const mutual = reachableFrom(graph, [a]).has(b) && reachableFrom(graph, [b]).has(a)
            expect(componentOf.get(a) === componentOf.get(b)).toBe(mutual)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})

test('ancestors are what reaches the node [S59]', () => {
  fc.assert(
    fc.property(pairsUpTo(6), (pairs) => {
      const graph = graphOf(6, pairs)
      const target = nodeId('n0')
      for (const node of graph.nodeIds) {
        const after = graph.edges.filter((edge) => edge.from === node).map((edge) => edge.to)
        expect(ancestorsOf(graph, target).has(node)).toBe(reachableFrom(graph, after).has(target))
      }
    }),
  )
})

test('10,000 nodes in one line and in one fan are ordered and searched, however long the line', () => {
  const count = 10_000
  const pairs: [number, number][] = []
  for (let index = 0; index + 1 < count; index += 1) pairs.push([index, index + 1])
  for (let index = 2; index < count; index += 1) pairs.push([0, index])
  const graph = graphOf(count, pairs)
  expect(topologicalOrder(graph)).toHaveLength(count)
  expect(findCycles(graph)).toEqual([])
})
