/**
 * Messages of others' commits: each partition has a channel on the node that serves it, and a connection per node
 * hears those that are watched. A message that gets lost is made up for by the watchers' own looks.
 */

import { Redis } from 'ioredis'
import type { PartitionKeys } from './layout.ts'
import { clientSettings, splitAddress } from './node-connection.ts'
import type { RedisAccess } from './redis-options.ts'
import type { Router } from './router.ts'

export interface Subscriber {
  /** Hears these partitions and no others; called again it follows slots that moved and nodes that came back. */
  readonly hear: (partitions: readonly PartitionKeys[]) => void
  readonly close: () => void
}

/** Who wrote, and where the feed ended after it. */
export interface Message {
  readonly partition: number
  readonly writerId: string
  readonly epoch: number
  readonly seq: number
}

/** A node's connection with what it hears. */
interface Line {
  readonly client: Redis
  readonly partitionByChannel: Map<string, number>
}

export function createSubscriber(
  router: Router,
  { access, heard }: { readonly access: RedisAccess; readonly heard: (message: Message) => void },
): Subscriber {
  const lines = new Map<string, Line>()
  let closed = false
  const drop = (address: string): void => {
    lines.get(address)?.client.disconnect()
    lines.delete(address)
  }
  const open = async (address: string): Promise<Line> => {
    const { host, port } = splitAddress(address)
    const client = new Redis(port, host, clientSettings(access, await access.password()))
    const line: Line = { client, partitionByChannel: new Map() }
    // The next call opens another; until then the looks tell.
    client.on('error', () => undefined)
    client.on('end', () => {
      if (lines.get(address) === line) lines.delete(address)
    })
    client.on('smessage', (channel: string, text: string) => {
      const partition = line.partitionByChannel.get(channel)
      if (partition !== undefined) heard(messageOf(partition, text))
    })
    await client.connect()
    return line
  }
  const hearAt = async (address: string, wanted: readonly PartitionKeys[]): Promise<void> => {
    const known = lines.get(address)
    const line = known ?? (await open(address))
    if (closed) {
      line.client.disconnect()
      return
    }
    lines.set(address, line)
    for (const keys of wanted) {
      const channel = keys.of('hints')
      if (line.partitionByChannel.has(channel)) continue
      line.partitionByChannel.set(channel, keys.partition)
      await line.client.ssubscribe(channel)
    }
  }
  let hearing = false
  return {
    hear(partitions) {
      if (hearing || closed) return
      hearing = true
      const byNode = Map.groupBy(partitions, ({ slot }) => router.ownerOf(slot))
      const all = [...byNode].map(([address, wanted]) =>
        // A slot that has moved away, or a node that is gone: it is begun anew.
        hearAt(address, wanted).catch(() => drop(address)),
      )
      void Promise.all(all).finally(() => {
        hearing = false
      })
    },
    close() {
      closed = true
      for (const address of [...lines.keys()]) drop(address)
    },
  }
}

function messageOf(partition: number, text: string): Message {
  const [epoch, seq, ...writer] = text.split(' ')
  return { partition, writerId: writer.join(' '), epoch: Number(epoch), seq: Number(seq) }
}
