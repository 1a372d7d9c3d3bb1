/**
 * Partitions with a replica each, as a cluster in its fast mode: a write counts when the master has it, and its replica
 * gets it a moment later. A failover takes back what the replica has not, though its writer was answered. Records have
 * the tokens that the store on Redis gives them, so that a lost operation can be written again where it fits.
 */

import type { Checkpoint, CommitAnswer, SlotTake } from '../../src-engine/model/checkpoint.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import { opId, runIdOf } from '../../src-engine/model/ids.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import type { EventOrigin } from '../../src-engine/store/event-chain.ts'
import { createMemoryStore } from '../../src-engine/store/memory/memory-store.ts'
import type { RawStore, TakeAnswer } from '../../src-engine/store/raw-store.ts'
import { packParts } from '../../src-engine/store/redis/checkpoint-unit.ts'
import { boundaryField } from '../../src-engine/store/redis/journal/boundaries.ts'
import { keyNames, runFields } from '../../src-engine/store/redis/layout.ts'
import type { Check, HashPart, Unit, UnitAnswer } from '../../src-engine/store/redis/unit.ts'
import { checksOf, emptyUnit } from '../../src-engine/store/redis/unit.ts'
import type { ClaimAnswer, ClaimRequest } from '../../src-engine/store/store.ts'
import { writtenOnce } from '../support/read-events.ts'
import { become, beginEpoch } from './failovers.ts'
import type { FastPartition, Logged } from './fast-records.ts'
import {
  begunBy,
  fits,
  fullKey,
  keepTokens,
  newPartition,
  noOrigin,
  partsOfClaim,
  placeOf,
  placesLostBy,
  renewedBy,
  slotsOf,
  takenAlone,
  toldOf,
  writtenBy,
} from './fast-records.ts'
import { LostPlaces } from './lost-places.ts'
import type { Change } from './noted-records.ts'
import { applyChange } from './noted-records.ts'

/** What came of a write. */
export type Sent<Answer> =
  /** Another epoch has begun: nothing was done. */
  | { readonly kind: 'other' }
  /** Where the feed ended then, and what is to be noted of it. */
  | { readonly kind: 'done'; readonly seq: number; readonly answer: Answer; readonly units: readonly Unit[] }

/** What only looks at a record of another key. */
interface Looked extends Check {
  readonly key: string
}

export class FastPartitions {
  /** What the masters hold, without a journal. */
  readonly raw: RawStore
  /** Called after each write of events. */
  onWritten: (partition: number) => void = () => undefined
  /** Who hears that another server leads a partition. */
  readonly listeners: ((partition: number) => void)[] = []
  readonly #partitions: readonly FastPartition[]
  readonly #master: RawStore
  /** By the tag of the unit that stands for it. */
  readonly #changes = new Map<string, Change>()
  /** In which order operations were acknowledged first, whatever became of them. */
  readonly first = new Map<string, number>()
  /** Whose permits, taken at the key's home for holders elsewhere, a failover took back: until they are brought back nobody counts them. */
  readonly lostTakes = new Set<string>()
  /** Steps whose renewals a failover took back. */
  readonly lostRenewals = new Set<string>()
  /** Runs whose beginning a failover took back, whether it came back or not. */
  readonly lostStarts = new Set<string>()
  /** Runs whose permit was free when they came back: they, and what builds on that, count from then on. */
  readonly #cameLate = new Set<string>()
  readonly #lostPlaces = new LostPlaces()
  readonly #calls = new Map<string, (master: RawStore) => Promise<unknown>>()
  #tags = 0
  #acknowledged = 0

  constructor(count: number) {
    this.#partitions = Array.from({ length: count }, (_, index) => newPartition(index))
    const records = this.#partitions.map(({ master }) => master.records)
    this.#master = createMemoryStore({ records })
    const noted = <Answer>(partition: number, write: () => Promise<Answer>) => this.#noted(partition, write)
    const master = this.#master
    this.raw = {
      ...master,
      commit: (partition, checkpoints) => this.#commitAtOnce(partition, checkpoints),
      renew: (request) => noted(request.partition, () => master.renew(request)),
      prune: (request) => noted(request.partition, () => master.prune(request)),
    }
  }

  at(partition: number): FastPartition {
    const found = this.#partitions[partition]
    if (found === undefined) throw new RangeError(`there is no partition ${partition}`)
    return found
  }

  epochOf(partition: number): number {
    return this.at(partition).master.records.head.epoch
  }

  /** Of those who know the epoch; others have to meet it first. */
  async commit(
    partition: number,
    epoch: number,
    checkpoints: readonly Checkpoint[],
  ): Promise<Sent<readonly CommitAnswer[]>> {
    if (this.epochOf(partition) !== epoch) return { kind: 'other' }
    const units: Unit[] = []
    const answers: CommitAnswer[] = []
    for (const checkpoint of checkpoints) {
      const looked = this.#lookedAt(partition, checkpoint)
      const { answer, change } = this.#during(partition, () => this.#master.commit(partition, [checkpoint]))
      if (change.opIds.length > 0) units.push(this.#write(partition, change, { looked, origin: checkpoint }))
      answers.push(...(await answer))
    }
    return { kind: 'done', seq: this.#seqOf(partition), answer: answers, units }
  }

  async claim(request: ClaimRequest, epoch: number): Promise<Sent<ClaimAnswer>> {
    const { partition } = request
    if (this.epochOf(partition) !== epoch) return { kind: 'other' }
    const { answer, change } = this.#during(partition, () => this.#master.claim(request))
    const units = partsOfClaim(change).map((part) => {
      const { invocationId } = part.told[0]?.drafts[0] ?? {}
      const run = runIdOf(invocationId as InvocationId)
      const { status } = this.at(partition).master.records.runs.get(run) ?? {}
      const key = this.at(partition).state.keys.run(run)
      const looked = [{ key, field: runFields.token, believed: `~${status}` }]
      return this.#write(partition, part, { looked, origin: part.told[0]?.origin ?? noOrigin })
    })
    return { kind: 'done', seq: this.#seqOf(partition), answer: await answer, units }
  }

  /** Takes permits, or gives some back, for holders elsewhere. */
  async permits<Answer>(
    partition: number,
    epoch: number,
    call: (raw: RawStore) => Promise<Answer>,
  ): Promise<Sent<Answer>> {
    if (this.epochOf(partition) !== epoch) return { kind: 'other' }
    const { answer, change } = this.#during(partition, () => call(this.#master))
    this.#tags += 1
    const tag = `t${this.#tags}`
    this.#log(partition, { change, tokens: [] })
    this.#lostPlaces.note(slotsOf(change).takes)
    this.#calls.set(tag, (master) => call(master))
    const unit = { ...emptyUnit, opId: opId(`permits:${tag}`), tag }
    const came = await answer
    // What found no room wrote nothing, and there is nothing to bring back.
    const isRefused = (came as TakeAnswer | undefined)?.kind === 'slot-taken'
    return { kind: 'done', seq: this.#seqOf(partition), answer: came, units: isRefused ? [] : [unit] }
  }

  /** Nobody had these permits when their holders came back: a repair had given them back, or a failover taken them back. */
  noteTakenAgain(fresh: readonly SlotTake[]): void {
    for (const { holder } of fresh) this.#cameLate.add(runIdOf(holder as InvocationId))
  }

  /** Writes units again, each where everything is as it was when it was written first. */
  async write(
    partition: number,
    epoch: number,
    units: readonly Unit[],
  ): Promise<Sent<readonly UnitAnswer[]>> {
    if (this.epochOf(partition) !== epoch) return { kind: 'other' }
    const answer: UnitAnswer[] = []
    for (const unit of units) answer.push(await this.#writeAgain(partition, unit))
    return { kind: 'done', seq: this.#seqOf(partition), answer, units }
  }

  token(partition: number, key: string, field: string): string {
    return this.at(partition).tokens.get(placeOf(key, field)) ?? ''
  }

  /** Its replica gets nothing more until it leads. */
  stall(partition: number): void {
    this.at(partition).isStalled = true
  }

  /** The replica gets the writes up to that number. */
  replicate(partition: number, number: number): void {
    const own = this.at(partition)
    while (!own.isStalled && own.replicated < number && own.log.length > 0) {
      const [logged] = own.log
      own.log = own.log.slice(1)
      own.replicated += 1
      if (logged === undefined) return
      applyChange(own.replica, logged.change)
      keepTokens(own.replicaTokens, logged)
    }
  }

  /** How many writes there were. */
  written(partition: number): number {
    const { replicated, log } = this.at(partition)
    return replicated + log.length
  }

  /** How many of them the server says that its replica has. */
  replicatedOf(partition: number): number {
    return this.at(partition).replicated
  }

  /** How many of them the replica has not. */
  behind(partition: number): number {
    return this.at(partition).log.length
  }

  /** Who wrote what the replica has not. */
  authorsOf(partition: number): readonly string[] {
    return this.at(partition).log.flatMap(({ change }) =>
      change.told.flatMap(({ origin }) => origin.actor.id ?? []),
    )
  }

  /** The replica leads from now on; gives how many writes are lost. */
  failOver(partition: number, at: Instant): number {
    const own = this.at(partition)
    const { head } = own.replica
    const lost = own.log.length
    const changes = own.log.map(({ change }) => change)
    for (const holder of changes.flatMap(takenAlone)) this.lostTakes.add(holder)
    this.#lostPlaces.lose(placesLostBy(changes))
    for (const id of changes.flatMap(renewedBy)) this.lostRenewals.add(id)
    for (const id of changes.flatMap(begunBy)) this.lostStarts.add(id)
    own.log = []
    own.isStalled = false
    own.term += 1
    beginEpoch(own.replica, at)
    become(own.master.records, own.replica)
    own.tokens = new Map(own.replicaTokens)
    own.boundaries.set(boundaryField(head.epoch + 1), `${head.epoch}-${head.seq}`)
    own.state.epoch = head.epoch + 1
    const epochs: number[] = this.raw.info.epochs as number[]
    epochs[partition] = own.state.epoch
    for (const hear of this.listeners) hear(partition)
    return lost
  }

  /** Of somebody who keeps no journal: the replica has it at once. */
  async #commitAtOnce(
    partition: number,
    checkpoints: readonly Checkpoint[],
  ): Promise<readonly CommitAnswer[]> {
    const sent = await this.commit(partition, this.epochOf(partition), checkpoints)
    this.replicate(partition, this.written(partition))
    return sent.kind === 'done' ? sent.answer : []
  }

  /** Whether everything is as the unit believes. */
  protected fitsNow(partition: number, unit: Unit): boolean {
    return [...checksOf(unit)].every(({ key, field, believed }) =>
      fits(believed, this.token(partition, key, field)),
    )
  }

  #seqOf(partition: number): number {
    return this.at(partition).master.records.head.seq
  }

  #during<Answer>(partition: number, write: () => Answer) {
    return this.at(partition).master.during(write)
  }

  /** Replicated like all others; nobody notes it. */
  #noted<Answer>(partition: number, write: () => Promise<Answer>): Promise<Answer> {
    const { answer, change } = this.#during(partition, write)
    this.at(partition).log.push({ change, tokens: [] })
    return answer
  }

  #lookedAt(partition: number, { expect }: Checkpoint): readonly Looked[] {
    const { keys } = this.at(partition).state
    const places = [
      ...(expect.run === undefined ? [] : [{ key: keys.run(expect.run.id), field: runFields.token }]),
      ...expect.invocations.map(({ id }) => {
        return { key: keys.run(runIdOf(id)), field: runFields.invocationToken(id) }
      }),
      ...expect.registers.map(({ key }) => ({ key: keys.of(keyNames.registerTokens), field: key })),
    ]
    return places.map(({ key, field }) => ({ key, field, believed: this.token(partition, key, field) }))
  }

  /** Gives a write that was made its tokens, and makes the unit that it can be made again from. */
  #write(
    partition: number,
    change: Change,
    { looked, origin }: { readonly looked: readonly Looked[]; readonly origin: EventOrigin },
  ): Unit {
    const own = this.at(partition)
    this.#tags += 1
    const tag = `t${this.#tags}`
    const written = change.puts.flatMap((put) => writtenBy(own.state, put, tag))
    const hashes = new Map<string, HashPart>()
    const hashOf = (key: string): HashPart => {
      const known = hashes.get(key) ?? { key, written: [], looked: [], placed: [], sets: [] }
      hashes.set(key, known)
      return known
    }
    for (const { key, field, token } of written) {
      const believed = this.token(partition, key, field)
      // What went leaves nothing to find.
      if (token === '') hashOf(key).looked.push({ field, believed })
      else hashOf(key).written.push({ field, believed, token })
    }
    for (const { key, field, believed } of looked)
      if (!written.some((one) => one.key === key && one.field === field))
        hashOf(key).looked.push({ field, believed })
    const tokens = written.map(({ key, field, token }) => [placeOf(key, field), token] as const)
    this.#log(partition, { change, tokens })
    this.#lostPlaces.note(slotsOf(change).takes)
    this.#changes.set(tag, change)
    const { opId, at } = origin
    for (const told of change.told) this.#noteFirst(writtenOnce(told.origin))
    const parts = change.told.flatMap(({ origin: of, drafts }) => packParts(own.state, of, drafts))
    return { ...emptyUnit, opId, tag, at, hashes: [...hashes.values()], parts, ...slotsOf(change) }
  }

  #noteFirst(name: string, isAnew = false): void {
    if (this.first.has(name) && !isAnew) return
    this.#acknowledged += 1
    this.first.set(name, this.#acknowledged)
  }

  #log(partition: number, logged: Logged): void {
    const own = this.at(partition)
    keepTokens(own.tokens, logged)
    own.log.push(logged)
    this.onWritten(partition)
  }

  async #writeAgain(partition: number, unit: Unit): Promise<UnitAnswer> {
    const call = this.#calls.get(unit.tag)
    if (call !== undefined) {
      const { answer, change } = this.#during(partition, () => call(this.#master))
      this.#log(partition, { change, tokens: [] })
      const taken = (await answer) as TakeAnswer | undefined
      return taken?.kind === 'slot-taken' ? { ...taken, kind: 'no-room' } : { kind: 'written', fresh: [] }
    }
    const own = this.at(partition)
    const checks = [...checksOf(unit)]
    const mine = checks.filter(({ written }) => written !== '')
    const isThere = mine.every(({ key, field, written }) => this.token(partition, key, field) === written)
    if (mine.length > 0 && isThere) return { kind: 'there' }
    if (!this.fitsNow(partition, unit)) return { kind: 'differs' }
    const first = this.#changes.get(unit.tag)
    if (first === undefined) throw new RangeError(`nobody wrote ${unit.tag}`)
    const full = fullKey(own.master.records, first, unit.at)
    if (full !== null) return { kind: 'no-room', key: full, holders: [] }
    const change = { ...first, told: toldOf(unit, own.state.epoch) }
    // Others had its place, by right, and have given it back.
    this.noteTakenAgain(slotsOf(change).takes.filter((take) => this.#lostPlaces.comesLate(take)))
    const tokens = mine.map(({ key, field, written }) => [placeOf(key, field), written] as const)
    applyChange(own.master.records, change)
    this.#log(partition, { change, tokens })
    for (const { origin, drafts } of change.told)
      if (drafts.some(({ runId }) => runId !== null && this.#cameLate.has(runId)))
        this.#noteFirst(writtenOnce(origin), true)
    return { kind: 'written', fresh: [] }
  }
}
