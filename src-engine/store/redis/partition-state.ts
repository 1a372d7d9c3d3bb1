/** What a store object knows of one partition: how far it has seen it grow, and records as it last saw them. */

import type { InvocationId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { PartitionKeys } from './layout.ts'
import { versionOf } from './tokens.ts'

/** A record with the token that tells its version from every other write. */
export interface Seen<Item> {
  readonly token: string
  /** Null when there is none. */
  readonly item: Item | null
}

/** There is no such record. */
export const nothing: Seen<never> = { token: '', item: null }

/** Records that are kept by how lately they were seen; beyond a bound the oldest go. */
export class SeenRecords<Id extends string, Item> {
  readonly #max: number
  readonly #seen = new Map<Id, Seen<Item>>()

  constructor(max: number) {
    this.#max = max
  }

  get(id: Id): Seen<Item> | undefined {
    return this.#seen.get(id)
  }

  put(id: Id, seen: Seen<Item>): void {
    this.#seen.delete(id)
    this.#seen.set(id, seen)
    if (this.#seen.size <= this.#max) return
    // A map lists the oldest first.
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest)
      break
    }
  }

  /** Takes what was read, unless something newer is known: what was written meanwhile. */
  offer(id: Id, seen: Seen<Item>): void {
    const known = this.#seen.get(id)
    if (known === undefined || versionOf(known.token) < versionOf(seen.token)) this.put(id, seen)
  }

  drop(id: Id): void {
    this.#seen.delete(id)
  }

  clear(): void {
    this.#seen.clear()
  }
}

/** Over all partitions of a store, shared evenly: some tens of megabytes of records of usual size. */
const seenMax = { invocations: 24_000, runs: 6_000, registers: 2_000 } as const
/** However many partitions there are, one holds what is at work in it. */
const seenMin = 128

export interface PartitionState {
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
  { epoch, seq, partitions }: { readonly epoch: number; readonly seq: number; readonly partitions: number },
): PartitionState {
  const share = (whole: number): number => Math.max(seenMin, Math.floor(whole / partitions))
  return {
    keys,
    epoch,
    seq,
    runs: new SeenRecords(share(seenMax.runs)),
    invocations: new SeenRecords(share(seenMax.invocations)),
    registers: new SeenRecords(share(seenMax.registers)),
    shapes: new Map(),
  }
}

/** Forgets what may not be so any more. */
export function forget(state: PartitionState): void {
  state.runs.clear()
  state.invocations.clear()
  state.registers.clear()
  state.shapes.clear()
}
