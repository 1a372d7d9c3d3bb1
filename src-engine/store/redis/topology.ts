/** Which node serves which slot, as one of the nodes tells it; a single server serves all. */

import type { NodeConnection } from './node-connection.ts'
import { splitAddress } from './node-connection.ts'

export interface Topology {
  readonly isCluster: boolean
  /** Masters by the address that clients reach them at. */
  readonly masters: readonly string[]
  /** Masters and replicas: each can tell the topology. */
  readonly nodes: readonly string[]
  /** Null for a slot that nobody serves. */
  readonly ownerOf: (slot: number) => string | null
}

type SlotNode = readonly [host: string | null, port: number, ...unknown[]]
type SlotRange = readonly [from: number, to: number, ...nodes: readonly SlotNode[]]

/** Asks a node; rejects as its connection does. */
export async function askTopology(node: NodeConnection): Promise<Topology> {
  await node.ready()
  const [info] = node.send([['INFO', 'cluster']])
  if (!String(await info).includes('cluster_enabled:1')) {
    return { isCluster: false, masters: [node.address], nodes: [node.address], ownerOf: () => node.address }
  }
  const [slots] = node.send([['CLUSTER', 'SLOTS']])
  // The form of this answer is the protocol's.
  const ranges = ((await slots) as readonly SlotRange[]).map(([from, to, ...nodes]) => {
    const [master = '', ...replicas] = nodes.map(([host, port]) => addressOf(host, port, node.address))
    return { from, to, master, replicas }
  })
  const masters = [...new Set(ranges.map(({ master }) => master))]
  return {
    isCluster: true,
    masters,
    nodes: [...new Set([...masters, ...ranges.flatMap(({ replicas }) => replicas)])],
    ownerOf: (slot) => ranges.find(({ from, to }) => from <= slot && slot <= to)?.master ?? null,
  }
}

/** A node that doesn't know its own host is where it was asked. */
export function addressOf(host: string | null, port: number, asked: string): string {
  const known = host === null || host === '' || host === '?' ? splitAddress(asked).host : host
  return `${known}:${port}`
}
