/** What tells documents apart: the same for the same, found from what an edit changed alone. */

import { describe, expect, test } from 'vitest'
import { edgeId, nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { changeNode } from '../../src-renderer/commands/change-node.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import type { History } from '../../src-renderer/commands/history.ts'
import { perform, redo, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { removeElements } from '../../src-renderer/commands/remove.ts'
import type { DocumentSum } from '../../src-renderer/state/undo/document-sum.ts'
import { documentName, sumOf, sumSteps } from '../../src-renderer/state/undo/document-sum.ts'
import { createRandomSource } from '../support/random-source.ts'
import { chain, link } from './factories.ts'

const nameOf = (document: WorkflowDocument): string => documentName(sumOf(document))
const ids = ['a', 'b', 'c', 'd'] as const

describe('the name of a document', () => {
  test('is the same from the one before as from the beginning, whatever was done and undone', () => {
    const random = createRandomSource('sums')
    const { pick } = random
    let state: History = startHistory(chain(...ids))
    let sum: DocumentSum | null = null
    const seen = new Map<string, string>()
    for (let turn = 0; turn < 200; turn += 1) {
      state = pick<() => History>([
        () => perform(state, connect(link(pick(ids), pick(ids), pick(['out', 'error'])))),
        () => perform(state, changeNode(nodeId(pick(ids)), { title: `${random.below(3)}` })),
        () => perform(state, removeElements({ nodes: [nodeId(pick(ids))], edges: [], notes: [] })),
        () =>
          perform(state, removeElements({ nodes: [], edges: [edgeId(`${pick(ids)}-out-to-b`)], notes: [] })),
        () => undo(state),
        () => redo(state),
      ])()
      sum = sumOf(state.document, sum)
      const name = documentName(sum)
      expect(name).toBe(nameOf(state.document))
      // Other documents have other names.
      const text = sorted(state.document)
      expect(seen.get(name) ?? text).toBe(text)
      seen.set(name, text)
    }
    expect(new Set(seen.values()).size).toBe(seen.size)
    expect(seen.size).toBeGreaterThan(20)
  })

  test('is another one for each part that is another one', () => {
    const base = chain('a', 'b')
    const { nodes } = base
    const layout = { ...base.layout }
    const others: readonly WorkflowDocument[] = [
      base,
      { ...base, title: 'Other' },
      { ...base, variables: { x: 1 } },
      { ...base, layout: {} },
      { ...base, layout: { ...layout, nodes: {} } },
      { ...base, layout: { ...layout, nodes: { ...layout.nodes, a: { x: 1, y: 0 } } } },
      { ...base, layout: { ...layout, notes: { a: { x: 0, y: 0 } } } },
      { ...base, nodes: { ...nodes, [nodeId('a')]: { kind: 'noop' } } },
      { ...base, nodes: { ...nodes, [nodeId('c')]: { kind: 'noop' } } },
      { ...base, edges: {} },
    ]
    expect(new Set(others.map(nameOf)).size).toBe(others.length)
  })

  test('is no matter of the order of keys', () => {
    const { nodes, edges, layout = {}, ...rest } = chain('a', 'b')
    const turned = Object.fromEntries(Object.entries(nodes).toReversed()) as WorkflowDocument['nodes']
    const places = Object.fromEntries(Object.entries(layout.nodes ?? {}).toReversed())
    const other: WorkflowDocument = { layout: { nodes: places }, edges, nodes: turned, ...rest }
    expect(nameOf(other)).toBe(nameOf(chain('a', 'b')))
  })
})

test('of an edit only the parts are gone through that it changed', () => {
  const { document } = startHistory(chain(...Array.from({ length: 500 }, (_, at) => `n${at}`)))
  const steps = (next: WorkflowDocument, before: DocumentSum | null): number =>
    [...sumSteps(next, before)].length
  expect(steps(document, null)).toBe(500 + 499 + 500)
  const before = sumOf(document)
  const edited = perform(startHistory(document), connect(link('n7', 'n3')))
  expect(steps(edited.document, before)).toBe(1)
  expect(steps(undo(edited).document, sumOf(edited.document))).toBe(1)
  const removed = perform(
    startHistory(document),
    removeElements({ nodes: [nodeId('n9')], edges: [], notes: [] }),
  )
  // The step, its place and its two edges, and the one that takes their place.
  expect(steps(removed.document, before)).toBeLessThanOrEqual(5)
  expect(steps(document, before)).toBe(0)
})

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )
