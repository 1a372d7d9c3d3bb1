import { describe, expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { addNode } from '../../src-renderer/commands/add-node.ts'
import { toggleBypassed } from '../../src-renderer/commands/change-node.ts'
import { clipToText, makeClip, paste, textToClip } from '../../src-renderer/commands/clip.ts'
import { reconnect } from '../../src-renderer/commands/connect.ts'
import { applyEdit } from '../../src-renderer/commands/edit.ts'
import { edgeIdOf, freeNodeId } from '../../src-renderer/commands/new-ids.ts'
import { removeAndHeal, removeElements, removeFromChain } from '../../src-renderer/commands/remove.ts'
import { spliceNode } from '../../src-renderer/commands/splice-node.ts'
import { chain, edgeOf, link } from './factories.ts'

const only = (...ids: readonly string[]) => ({ nodes: ids.map(nodeId), edges: [], notes: [] })

describe('edits', () => {
  test('nodes are bypassed together, and run again when all of them were', () => {
    const ids = [nodeId('a'), nodeId('b')]
    const one = applyEdit(chain('a', 'b'), toggleBypassed([nodeId('a')])).document
    const both = applyEdit(one, toggleBypassed(ids)).document
    expect([both.nodes[nodeId('a')]?.bypassed, both.nodes[nodeId('b')]?.bypassed]).toEqual([true, true])
    expect(applyEdit(both, toggleBypassed(ids)).document).toEqual(chain('a', 'b'))
  })

  test('a node dropped on an edge leads it through itself', () => {
    const added = {
      id: nodeId('x'),
      node: { kind: 'noop' },
      at: { x: 1.4, y: 2.6 },
      title: 'X',
      outPort: 'out',
      hasInput: true,
    }
    const { document } = applyEdit(
      chain('a', 'b'),
      addNode(added, { kind: 'splice', edge: edgeOf('a', 'b') }),
    )
    expect(Object.keys(document.edges).toSorted()).toEqual([edgeOf('a', 'x'), edgeOf('x', 'b')].toSorted())
    // Not on top of the node that the edge comes from.
    expect(document.layout?.nodes?.['x']).toEqual({ x: 288, y: 3 })
  })

  test('a node that was there already is spliced and moved in one step', () => {
    const edit = spliceNode({
      node: nodeId('c'),
      outPort: 'out',
      edge: edgeOf('a', 'b'),
      position: { x: 5, y: 5 },
    })
    const loose = applyEdit(
      chain('a', 'b', 'c'),
      removeElements({ nodes: [], edges: [edgeOf('b', 'c')], notes: [] }),
    ).document
    const { document } = applyEdit(loose, edit)
    expect(Object.keys(document.edges).toSorted()).toEqual([edgeOf('a', 'c'), edgeOf('c', 'b')].toSorted())
  })

  test('deleting takes the edges along, healing closes the gap', () => {
    expect(applyEdit(chain('a', 'b', 'c'), removeElements(only('b'))).document.edges).toEqual({})
    const healed = applyEdit(chain('a', 'b', 'c', 'd'), removeAndHeal(only('b', 'c'))).document
    expect(Object.keys(healed.edges)).toEqual([edgeOf('a', 'd')])
    expect(Object.keys(healed.layout?.nodes ?? {})).toEqual(['a', 'd'])
  })

  test('plain deleting heals a chain, and leaves the gap where several ways meet', () => {
    expect(Object.keys(applyEdit(chain('a', 'b', 'c'), removeFromChain(only('b'))).document.edges)).toEqual([
      edgeOf('a', 'c'),
    ])
    const base = chain('a', 'b', 'c')
    const forked = { ...base, edges: { ...base.edges, [edgeOf('b', 'd')]: link('b', 'd') } }
    expect(applyEdit(forked, removeFromChain(only('b'))).document.edges).toEqual({})
  })

  test('an edge led elsewhere keeps its label', () => {
    const base = chain('a', 'b', 'c')
    const id = edgeOf('a', 'b')
    const labelled = { ...base, edges: { ...base.edges, [id]: { ...link('a', 'b'), label: 'yes' } } }
    const { document } = applyEdit(labelled, reconnect(id, link('a', 'c')))
    expect(document.edges[edgeOf('a', 'c')]?.label).toBe('yes')
  })

  test('ids of new nodes can be written in expressions and are never taken twice', () => {
    expect(freeNodeId('read-file', new Set())).toBe('readFile')
    expect(freeNodeId('read-file', new Set(['readFile', 'readFile2']))).toBe('readFile3')
    expect(freeNodeId('3d', new Set())).toMatch(/^[A-Za-z]\w*$/)
  })
})

describe('clipboard', () => {
  const source = chain('a', 'b', 'c')

  test('a clip survives its way through text, with the edges between its nodes only', () => {
    const clip = makeClip(source, [nodeId('a'), nodeId('b')])
    expect(clip?.edges).toEqual([link('a', 'b')])
    expect(clip === null ? null : textToClip(clipToText(clip))).toEqual(clip)
  })

  test('pasting beside the original gives new ids and keeps edges and distances', () => {
    const clip = makeClip(source, [nodeId('a'), nodeId('b')])
    if (clip === null) throw new Error('There was something to copy.')
    const plan = paste(source, clip, { x: 1000, y: 500 })
    const { document } = applyEdit(source, plan.edit)
    const [first = nodeId(''), second = nodeId('')] = plan.ids
    expect(Object.keys(document.nodes)).toHaveLength(5)
    expect(document.edges[edgeIdOf(link(first, second))]).toBeDefined()
    expect(document.layout?.nodes?.[second]).toEqual({ x: 1320, y: 500 })
  })

  test.for([
    '',
    'hello',
    '{"format":"sagasmith.clip"}',
    '{"format":"sagasmith.clip","version":2,"nodes":{}}',
    'sagasmith.clip {',
  ])('other text is left alone: %s', (text) => expect(textToClip(text)).toBeNull())

  test('nothing chosen is nothing to copy', () => expect(makeClip(source, [nodeId('gone')])).toBeNull())
})
