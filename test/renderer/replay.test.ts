/** A replay as a picture. */

import { expect, it } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { ReplayedStep, ReplayVerdict } from '../../src-engine/protocol/teleport.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { replayGraph, worstByNode } from '../../src-renderer/canvas/diff/replay-graph.ts'
import { chain, edgeOf } from './factories.ts'

const step = (node: string, verdict: ReplayVerdict, path = ''): ReplayedStep => ({
  nodeId: nodeId(node),
  path,
  title: node,
  kind: 'noop',
  verdict,
  source: 'recorded',
  recorded: null,
  replayed: null,
  differences: [],
  error: null,
})

it('a node has the worst that became of its steps', () => {
  const steps = [
    step('a', 'same', 'each:0'),
    step('a', 'differs', 'each:1'),
    step('a', 'same', 'each:2'),
    step('b', 'failed'),
    step('b', 'differs'),
  ]
  expect(Object.fromEntries(worstByNode(steps))).toEqual({ a: 'differs', b: 'failed' })
})

it('what the open workflow lost is a ghost, and what the record says nothing of has no mark', () => {
  const versions = { before: chain('a', 'b', 'c'), after: chain('a', 'b') }
  const steps = [step('a', 'same'), step('b', 'open'), step('c', 'gone')]
  const { document, nodes, edges } = replayGraph(versions, steps, taskSpecsByKind)
  expect(Object.fromEntries(nodes)).toEqual({ a: 'same', c: 'removed' })
  expect(document.nodes).toHaveProperty('c')
  expect(edges.get(edgeOf('b', 'c'))).toBe('removed')
})
