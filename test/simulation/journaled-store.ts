/**
 * What a process makes of partitions in fast mode, with the journal of the store on Redis itself: it notes what it
 * wrote, meets each new epoch before it writes on, and brings back what was lost of its own. What is left when it dies,
 * the next process of its directory takes over.
 */

import type { SlotTake } from '../../src-engine/model/checkpoint.ts'
import type { OpId } from '../../src-engine/model/ids.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { Millis } from '../../src-engine/model/time.ts'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import type { ReplayReport } from '../../src-engine/store/redis/journal/journal-options.ts'
import { nothingClaimed } from '../../src-engine/store/redis/journal/store-journal.ts'
import { WriteJournal } from '../../src-engine/store/redis/journal/write-journal.ts'
import { partitionKeys } from '../../src-engine/store/redis/layout.ts'
import { createMeetings } from '../../src-engine/store/redis/meetings.ts'
import type { PartitionState } from '../../src-engine/store/redis/partition-state.ts'
import { newPartitionState, newSeenRooms } from '../../src-engine/store/redis/partition-state.ts'
import type { StoreInfo } from '../../src-engine/store/store.ts'
import type { RandomSource } from '../support/random-source.ts'
import type { Call } from './call.ts'
import type { FastPartitions, Sent } from './fast-partitions.ts'
import { createFastRouter } from './fast-router.ts'
import type { SimulatedProcess } from './world.ts'

export interface FastCluster {
  readonly server: FastPartitions
  /** Where processes keep their journals. */
  readonly directory: string
  /** What became of what was lost, by all of them. */
  readonly reports: ReplayReport[]
  /** Operations whose writers were told that they are written. */
  readonly acknowledged: Set<OpId>
}

export interface FastPlace {
  readonly cluster: FastCluster
  readonly process: SimulatedProcess
  readonly random: RandomSource
  readonly call: Call
}

/** A message of a new epoch takes less than that; one in three gets lost with the server that sent it. */
const newsMs: Millis = 500
/** Most writes are on the replica by then. */
const lagMs: Millis = 50

/** The partitions as their process sees them; `behind` does all that needs no journal. */
export function journaledPartitions(behind: RawStore, place: FastPlace): RawStore {
  const desk = new JournalDesk(place)
  const { server } = place.cluster
  return {
    ...behind,
    info: desk.info,
    commit: (partition, checkpoints) =>
      desk.send(partition, (epoch) => server.commit(partition, epoch, checkpoints)),
    fetch: async (request) => (desk.holds(request.partition) ? [] : behind.fetch(request)),
    claim: (request) =>
      desk.send(request.partition, async (epoch) =>
        desk.holds(request.partition) ? nothingDone : server.claim(request, epoch),
      ),
    confirmAll: (partition) => desk.confirm(partition),
    watchLosses: () => desk.watchLosses(),
    async takeSlots(partition, request) {
      const call = (raw: RawStore) => raw.takeSlots(partition, request)
      return desk.send(partition, async (epoch) => server.permits(partition, epoch, call), true)
    },
    async releaseSlots(partition, releases) {
      const call = (raw: RawStore) => raw.releaseSlots(partition, releases)
      await desk.send(partition, async (epoch) => server.permits(partition, epoch, call))
    },
  }
}

const nothingDone = { kind: 'done', seq: 0, answer: nothingClaimed, units: [] } as const

class JournalDesk {
  readonly info: StoreInfo
  readonly #place: FastPlace
  readonly #epochs: number[]
  readonly #states: readonly PartitionState[]
  readonly #journal: WriteJournal
  readonly #meetings = createMeetings<number>()
  /** Nothing is written before what was left behind is brought back. */
  readonly #opened: Promise<void>

  constructor(place: FastPlace) {
    this.#place = place
    const { cluster, process, random } = place
    const { server, directory, reports } = cluster
    const { info } = server.raw
    this.#epochs = info.partitions.map((partition) => server.epochOf(partition))
    this.info = { ...info, epochs: this.#epochs }
    const rooms = newSeenRooms()
    this.#states = this.#epochs.map((epoch, partition) =>
      newPartitionState(partitionKeys('simulated', partition), { epoch, seq: 0, rooms }),
    )
    const options = {
      directory,
      onReplayed: (report: ReplayReport) => reports.push(report),
      onTrouble(thrown: unknown) {
        throw thrown
      },
    }
    this.#journal = new WriteJournal({
      router: createFastRouter(server, place.call),
      clock: process.clock(),
      storeId: storeId('simulated'),
      writerId: `process-${process.pid}`,
      states: this.#states,
      options,
      persists: true,
    })
    this.#journal.meetAgain = (state) => void this.#look(state).catch(() => undefined)
    this.#journal.bringBackAgain = (state) => void this.#bringBackAll(state).catch(() => undefined)
    this.#journal.takeAgain = (home, takes) => this.#takeAgain(home, takes)
    process.endings.push(() => this.#journal.close())
    server.listeners.push((partition) => {
      if (random.chance(1 / 3)) return
      process.plan(random.below(newsMs), () => this.#journal.meetAgain(this.#at(partition)))
    })
    this.#opened = this.#adopt()
  }

  holds(partition: number): boolean {
    return this.#journal.holds(partition)
  }

  /** Resolves when whatever epoch is being met has been. */
  async #met(partition: number): Promise<void> {
    await this.#opened
    await this.#meetings.underWay(partition)
  }

  watchLosses(): () => Promise<boolean> {
    return this.#journal.watchLosses()
  }

  /** Resolves when what this process has lost is brought back. */
  async confirm(partition: number): Promise<void> {
    await this.#met(partition)
    await this.#look(this.#at(partition))
  }

  /** Who is `patient` waits for those who bring back what they had. */
  async send<Answer>(
    partition: number,
    write: (epoch: number) => Promise<Sent<Answer>>,
    patient = false,
  ): Promise<Answer> {
    const state = this.#at(partition)
    for (;;) {
      await this.#met(partition)
      if (patient) await this.#journal.free(partition)
      const { epoch } = state
      const { sent, isFound } = await this.#sent(partition, epoch, write)
      if (sent.kind === 'other') {
        await this.#meet(state, epoch)
        continue
      }
      const { seq, units } = sent
      const answers = units.map(() => (isFound ? foundAnswer : writtenAnswer))
      if (units.length > 0) this.#journal.note(state, { epoch, seq, units, answers })
      // Permits by themselves leave no name behind.
      for (const { opId, hashes, parts } of units)
        if (opId !== undefined && hashes.length + parts.length > 0) this.#place.cluster.acknowledged.add(opId)
      return sent.answer
    }
  }

  /** Where the answer is lost the same is sent again, and finds itself; nobody knows what came of it where that fails too. */
  async #sent<Answer>(
    partition: number,
    epoch: number,
    write: (epoch: number) => Promise<Sent<Answer>>,
  ): Promise<{ readonly sent: Sent<Answer>; readonly isFound: boolean }> {
    const { cluster, process, random, call } = this.#place
    const { server } = cluster
    const made: Sent<Answer>[] = []
    const first = async (): Promise<Sent<Answer>> => {
      const sent = await write(epoch)
      made.push(sent)
      const number = server.written(partition)
      const lag = random.chance(0.1) ? 20 * lagMs : lagMs
      process.world.at(process.world.now + random.below(lag), () => server.replicate(partition, number))
      return sent
    }
    try {
      return { sent: await call(true, first), isFound: false }
    } catch (thrown) {
      const [sent] = made
      if (sent === undefined) throw thrown
      const again = async () => (server.epochOf(partition) === epoch ? sent : otherEpoch)
      return { sent: await call(false, again), isFound: true }
    }
  }

  /** Goes on with what processes left behind that are gone. */
  async #adopt(): Promise<void> {
    const states = this.#journal.adopt().map((partition) => this.#at(partition))
    await Promise.allSettled(states.map((state) => this.#bringBackAll(state)))
  }

  async #look(state: PartitionState): Promise<void> {
    const { cluster, call } = this.#place
    const { epoch } = state
    const found = await call(false, async () => cluster.server.epochOf(state.keys.partition))
    if (found !== epoch) await this.#meet(state, epoch)
  }

  /** What several calls meet at the same time is met once. */
  #meet(state: PartitionState, epoch: number): Promise<void> {
    const { partition } = state.keys
    if (state.epoch !== epoch) return Promise.resolve()
    return this.#meetings.meet(partition, () => this.#meetAll(state))
  }

  async #meetAll(state: PartitionState): Promise<void> {
    const { cluster, call } = this.#place
    const { partition } = state.keys
    for (let isOther = true; isOther; isOther = await this.#bringBack(state)) {
      state.epoch = await call(false, async () => cluster.server.epochOf(partition))
      this.#epochs[partition] = state.epoch
    }
  }

  #bringBackAll(state: PartitionState): Promise<void> {
    const { epoch } = state
    return this.#meetings.meetAfter(state.keys.partition, async () => {
      if (state.epoch === epoch && (await this.#bringBack(state))) await this.#meetAll(state)
    })
  }

  /** Whether it met another epoch. */
  async #bringBack(state: PartitionState): Promise<boolean> {
    const { cluster, call } = this.#place
    const { partition } = state.keys
    let isOther = false
    await this.#journal.bringBack(state, async (units) => {
      const { epoch } = state
      const sent = await call(true, () => cluster.server.write(partition, epoch, units))
      isOther ||= sent.kind === 'other'
      return sent.kind === 'other' ? sent : { kind: 'done', seq: sent.seq, answers: sent.answer }
    })
    return isOther
  }

  /** Another epoch at home is met by whoever writes there next. */
  async #takeAgain(home: PartitionState, takes: readonly SlotTake[]): Promise<boolean> {
    const { cluster, process, call } = this.#place
    const { partition } = home.keys
    const { epoch } = home
    const request = { takes, at: process.clock().now() }
    const take = () => cluster.server.permits(partition, epoch, (raw) => raw.takeSlots(partition, request))
    const sent = await call(true, take)
    if (sent.kind === 'other' || sent.answer.kind === 'slot-taken') return false
    const { seq, units, answer } = sent
    this.#journal.note(home, { epoch, seq, units, answers: units.map(() => writtenAnswer) })
    cluster.server.noteTakenAgain(answer.fresh)
    return true
  }

  #at(partition: number): PartitionState {
    const state = this.#states[partition]
    if (state === undefined) throw new RangeError(`there is no partition ${partition}`)
    return state
  }
}

const otherEpoch = { kind: 'other' } as const
const writtenAnswer = { kind: 'written', fresh: [] } as const
const foundAnswer = { kind: 'there' } as const
