/**
 * What a store does with its journal: it notes each operation that was written, and when another server has begun to
 * lead it brings back those of its own that were lost, before anything new is written there. What builds on others'
 * lost operations waits for them a while; claims wait a moment, so that nobody begins what somebody had done.
 */

import { hostname } from 'node:os'
import type { SlotTake } from '../../../model/checkpoint.ts'
import { unpackHead } from '../../../model/event-codec.ts'
import type { StoreId } from '../../../model/ids.ts'
import { runId as asRunId } from '../../../model/ids.ts'
import { partitionOf } from '../../../model/partition.ts'
import type { Instant, Millis } from '../../../model/time.ts'
import { knowsOp } from '../find-op.ts'
import { layoutFormat } from '../layout.ts'
import type { PartitionState } from '../partition-state.ts'
import type { RedisClock } from '../redis-options.ts'
import type { Router } from '../router.ts'
import type { Unit, UnitAnswer } from '../unit.ts'
import { isLostBy, mayBeLostBy, readBoundaries } from './boundaries.ts'
import type { JournalEntry, Place } from './entry.ts'
import type { JournalFile } from './journal-file.ts'
import { createJournalFile } from './journal-file.ts'
import type { JournalOptions, ReplayReport } from './journal-options.ts'
import { lateTakes, takenAgain } from './late-takes.ts'
import { OpJournal } from './op-journal.ts'
import { readOrphans } from './orphans.ts'
import type { Replay, ReplayTarget } from './replay.ts'
import { giveUpRest, newReplay, noteTold, tryReplay } from './replay.ts'
import type { ReplicaMarks } from './replica-marks.ts'
import { createReplicaMarks } from './replica-marks.ts'

/** How long claims of a partition wait after another server has begun to lead it. */
const holdMsDefault: Millis = 1_000
/** How long an operation waits for those that it builds on. */
const patienceMsDefault: Millis = 10_000
const firstPauseMs: Millis = 50
const pauseMs: Millis = 250

/** How long somebody waits for replicas that may be away. */
const replicasPatienceMs: Millis = 10_000

/** Writes units of a partition, whatever is in the journal. */
export type WriteUnits = ReplayTarget['write']

/** What one call of the script wrote. */
interface WroteUnits {
  readonly epoch: number
  /** The newest event after it. */
  readonly seq: number
  readonly units: readonly Unit[]
  readonly answers: readonly UnitAnswer[]
}

interface WriteJournalParts {
  readonly router: Router
  readonly clock: RedisClock
  readonly storeId: StoreId
  readonly writerId: string
  readonly states: readonly PartitionState[]
  /** `directory` is the store's own. */
  readonly options: JournalOptions
  /** Whether it is written to a file; where a replica has it before it counts it needn't be. */
  readonly persists: boolean
}

/** While claims of a partition wait. */
interface Hold {
  readonly over: Promise<void>
  readonly end: () => void
}

/** Operations of one partition that are being brought back. */
interface Bout {
  readonly state: PartitionState
  readonly write: WriteUnits
  readonly begunAt: Instant
  readonly epoch: number
  /** Null until it is known what was lost. */
  replay: Replay | null
  lost: number
  isCut: boolean
  failed: boolean
}

export class WriteJournal {
  readonly #parts: WriteJournalParts
  readonly #file: JournalFile | null
  readonly #journal: OpJournal
  readonly #marks: ReplicaMarks
  /** Partitions whose claims wait. */
  readonly #holds = new Map<number, Hold>()
  /** The newest of each partition; those before it end. */
  readonly #bouts = new Map<number, Bout>()
  readonly #cancels = new Map<number, () => void>()
  /** Those who wait for replicas. */
  readonly #patient = new Set<() => void>()
  #closed = false
  /** Has the partition's epoch looked at again; set once there is somebody who does it. */
  meetAgain: (state: PartitionState) => void = () => undefined
  /** Has what is lost brought back in the epoch that is known; set like the other. */
  bringBackAgain: (state: PartitionState) => void = () => undefined
  /** Takes permits at their home for holders elsewhere, without waiting for what is brought back there; set like the others. */
  takeAgain: (home: PartitionState, takes: readonly SlotTake[]) => Promise<boolean> = async () => true

  constructor(parts: WriteJournalParts) {
    this.#parts = parts
    const { router, clock, states, options, storeId, writerId } = parts
    const { directory, onTrouble } = options
    const header = {
      journal: 1,
      form: layoutFormat,
      storeId,
      writerId,
      host: hostname(),
      pid: process.pid,
    } as const
    const isKept = directory !== null && parts.persists
    this.#file = isKept ? createJournalFile({ directory, header, onTrouble }) : null
    this.#journal = new OpJournal(this.#file, options.bounds)
    const keysOf = (partition: number) => {
      const state = states[partition]
      if (state === undefined) throw new RangeError(`there is no partition ${partition}`)
      return state.keys
    }
    // A message that tells of an epoch may get lost with the server that sent it.
    const onEpoch = (partition: number, epoch: number): void => {
      const state = states[partition]
      if (state !== undefined && epoch > state.epoch) this.meetAgain(state)
    }
    this.#marks = createReplicaMarks({ router, clock, journal: this.#journal, keysOf, onEpoch })
  }

  /** Notes what may be lost until replicas have it; before its author is told that it is written. */
  note(state: PartitionState, { epoch, seq: end, units, answers }: WroteUnits): void {
    const { partition } = state.keys
    let seq = end
    for (const [index, unit] of units.entries()) if (isWritten(answers[index])) seq -= countOf(unit)
    const at = this.#parts.clock.now()
    for (const [index, unit] of units.entries()) {
      const { opId } = unit
      const kind = answers[index]?.kind
      if (kind === 'written') seq += countOf(unit)
      // What was sent again and found itself is somewhere before the end: where exactly nobody tells.
      const place = { epoch, seq: kind === 'there' ? end : seq }
      if (opId !== undefined && (kind === 'written' || kind === 'there')) {
        this.#journal.note(partition, { opId, unit, place, at })
      }
    }
    this.#journal.flush()
    this.#marks.wake()
    // A server that didn't know yet that another one leads has answered: what it took may be lost already.
    if (epoch < state.epoch) this.bringBackAgain(state)
  }

  /**
   * From now on: what is asked for later resolves once replicas have all that was written by then, with whether nothing of this
   * process was lost for good meanwhile. A replica that is away is waited for only so long.
   */
  watchLosses(): () => Promise<boolean> {
    const before = this.#journal.givenUp
    return async () => {
      const { clock } = this.#parts
      const patience = Promise.withResolvers<void>()
      const cancel = clock.after(replicasPatienceMs, patience.resolve)
      this.#patient.add(patience.resolve)
      await Promise.race([this.#journal.left(), patience.promise])
      cancel()
      this.#patient.delete(patience.resolve)
      return this.#journal.givenUp === before
    }
  }

  /** Whether claims wait, for others may be about to bring back what they had claimed or done. */
  holds(partition: number): boolean {
    return this.#holds.has(partition)
  }

  /** Resolves when nobody has to wait there any more. */
  async free(partition: number): Promise<void> {
    for (let hold = this.#holds.get(partition); hold !== undefined; hold = this.#holds.get(partition)) {
      await hold.over
    }
  }

  /** Takes over what processes left behind that are gone; tells in which partitions they wrote. */
  adopt(): readonly number[] {
    const { options, storeId, states } = this.#parts
    if (options.directory === null) return []
    const { noted, damaged, foreign, forget } = readOrphans(options.directory, storeId)
    const partitions = new Set<number>()
    for (const { partition, ...entry } of noted) {
      if (states[partition] === undefined) continue
      partitions.add(partition)
      this.#journal.note(partition, entry)
    }
    this.#journal.flush()
    forget()
    this.#marks.wake()
    if (damaged > 0 || foreign.length > 0) options.onDamage?.({ damaged, foreign })
    return [...partitions]
  }

  /** Brings back what was lost; what waits for others goes on by itself. Resolves with what it met. */
  async bringBack(state: PartitionState, write: WriteUnits): Promise<'done' | 'other'> {
    const { clock, options } = this.#parts
    const { partition } = state.keys
    const { holdMs = holdMsDefault } = options
    const begunAt = clock.now()
    this.#hold(partition, holdMs)
    this.#cancels.get(partition)?.()
    const { epoch } = state
    const bout: Bout = {
      state,
      write,
      begunAt,
      epoch,
      replay: null,
      lost: 0,
      isCut: false,
      failed: false,
    }
    this.#bouts.set(partition, bout)
    for (let tries = 0; ; tries += 1) {
      const turn = await this.#turn(bout)
      if (turn !== 'open') return turn
      if (tries * firstPauseMs >= holdMs || this.#closed) break
      await new Promise<void>((resolve) => clock.after(firstPauseMs, resolve))
    }
    this.#goOn(bout)
    return 'done'
  }

  close(): void {
    this.#closed = true
    this.#marks.stop()
    for (const stop of this.#patient) stop()
    for (const { end } of this.#holds.values()) end()
    for (const cancel of this.#cancels.values()) cancel()
    this.#file?.close()
  }

  /** For so long, whatever happens to the wall clock. */
  #hold(partition: number, holdMs: Millis): void {
    this.#holds.get(partition)?.end()
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const end = (): void => {
      cancel()
      this.#holds.delete(partition)
      resolve()
    }
    const cancel = this.#parts.clock.after(holdMs, end)
    this.#holds.set(partition, { over, end })
  }

  /** In the background, until nothing waits any more or patience ends. */
  #goOn(bout: Bout): void {
    const { clock, options } = this.#parts
    const { partition } = bout.state.keys
    const { patienceMs = patienceMsDefault } = options
    let tries = 0
    const again = async (): Promise<void> => {
      this.#cancels.delete(partition)
      if (this.#closed) return
      tries += 1
      const turn = await this.#turn(bout)
      if (turn === 'other') this.meetAgain(bout.state)
      if (turn !== 'open' || this.#closed) return
      if (tries * pauseMs < patienceMs) wait()
      else this.#end(bout, bout.failed ? 'unreadable' : 'unfounded')
    }
    const wait = (): void => {
      this.#cancels.set(
        partition,
        clock.after(pauseMs, () => void again()),
      )
    }
    wait()
  }

  async #turn(bout: Bout): Promise<'done' | 'other' | 'open'> {
    const { state } = bout
    // Whoever met yet another epoch, or a late answer, has begun anew.
    if (state.epoch !== bout.epoch || this.#bouts.get(state.keys.partition) !== bout) return 'done'
    try {
      bout.replay ??= await this.#judge(bout)
      const tried = await tryReplay(this.#targetOf(bout), this.#journal, bout.replay)
      bout.failed = false
      if (tried === 'other') {
        this.#report(bout)
        return 'other'
      }
    } catch {
      // Whatever it was, it is tried again.
      bout.failed = true
      return this.#closed ? 'done' : 'open'
    }
    if (bout.replay.waiting.length > 0) return 'open'
    this.#report(bout)
    return 'done'
  }

  async #judge(bout: Bout): Promise<Replay> {
    const { keys } = bout.state
    const boundaries = await readBoundaries(this.#parts.router, keys)
    const cutAt = this.#journal.cutAt(keys.partition)
    bout.isCut = cutAt !== null && isLostBy(boundaries, cutAt)
    const isLost = ({ unit, place }: { readonly unit: Unit; readonly place: Place }): boolean =>
      countOf(unit) > 0 ? isLostBy(boundaries, place) : mayBeLostBy(boundaries, place)
    const lost = this.#journal.entriesOf(keys.partition).filter(isLost)
    bout.lost = lost.length
    return newReplay(lost)
  }

  #targetOf({ state, write, epoch }: Bout): ReplayTarget {
    const { router, clock } = this.#parts
    const { keys } = state
    return {
      epoch,
      write,
      token: async (key, field) => {
        const found = await router.ask(keys.slot, ['HGET', key, field])
        return typeof found === 'string' ? found : ''
      },
      isThere: ({ opId, unit }: JournalEntry) => {
        const part = unit.parts.find((one) => one.runId !== '')
        if (part === undefined) return knowsOp(router, state, { opId, runId: null })
        // Another process may have been asked for the same since: that one's is not this one, whose steps may have begun.
        const { actor } = unpackHead(part.text, asRunId(part.runId))
        return knowsOp(router, state, { opId, runId: part.runId, by: actor })
      },
      lateTakes: (entry, waiting) =>
        lateTakes(entry, waiting, { now: clock.now(), homeOf: (key) => this.#homeOf(key) }),
      takeAgain: (entry, takes) => this.#takeAgain(takenAgain(takes, entry.unit)),
    }
  }

  #homeOf(key: string): number {
    return partitionOf(asRunId(key), this.#parts.states.length)
  }

  /** What is taken before another home refuses is left to a repair. */
  async #takeAgain(takes: readonly SlotTake[]): Promise<boolean> {
    for (const [home, own] of Map.groupBy(takes, ({ key }) => this.#homeOf(key))) {
      const state = this.#parts.states[home]
      if (state !== undefined && !(await this.takeAgain(state, own))) return false
    }
    return true
  }

  #end(bout: Bout, why: 'unfounded' | 'unreadable'): void {
    if (bout.replay !== null) giveUpRest(this.#journal, bout.replay, why)
    this.#report(bout)
  }

  #report({ state, replay, epoch, lost, isCut, begunAt }: Bout): void {
    if (replay === null || (lost === 0 && !isCut)) return
    const { broughtBack, there, gone } = replay
    const report: ReplayReport = {
      storeId: this.#parts.storeId,
      partition: state.keys.partition,
      epoch,
      lost,
      broughtBack,
      there,
      gone,
      isCut,
      tookMs: this.#parts.clock.now() - begunAt,
    }
    this.#parts.options.onReplayed(report)
    // Not before: a process that dies meanwhile leaves it to the next one, and a new epoch to the next replay.
    noteTold(this.#journal, replay)
  }
}

const isWritten = (answer: UnitAnswer | undefined): boolean => answer?.kind === 'written'

const countOf = ({ parts }: Unit): number => {
  let count = 0
  for (const part of parts) count += part.count
  return count
}
