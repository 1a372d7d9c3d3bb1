/** What React Flow's store does with a list of nodes or edges: as much as differs from the one before. */

import type { Edge, InternalNode, Node, ReactFlowState } from '@xyflow/react'
import { Position, ReactFlowProvider, useStoreApi } from '@xyflow/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import {
  ConnectionsWhenAsked,
  QuickStore,
  takeEdges,
  takeNodes,
} from '../../src-renderer/canvas/quick-store.ts'

const edge = (id: string, source: string, target: string): Edge => ({
  ...{ id, source, target, sourceHandle: 'out', targetHandle: 'in' },
})
const failed: Edge = { ...edge('two', 'a', 'c'), sourceHandle: 'error' }

type Store = ReturnType<typeof useStoreApi>

/** The store of a provider as the canvas has it, or as React Flow makes it. */
function storeOf({ isQuick }: { readonly isQuick: boolean }): Store {
  const found: { store: Store | null } = { store: null }
  const Probe = (): null => {
    found.store = useStoreApi()
    return null
  }
  const inside = [
    isQuick ? createElement(QuickStore, { key: 'quick' }) : null,
    createElement(Probe, { key: 'probe' }),
  ]
  renderToStaticMarkup(createElement(ReactFlowProvider, null, inside))
  if (found.store === null) throw new Error('The provider has no store.')
  return found.store
}

/** A map that counts what is put in and taken out. */
class Counted extends Map<string, Edge> {
  count = 0
  override set(key: string, value: Edge): this {
    this.count += 1
    return super.set(key, value)
  }
  override delete(key: string): boolean {
    this.count += 1
    return super.delete(key)
  }
}

const many = Array.from({ length: 1_000 }, (_, at) => edge(`e${at}`, `n${at}`, `n${at + 1}`))

describe('the edges by their ids', () => {
  const changes: Readonly<Record<string, readonly [now: readonly Edge[], puts: number]>> = {
    'one more at the end': [[...many, edge('new', 'n1', 'n9')], 1],
    'one taken away': [many.toSpliced(500, 1), 1],
    'one that looks otherwise': [many.with(500, { ...edge('e500', 'n500', 'n501'), selected: true }), 2],
    'one more in the middle': [many.toSpliced(500, 0, edge('new', 'n1', 'n9')), 1],
    'none left': [[], 1_000],
  }

  test.each(Object.entries(changes))('%s: nothing else is put in or taken out', (_, [now, puts]) => {
    const byId = new Counted(many.map((one) => [one.id, one]))
    byId.count = 0
    takeEdges(byId, { before: many, now })
    expect(byId.count).toBe(puts)
    expect(byId.size).toBe(now.length)
    for (const one of now) expect(byId.get(one.id)).toBe(one)
  })
})

const card = (id: string, x = 0, more: Partial<Node> = {}): Node => ({
  ...{ id, position: { x, y: 5 }, width: 240, height: 64, measured: { width: 240, height: 64 }, data: {} },
  handles: [
    { id: 'in', type: 'target', position: Position.Left, x: 0, y: 20, width: 9, height: 9 },
    { id: null, type: 'source', position: Position.Right, x: 240, y: 20 },
  ],
  ...more,
})

describe('the nodes by their ids', () => {
  const cards = Array.from({ length: 1_000 }, (_, at) => card(`n${at}`, at))
  const lookup = () => {
    const store = storeOf({ isQuick: false })
    store.getState().setNodes([...cards])
    return new Map(store.getState().nodeLookup)
  }

  test.each([
    ['one that is moved', cards.with(500, card('n500', 9)), ['n500']],
    ['one more at the end', [...cards, card('new')], ['new']],
    ['all as before', [...cards], []],
  ] as const)('%s: all others are the same as before', (_, now, changed) => {
    const [byId, before] = [lookup(), lookup()]
    for (const [id, one] of before) byId.set(id, one)
    expect(takeNodes(byId, { before: cards, now })).toBe(true)
    expect([...byId].flatMap(([id, one]) => (before.get(id) === one ? [] : id))).toEqual(changed)
    expect([...byId.values()].map((one: InternalNode) => one.internals.userNode)).toEqual(now)
  })

  test.each([
    ['one less', cards.toSpliced(500, 1)],
    ['one more in the middle', cards.toSpliced(500, 0, card('new'))],
    ['others', cards.toReversed()],
    ['one that is yet to be measured', [...cards, { id: 'new', position: { x: 0, y: 0 }, data: {} }]],
    ['one inside of another', [...cards, card('new', 0, { parentId: 'n1' })]],
  ] as const)('%s: nothing is done, for React Flow is to look at all of them', (_, now) => {
    const byId = lookup()
    const before = [...byId]
    expect(takeNodes(byId, { before: cards, now })).toBe(false)
    expect([...byId]).toEqual(before)
  })
})

describe('the store of the canvas', () => {
  test('says of nodes what React Flow says', () => {
    const [ours, theirs] = [storeOf({ isQuick: true }), storeOf({ isQuick: false })]
    const moved = card('b', 7, { selected: true, zIndex: 1_000, type: 'task' })
    const nodeLists: readonly Node[][] = [
      [card('a'), card('b')],
      [card('a'), moved],
      [card('a'), moved, card('c', 3, { hidden: true })],
      [card('a'), card('b'), card('c', 3, { handles: [] })],
      [card('c')],
      [{ id: 'bare', position: { x: 1, y: 2 }, data: {} }, card('c')],
      [],
      [card('a')],
    ]
    for (const nodes of nodeLists) {
      for (const store of [ours, theirs]) {
        store.setState({ elevateNodesOnSelect: false })
        store.getState().setNodes(nodes)
      }
      const told = ({ nodes: all, nodeLookup, nodesInitialized }: ReactFlowState) => ({
        ...{ all, byId: [...nodeLookup], nodesInitialized },
      })
      expect(told(ours.getState())).toEqual(told(theirs.getState()))
    }
  })

  const lists = [
    [edge('one', 'a', 'b'), failed],
    [edge('one', 'a', 'b'), failed, edge('three', 'b', 'c')],
    [edge('three', 'b', 'c')],
    [{ id: 'bare', source: 'a', target: 'b' }],
  ]
  const keys = ['a', 'b', 'c', 'a-source', 'b-target', 'a-source-out', 'a-source-error', 'c-target-in', 'x']

  test('says of edges and connections what React Flow says', () => {
    const [ours, theirs] = [storeOf({ isQuick: true }), storeOf({ isQuick: false })]
    for (const edges of lists) {
      for (const store of [ours, theirs]) store.getState().setEdges(edges)
      const told = ({ edges: all, edgeLookup, connectionLookup }: ReactFlowState) => ({
        all,
        byId: Object.fromEntries(edgeLookup),
        connections: keys.map((key) => Object.fromEntries(connectionLookup.get(key) ?? [])),
      })
      expect(told(ours.getState())).toEqual(told(theirs.getState()))
    }
  })

  test('has them right again after React Flow has emptied it', () => {
    const store = storeOf({ isQuick: true })
    store.getState().setEdges([...(lists[0] ?? [])])
    store.getState().reset()
    store.getState().setEdges([...(lists[1] ?? [])])
    expect([...store.getState().edgeLookup.keys()]).toEqual(['one', 'two', 'three'])
  })

  test('finds connections when somebody asks, and once', () => {
    let read = 0
    const counted = new Proxy(edge('one', 'a', 'b'), {
      get: (target, key) => {
        read += 1
        return Reflect.get(target, key) as unknown
      },
    })
    const connections = new ConnectionsWhenAsked([counted])
    expect(read).toBe(0)
    expect(connections.get('a')?.size).toBe(1)
    const once = read
    expect(connections.get('b-target')?.size).toBe(1)
    expect(read).toBe(once)
  })
})
