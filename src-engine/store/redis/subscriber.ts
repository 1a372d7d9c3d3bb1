/**
 * Messages of others' commits: each partition has two channels on the node that serves it, one for those who follow
 * its events and one for news, and a connection per node hears those that are watched. Writers tell the first only
 * while somebody says that he follows. A message that gets lost is made up for by the watchers' own looks.
 */

import { Redis } from 'ioredis'
import { SagasmithError } from '../../model/errors.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { HintTopic, News } from '../hints.ts'
import type { PartitionKeys } from './layout.ts'
import { clientSettings, splitAddress } from './node-connection.ts'
import type { RedisAccess, RedisClock } from './redis-options.ts'
import type { Router } from './router.ts'
import { runScript, scriptOf } from './script.ts'
import type { Wish } from './watching.ts'

export interface Subscriber {
  /** Hears these partitions; called again it follows slots that moved and nodes that came back. */
  readonly hear: (wishes: readonly Wish[]) => void
  readonly close: () => void
}

/** Who wrote, where the feed ended after it, and what of. */
export interface Message {
  readonly partition: number
  readonly writerId: string
  readonly epoch: number
  readonly seq: number
  readonly found: News
}

const channels: Readonly<Record<HintTopic, string>> = { events: 'hints', news: 'news' }

/** Whoever follows says so again before this is over; who is gone costs writers nothing any longer. */
const followMs: Millis = 30_000

/** How long a node may take to hear all that is wanted of it. */
const hearMs: Millis = 5 * second

/** KEYS: head. ARGV: for how many microseconds somebody follows from now on. */
const followScript = scriptOf(`#!lua
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], 'follow', string.format('%.0f', time[1] * 1000000 + time[2] + ARGV[1]))
return 1
`)

/** Says in a partition's head that somebody follows, again and again. */
function createFollowing(router: Router, clock: RedisClock): (keys: PartitionKeys) => Promise<void> {
  const saidAt = new Map<number, number>()
  return async ({ partition, slot, of }) => {
    const now = clock.now()
    const last = saidAt.get(partition)
    if (last !== undefined && now >= last && now < last + followMs / 3) return
    saidAt.set(partition, now)
    const call = { script: followScript, keys: [of('head')], args: [followMs * 1_000] }
    // Who may not write hears of events by the looks alone.
    await runScript(router, slot, call).catch(() => undefined)
  }
}

/** A node's connection with what it hears. */
interface Line {
  readonly client: Redis
  readonly partitionByChannel: Map<string, number>
}

interface SubscriberOptions {
  readonly access: RedisAccess
  readonly clock: RedisClock
  readonly heard: (message: Message) => void
}

export function createSubscriber(router: Router, { access, clock, heard }: SubscriberOptions): Subscriber {
  const lines = new Map<string, Line>()
  /** Also those that are being opened. */
  const clients = new Map<string, Redis>()
  const follow = createFollowing(router, clock)
  let closed = false
  const drop = (address: string): void => {
    clients.get(address)?.disconnect()
    clients.delete(address)
    lines.delete(address)
  }
  const open = async (address: string): Promise<Line> => {
    const { host, port } = splitAddress(address)
    const settings = clientSettings(access, await access.password())
    if (closed) throw new SagasmithError('store_closed')
    const client = new Redis(port, host, settings)
    clients.set(address, client)
    const line: Line = { client, partitionByChannel: new Map() }
    // The next call opens another; until then the looks tell.
    client.on('error', () => undefined)
    client.on('end', () => {
      if (lines.get(address) === line) lines.delete(address)
      if (clients.get(address) === client) clients.delete(address)
    })
    client.on('smessage', (channel: string, text: string) => {
      const partition = line.partitionByChannel.get(channel)
      if (partition !== undefined) heard(messageOf(partition, text))
    })
    await client.connect()
    return line
  }
  const hearAt = async (address: string, wanted: readonly Wish[]): Promise<void> => {
    const known = lines.get(address)
    const line = known ?? (await open(address))
    if (closed) return
    lines.set(address, line)
    const followed = wanted.filter(({ topics }) => topics.includes('events'))
    await Promise.all(followed.map(({ keys }) => follow(keys)))
    for (const { keys, topics } of wanted) {
      for (const topic of topics) {
        const channel = keys.of(channels[topic])
        if (line.partitionByChannel.has(channel)) continue
        line.partitionByChannel.set(channel, keys.partition)
        await line.client.ssubscribe(channel)
      }
    }
  }
  let hearing = false
  return {
    hear(wishes) {
      if (hearing || closed) return
      hearing = true
      const byNode = Map.groupBy(wishes, ({ keys }) => router.ownerOf(keys.slot))
      const all = [...byNode].map(([address, wanted]) =>
        // A slot that has moved away, or a node that is gone: it is begun anew.
        inTime(clock, hearAt(address, wanted), () => drop(address)).catch(() => drop(address)),
      )
      void Promise.all(all).finally(() => {
        hearing = false
      })
    },
    close() {
      closed = true
      for (const address of [...clients.keys()]) drop(address)
    },
  }
}

/** A server that stands still takes connections and never answers: it must not keep the others unheard. */
const inTime = (clock: RedisClock, hears: Promise<void>, tooLate: () => void): Promise<void> =>
  hears.finally(clock.after(hearMs, tooLate))

function messageOf(partition: number, text: string): Message {
  const [epoch, seq, found, ...writer] = text.split(' ')
  return {
    partition,
    writerId: writer.join(' '),
    epoch: Number(epoch),
    seq: Number(seq),
    found: Number(found),
  }
}
