import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import { perform, startHistory, undo } from '../../src-renderer/commands/history.ts'
import { chain, edgeOf } from './factories.ts'

const added = (x: number) =>
  addNode(
    {
      id: nodeId('new'),
      node: { kind: 'noop', parameters: {} },
      at: { x, y: 0 },
      title: 'New',
      outPort: 'out',
      hasInput: true,
    },
    { kind: 'splice', edge: edgeOf('a', 'b') },
  )

test('a node in the middle of an edge pushes on what follows, in one undo step', () => {
  const document = chain('a', 'b', 'c')
  const after = perform(startHistory(document), added(160))
  const places = after.document.layout?.nodes ?? {}
  const xOf = (id: string) => places[nodeId(id)]?.x ?? Number.NaN
  expect(xOf('a')).toBe(0)
  expect(xOf('new')).toBeGreaterThanOrEqual(xOf('a') + 240)
  expect(xOf('b')).toBeGreaterThanOrEqual(xOf('new') + 240)
  expect(xOf('c') - xOf('b')).toBe(320)
  expect(undo(after).document).toEqual(document)
})

test('with room enough nothing moves', () => {
  const document = chain('a', 'b')
  const wide = { ...document, layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 900, y: 0 } } } }
  const places = perform(startHistory(wide), added(400)).document.layout?.nodes
  expect(places).toEqual({ a: { x: 0, y: 0 }, new: { x: 400, y: 0 }, b: { x: 900, y: 0 } })
})
