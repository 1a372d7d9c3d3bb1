/**
 * How far replicas have come: a server tells the length of its stream of writes, and how much of it each replica
 * has acknowledged. What was noted before a length was read is on every replica that has come as far, unless it was
 * lost: the stream of a server that leads since then is another, and a partition's head tells which one its epoch is of.
 */

import type { Millis } from '../../../model/time.ts'
import type { PartitionKeys } from '../layout.ts'
import type { RedisClock } from '../redis-options.ts'
import type { Router } from '../router.ts'
import type { OpJournal } from './op-journal.ts'

/** Replicas tell once a second how far they are; that another server leads is to be seen sooner. */
const lookMs: Millis = 500

interface Mark {
  readonly offset: number
  /** The newest turn when the length was read. */
  readonly upTo: number
  /** What the stream had then: partitions that the server served, with their epochs. */
  readonly epochs: readonly (readonly [partition: number, epoch: number])[]
}

interface Line {
  readonly id: string
  readonly marks: Mark[]
}

export interface ReplicaMarks {
  /** Looks as long as there is anything that replicas may lack. */
  readonly wake: () => void
  readonly stop: () => void
}

interface MarksOptions {
  readonly router: Pick<Router, 'ask' | 'askNode' | 'ownerOf'>
  readonly clock: RedisClock
  readonly journal: OpJournal
  readonly keysOf: (partition: number) => PartitionKeys
  /** Told the epoch of each partition that has something in the journal, with each look. */
  readonly onEpoch: (partition: number, epoch: number) => void
}

export function createReplicaMarks({ router, clock, journal, keysOf, onEpoch }: MarksOptions): ReplicaMarks {
  const lines = new Map<string, Line>()
  let cancel: (() => void) | null = null
  let stopped = false
  /** Its epoch, where that is of the line; null where the head tells another, for what was lost is noted still. */
  const epochOn = async (partition: number, line: string) => {
    const { slot, of } = keysOf(partition)
    const head = (await router.ask(slot, ['HMGET', of('head'), 'epoch', 'line'])) as readonly unknown[]
    const epoch = Number(head[0])
    onEpoch(partition, epoch)
    return head[1] === line ? ([partition, epoch] as const) : null
  }
  const lookAt = async (address: string, partitions: readonly number[]): Promise<void> => {
    const upTo = journal.last
    const info = await router.askNode(address, ['INFO', 'replication']).catch(() => null)
    const found = replicationOf(String(info))
    // Where it doesn't answer another one may lead: epochs are looked at all the same.
    const heads = await Promise.all(partitions.map((partition) => epochOn(partition, found.id)))
    if (info === null) return
    const known = lines.get(address)
    // Another line of writes has lengths of its own.
    const line = known?.id === found.id ? known : { id: found.id, marks: [] }
    lines.set(address, line)
    while (found.acknowledged !== null) {
      const [first] = line.marks
      if (first === undefined || first.offset > found.acknowledged) break
      line.marks.shift()
      journal.acknowledged(first.upTo, first.epochs)
    }
    line.marks.push({ offset: found.offset, upTo, epochs: heads.filter((one) => one !== null) })
    // Without replicas none is ever reached.
    if (line.marks.length > marksMax) line.marks.shift()
  }
  const look = async (): Promise<void> => {
    journal.expire(clock.now())
    const open = journal.partitions()
    const byAddress = Map.groupBy(open, (partition) => router.ownerOf(keysOf(partition).slot))
    const looks = [...byAddress].map(([address, partitions]) => lookAt(address, partitions))
    // A server that doesn't answer is asked again.
    await Promise.allSettled(looks)
    cancel = null
    wake()
  }
  const wake = (): void => {
    if (stopped || cancel !== null || journal.size === 0) return
    cancel = clock.after(lookMs, () => void look())
  }
  return {
    wake,
    stop() {
      stopped = true
      cancel?.()
    },
  }
}

/** Looks of a minute: a replica that is further behind synchronizes anew. */
const marksMax = 60

/** What a server says of itself and its replicas. */
export function replicationOf(info: string): {
  readonly id: string
  readonly offset: number
  /** What all replicas have; null when it has none. */
  readonly acknowledged: number | null
} {
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? ''
  const replicas = [...info.matchAll(/^slave\d+:.*state=online.*offset=(\d+)/gm)].map(([, at]) => Number(at))
  const acknowledged = replicas.length === 0 ? null : Math.min(...replicas)
  return { id: field('master_replid'), offset: Number(field('master_repl_offset')), acknowledged }
}
