/**
 * Partitions with a replica each, as a cluster in its safe mode: a write is there at once for everybody who looks, and
 * its writer is answered when the replica has it. A failover takes back what the replica has not, and an epoch begins;
 * who waits for an answer has its write made again, as it fits then.
 */

import { opId } from '../../src-engine/model/ids.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import type { Records } from '../../src-engine/store/memory/memory-records.ts'
import { appendEvents, noRecords } from '../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'

type Write = (raw: RawStore) => Promise<unknown>

/** A write that nobody is told of yet. */
export interface Unanswered {
  readonly partition: number
  readonly write: Write
  /** Its number among the writes of its partition, and after how many failovers it was made. */
  readonly number: number
  readonly term: number
}

export interface Failovers {
  readonly raw: RawStore
  /** The write that was made since this was asked last; null for none. */
  readonly made: () => Unanswered | null
  /** What its writer is told: the same, or what became of it after a failover. */
  readonly answer: (write: Unanswered, first: unknown) => Promise<unknown>
  /** The replica leads from now on; gives how many writes it never had. */
  readonly failOver: (partition: number, at: Instant) => Promise<number>
  /** How many writes the replica of a partition has not. */
  readonly behind: (partition: number) => number
  /** Called after each write that was made again. */
  again: (partition: number) => void
}

interface Replicated {
  /** Writes that the replica has not, in their order. */
  log: Write[]
  /** How many it has. */
  replicated: number
  term: number
  /** What the replica had when it began to lead. */
  keptAtTerm: number
  /** What is done with the replica, one after the other. */
  turn: Promise<unknown>
}

/** Four partitions that hold nothing. */
export function createFailovers(): Failovers {
  const records = [0, 1, 2, 3].map(noRecords)
  const copies = [0, 1, 2, 3].map(noRecords)
  const master = createMemoryStore({ records })
  const replica = createMemoryStore({ records: copies })
  const states = records.map((): Replicated => {
    return { log: [], replicated: 0, term: 0, keptAtTerm: 0, turn: Promise.resolve() }
  })
  const stateOf = (partition: number): Replicated => {
    const state = states[partition]
    if (state === undefined) throw new RangeError(`there is no partition ${partition}`)
    return state
  }
  let last: Unanswered | null = null
  const noted = <Answer>(partition: number, write: (raw: RawStore) => Promise<Answer>): Promise<Answer> => {
    const state = stateOf(partition)
    state.log.push(write)
    last = { partition, write, number: state.replicated + state.log.length, term: state.term }
    return write(master)
  }
  const inTurn = <Answer>(partition: number, call: () => Promise<Answer>): Promise<Answer> => {
    const state = stateOf(partition)
    const turn = state.turn.then(call)
    state.turn = turn.catch(() => undefined)
    return turn
  }
  /** The replica gets all up to the write, as it would wait for it. */
  const replicate = async (partition: number, number: number): Promise<void> => {
    const state = stateOf(partition)
    while (state.replicated < number) {
      const [write] = state.log
      if (write === undefined) return
      await write(replica).catch(() => undefined)
      state.log = state.log.slice(1)
      state.replicated += 1
    }
  }
  const failovers: Failovers = {
    raw: {
      ...master,
      commit: (partition, checkpoints) => noted(partition, (raw) => raw.commit(partition, checkpoints)),
      claim: (request) => noted(request.partition, (raw) => raw.claim(request)),
      renew: (request) => noted(request.partition, (raw) => raw.renew(request)),
      takeSlots: (partition, request) => noted(partition, (raw) => raw.takeSlots(partition, request)),
      releaseSlots: (partition, releases) => noted(partition, (raw) => raw.releaseSlots(partition, releases)),
      confirmAll: (partition) => inTurn(partition, () => replicate(partition, Number.POSITIVE_INFINITY)),
      prune: (request) => noted(request.partition, (raw) => raw.prune(request)),
    },
    again: () => undefined,
    behind: (partition) => stateOf(partition).log.length,
    made() {
      const made = last
      last = null
      return made
    },
    answer: (made, first) =>
      inTurn(made.partition, async () => {
        const { partition, write, number, term } = made
        const state = stateOf(partition)
        if (term === state.term) {
          await replicate(partition, number)
          return first
        }
        if (term === state.term - 1 && number <= state.keptAtTerm) return first
        const answer = await noted(partition, write)
        failovers.again(partition)
        await replicate(partition, state.replicated + state.log.length)
        return answer
      }),
    failOver: (partition, at) =>
      inTurn(partition, async () => {
        const state = stateOf(partition)
        const lost = state.log.length
        const from = copies[partition]
        const to = records[partition]
        if (from === undefined || to === undefined) return 0
        Object.assign(state, { log: [], term: state.term + 1, keptAtTerm: state.replicated })
        beginEpoch(from, at)
        become(to, from)
        const epochs: number[] = master.info.epochs as number[]
        epochs[partition] = to.head.epoch
        return lost
      }),
  }
  return failovers
}

/** Makes the one hold what the other does. Records themselves are never changed: only what holds them is. */
export function become(to: Records, from: Records): void {
  for (const name of Object.keys(from) as (keyof Records)[]) {
    const [own, other] = [to[name], from[name]]
    if (own instanceof Map && other instanceof Map) {
      own.clear()
      for (const [key, value] of other as Map<unknown, unknown>)
        (own as Map<unknown, unknown>).set(key, value)
    } else if (own instanceof Set && other instanceof Set) {
      own.clear()
      for (const value of other) own.add(value)
    }
  }
  to.events.length = 0
  to.events.push(...from.events)
  to.groups.length = 0
  to.groups.push(...from.groups)
  to.head = from.head
  to.isSealed = from.isSealed
  to.lastOps.clear()
}

/** The next epoch of a partition; all that it lacks is lost. */
export function beginEpoch(records: Records, at: Instant): void {
  const { head } = records
  const epoch = head.epoch + 1
  const origin = {
    opId: opId(`epoch:${head.partition}:${epoch}`),
    actor: { kind: 'recovery', id: null },
    at,
  } as const
  const reason = `another server leads: lost is what was after ${head.epoch}/${head.seq}, if anything was`
  records.head = { ...head, epoch, seq: 0 }
  appendEvents(records, origin, [
    {
      runId: null,
      invocationId: null,
      cause: { kind: 'recovery', by: null, detail: null },
      body: { type: 'epoch.changed', from: head.epoch, to: epoch, reason },
    },
  ])
  records.lastOps.clear()
}
