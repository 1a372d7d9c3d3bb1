/** Which node serves which slot, as one of the nodes tells it; a single server serves all. */

import type { NodeConnection } from './node-connection.ts'
import { splitAddress } from './node-connection.ts'

export interface Topology {
  readonly isCluster: boolean
  /** Masters by the address that clients reach them at. */
  readonly masters: readonly string[]
  /** Null for a slot that nobody serves. */
  readonly ownerOf: (slot: number) => string | null
}

type SlotRange = readonly [from: number, to: number, master: readonly [host: string | null, port: number]]

/** Asks a node; rejects as its connection does. */
export async function askTopology(node: NodeConnection): Promise<Topology> {
  await node.ready()
  const [info] = node.send([['INFO', 'cluster']])
  if (!String(await info).includes('cluster_enabled:1')) {
    return { isCluster: false, masters: [node.address], ownerOf: () => node.address }
  }
  const [slots] = node.send([['CLUSTER', 'SLOTS']])
  // The form of this answer is the protocol's.
  const ranges = ((await slots) as readonly SlotRange[]).map(([from, to, [host, port]]) => {
    return { from, to, address: addressOf(host, port, node.address) }
  })
  return {
    isCluster: true,
    masters: [...new Set(ranges.map(({ address }) => address))],
    ownerOf: (slot) => ranges.find(({ from, to }) => from <= slot && slot <= to)?.address ?? null,
  }
}

/** A node that doesn't know its own host is where it was asked. */
export function addressOf(host: string | null, port: number, asked: string): string {
  const known = host === null || host === '' || host === '?' ? splitAddress(asked).host : host
  return `${known}:${port}`
}
