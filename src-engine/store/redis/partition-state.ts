/** What a store object knows of one partition: how far it has seen it grow, and records as it last saw them. */

import type { InvocationId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { PartitionKeys } from './layout.ts'
import type { HeadsState } from './queue-heads.ts'
import { versionOf } from './tokens.ts'

/** A record with the token that tells its version from every other write. */
export interface Seen<Item> {
  readonly token: string
  /** Null when there is none. */
  readonly item: Item | null
}

/** There is no such record. */
export const nothing: Seen<never> = { token: '', item: null }

/** How many records of one kind all partitions of a store keep together. */
export interface SeenRoom {
  readonly max: number
  count: number
}

/**
 * Records of a partition that are kept by how lately they were seen; where all partitions together have too
 * many, the oldest go.
 */
export class SeenRecords<Id extends string, Item> {
  readonly #room: SeenRoom
  readonly #seen = new Map<Id, Seen<Item>>()
  #isHeld = false

  constructor(room: SeenRoom) {
    this.#room = room
  }

  get(id: Id): Seen<Item> | undefined {
    return this.#seen.get(id)
  }

  put(id: Id, seen: Seen<Item>): void {
    this.drop(id)
    this.#seen.set(id, seen)
    this.#room.count += 1
    if (!this.#isHeld) this.#trim()
  }

  /** Nothing goes by itself until `release`: what was looked at for a decision is there when it is made. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.#trim()
  }

  /** Takes what was read, unless something newer is known: what was written meanwhile. */
  offer(id: Id, seen: Seen<Item>): void {
    const known = this.#seen.get(id)
    if (known === undefined || versionOf(known.token) < versionOf(seen.token)) this.put(id, seen)
  }

  drop(id: Id): void {
    if (this.#seen.delete(id)) this.#room.count -= 1
  }

  clear(): void {
    this.#room.count -= this.#seen.size
    this.#seen.clear()
  }

  /** A map lists the oldest first. */
  #trim(): void {
    if (this.#room.count <= this.#room.max) return
    for (const oldest of this.#seen.keys()) {
      if (this.#room.count <= this.#room.max || this.#seen.size <= seenMin) return
      this.drop(oldest)
    }
  }
}

/** Some tens of megabytes of records of usual size. */
const seenMax = { invocations: 24_000, runs: 6_000, registers: 2_000 } as const
/** However much others keep, a partition holds what is at work in it. */
const seenMin = 128

/** The room of all partitions of one store. */
export interface SeenRooms {
  readonly invocations: SeenRoom
  readonly runs: SeenRoom
  readonly registers: SeenRoom
}

export const newSeenRooms = (): SeenRooms => ({
  invocations: { max: seenMax.invocations, count: 0 },
  runs: { max: seenMax.runs, count: 0 },
  registers: { max: seenMax.registers, count: 0 },
})

export interface PartitionState extends HeadsState {
  readonly keys: PartitionKeys
  epoch: number
  /** The last sequence number that an answer told: the partition never goes back behind it unseen. */
  seq: number
  readonly runs: SeenRecords<RunId, RunRecord>
  readonly invocations: SeenRecords<InvocationId, InvocationRecord>
  /** Tokens of registers: `version tag`. */
  readonly registers: SeenRecords<string, string>
  /** What shapes ask, by id: those that are known to be written down. */
  readonly shapes: Map<string, string>
}

export function newPartitionState(
  keys: PartitionKeys,
  { epoch, seq, rooms }: { readonly epoch: number; readonly seq: number; readonly rooms: SeenRooms },
): PartitionState {
  return {
    keys,
    epoch,
    seq,
    runs: new SeenRecords(rooms.runs),
    invocations: new SeenRecords(rooms.invocations),
    registers: new SeenRecords(rooms.registers),
    shapes: new Map(),
    looked: null,
    heads: null,
    elsewhere: null,
  }
}

/** Forgets what may not be so any more. */
export function forget(state: PartitionState): void {
  state.runs.clear()
  state.invocations.clear()
  state.registers.clear()
  state.shapes.clear()
  state.looked = null
  state.heads = null
}
