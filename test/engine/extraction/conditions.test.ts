/** Conditions to be skipped move with their steps: what they read is rewritten like what parameters read. */

import { expect, test } from 'vitest'
import { leadsTo } from '../../../src-engine/model/extraction/leads-to.ts'
import { expressionsOf, withExpressions } from '../../../src-engine/model/extraction/node-expressions.ts'
import { buildGraph } from '../../../src-engine/model/graph.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowNode } from '../../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf, edgesOf } from '../model/workflow-fixture.ts'

test('a condition is one of the step’s own expressions', () => {
  const node = { kind: 'log', parameters: { message: '{{ nodes.a.output }}' }, skipIf: 'nodes.b.output = 0' }
  expect(expressionsOf(node, taskSpecsByKind).own).toEqual(['nodes.a.output', 'nodes.b.output = 0'])
  const rewritten = withExpressions(node, taskSpecsByKind, (text) => text.replace('nodes.', 'nodes.x_'))
  expect(rewritten).toMatchObject({
    parameters: { message: '{{ nodes.x_a.output }}' },
    skipIf: 'nodes.x_b.output = 0',
  })
  expect(withExpressions({ kind: 'log' }, taskSpecsByKind, () => 'x')).toEqual({ kind: 'log' })
})

test('so is what makes kept results the same', () => {
  const node = {
    kind: 'log',
    cache: { ttlMs: 1_000, key: 'nodes.a.output.id' },
    stopAfterIf: 'output > nodes.a.output',
  }
  expect(expressionsOf(node, taskSpecsByKind).own).toEqual(['nodes.a.output.id', 'output > nodes.a.output'])
  const rewritten = withExpressions(node, taskSpecsByKind, (text) => text.replace('nodes.', 'nodes.x_'))
  expect(rewritten.cache).toEqual({ ttlMs: 1_000, key: 'nodes.x_a.output.id' })
  expect(rewritten.stopAfterIf).toBe('output > nodes.x_a.output')
})

test('so is what decides about another try, of a step and of what undoes it', () => {
  const node = {
    kind: 'log',
    retry: { maxAttempts: 3, retryIf: 'error.code = nodes.a.output' },
    compensation: { node: 'b', retry: { retryIf: 'nodes.c.output' } },
  } as unknown as WorkflowNode
  const { own, undoing } = expressionsOf(node, taskSpecsByKind)
  expect([own, undoing]).toEqual([['error.code = nodes.a.output'], ['nodes.c.output']])
  const rewritten = withExpressions(node, taskSpecsByKind, (text) => text.replace('nodes.', 'nodes.x_'))
  expect(rewritten.retry).toEqual({ maxAttempts: 3, retryIf: 'error.code = nodes.x_a.output' })
  expect(rewritten.compensation?.retry).toEqual({ retryIf: 'nodes.x_c.output' })
})

test.each([
  [{}, true],
  [{ skipIf: ' ' }, true],
  [{ skipIf: 'true' }, false],
  [{ skipIf: 'true', onSkip: 'skip' }, false],
  [{ skipIf: 'true', onSkip: 'pass' }, true],
  [{ skipIf: 'true', bypassed: true }, true],
  [{ disabled: true }, false],
])(
  'a step that may be skipped leads nowhere for certain, unless the next goes on: %j',
  (fields, isCertain) => {
    const nodes = { a: { kind: 'log' }, b: { kind: 'log', ...fields }, c: { kind: 'log' } }
    const graph = buildGraph(documentOf({ nodes, edges: edgesOf('a>b', 'b>c') }))
    expect(leadsTo({ graph, specs: taskSpecsByKind }, nodeId('a'), nodeId('c'))).toBe(isCertain)
  },
)
