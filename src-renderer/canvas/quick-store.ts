/**
 * React Flow takes each list of edges in by walking all of them, six entries for each, with every edit. Here its store
 * takes in what an edit changed; what nobody has asked about yet is found when somebody does.
 */

import type { Edge, ReactFlowState } from '@xyflow/react'
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

/** Makes the store of the provider around it such a one, before React Flow is drawn for the first time. */
export function QuickStore() {
  const store = useStoreApi()
  useState(() => {
    store.setState({
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
