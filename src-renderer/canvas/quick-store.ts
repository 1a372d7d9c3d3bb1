/**
 * React Flow takes each list of edges in by walking all of them, six entries for each, with every edit, and each list of
 * nodes by putting all of them into its lookup anew. Here its store takes in what an edit changed; what nobody has asked
 * about yet is found when somebody does.
 */

import type { Edge, InternalNode, Node, ReactFlowState } from '@xyflow/react'
import { useStoreApi } from '@xyflow/react'
import { useState } from 'react'

type Connections = ReactFlowState['connectionLookup']
type OfOne = NonNullable<ReturnType<Connections['get']>>

/** As React Flow writes them. */
interface Connection {
  readonly edgeId: string
  readonly source: string
  readonly target: string
  readonly sourceHandle: string | null
  readonly targetHandle: string | null
}

/** Which connections a step or a port has: read for boxes that are drawn around steps, and for nothing that is shown. */
export class ConnectionsWhenAsked extends Map<string, OfOne> {
  #edges: readonly Edge[] | null

  constructor(edges: readonly Edge[]) {
    super()
    this.#edges = edges
  }

  override get(key: string): OfOne | undefined {
    const edges = this.#edges
    this.#edges = null
    for (const edge of edges ?? []) this.#add(edge)
    return super.get(key)
  }

  #add({ id, source, target, sourceHandle = null, targetHandle = null }: Edge): void {
    const connection: Connection = { edgeId: id, source, target, sourceHandle, targetHandle }
    const [from, to] = [`${source}-${sourceHandle}`, `${target}-${targetHandle}`]
    this.#put(keysOf('source', source, sourceHandle), `${to}--${from}`, connection)
    this.#put(keysOf('target', target, targetHandle), `${from}--${to}`, connection)
  }

  #put(keys: readonly string[], name: string, connection: Connection): void {
    for (const key of keys) {
      const known = super.get(key)
      if (known === undefined) super.set(key, new Map([[name, connection]]))
      else known.set(name, connection)
    }
  }
}

const keysOf = (side: 'source' | 'target', node: string, handle: string | null): readonly string[] => [
  node,
  `${node}-${side}`,
  ...(handle === null ? [] : [`${node}-${side}-${handle}`]),
]

/** The edges by their ids, after the list became another one: only what differs is put in or taken out. */
export function takeEdges(
  byId: Map<string, Edge>,
  { before, now }: { readonly before: readonly Edge[]; readonly now: readonly Edge[] },
): void {
  let start = 0
  const shorter = Math.min(before.length, now.length)
  while (start < shorter && before[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end += 1
  for (const { id } of before.slice(start, before.length - end)) byId.delete(id)
  for (const edge of now.slice(start, now.length - end)) byId.set(edge.id, edge)
}

type NodeLookup = ReactFlowState['nodeLookup']

/**
 * The nodes by their ids, after the list became another one of the same nodes, or one with more of them at its end: only
 * those that are others than before are put in. False, and nothing is done, where it takes a look at all of them.
 */
export function takeNodes(
  byId: NodeLookup,
  { before, now }: { readonly before: readonly Node[]; readonly now: readonly Node[] },
): boolean {
  if (now.length < before.length || byId.size !== before.length) return false
  const changed: Node[] = []
  for (const [at, node] of now.entries()) {
    const was = before[at]
    if (node === was) continue
    if ((was !== undefined && was.id !== node.id) || !isPlain(node)) return false
    changed.push(node)
  }
  for (const node of changed) byId.set(node.id, internalOf(node))
  return true
}

/** Of whose size and ports all is told, and that stands by itself. */
const isPlain = ({ measured, handles, parentId, extent, origin }: Node): boolean =>
  measured?.width !== undefined &&
  measured.height !== undefined &&
  handles !== undefined &&
  parentId === undefined &&
  extent === undefined &&
  origin === undefined

/** As React Flow makes it of a node that is told so. */
function internalOf(node: Node): InternalNode {
  const { measured, handles = [], position, zIndex = 0 } = node
  const bounds = handles.map(({ id = null, width = 1, height = 1, x, y, position: side, type }) => ({
    ...{ id, width, height, nodeId: node.id },
    ...{ x, y, position: side, type },
  }))
  const handleBounds = {
    source: bounds.filter(({ type }) => type === 'source'),
    target: bounds.filter(({ type }) => type === 'target'),
  }
  return {
    ...node,
    measured: { ...measured },
    internals: { positionAbsolute: position, handleBounds, z: zIndex, userNode: node },
  }
}

/** Makes the store of the provider around it such a one, before React Flow is drawn for the first time. */
export function QuickStore() {
  const store = useStoreApi()
  useState(() => {
    const { setNodes } = store.getState()
    store.setState({
      setNodes: (nodes) => {
        const { nodes: before, nodeLookup, ...known } = store.getState()
        // What may have to be fitted, raised or unselected with it is for React Flow to see to.
        const isUsual =
          !known.fitViewQueued &&
          !known.elevateNodesOnSelect &&
          !known.nodesSelectionActive &&
          known.nodesInitialized
        if (isUsual && takeNodes(nodeLookup, { before, now: nodes })) store.setState({ nodes })
        else setNodes(nodes)
      },
      setEdges: (edges) => {
        const { edges: before, edgeLookup } = store.getState()
        // React Flow empties its store when it goes away.
        const taken = edgeLookup.size === before.length ? before : []
        if (taken !== before) edgeLookup.clear()
        takeEdges(edgeLookup, { before: taken, now: edges })
        store.setState({ edges, connectionLookup: new ConnectionsWhenAsked(edges) })
      },
    })
  })
  return null
}
