/**
 * A stream that is read over one connection: each entry starts a run, or is said why not, in a checkpoint that also
 * moves the head of the stream. Only after that the group is told. What was read is good only as long as nobody else
 * moves the head: then all of it is forgotten, and read again.
 */

import type { Clock } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import type { RedisStreamParameters } from '../../triggers/redis-stream/spec.ts'
import type { StreamEntry } from '../../triggers/redis-stream/stream-entry.ts'
import { fire, skipFiring } from '../triggers/fire.ts'
import type { Fired, FireParts, ToFire } from '../triggers/start-firing.ts'
import { runOfRequest } from '../triggers/start-firing.ts'
import type { GuardedWrite, StoredTrigger } from '../triggers/trigger-registers.ts'
import { writeRegisters } from '../triggers/trigger-registers.ts'
import type { NoStart } from '../triggers/wanted-start.ts'
import type { StreamConnection } from './stream-access.ts'
import type { OpenEntries, StreamHead, StreamState } from './stream-head.ts'
import { headWrite, streamNameOf } from './stream-head.ts'
import type { TakenEntry } from './stream-intake.ts'
import { batchInput, batchRoom, isTogether, singleInput, takeEntry, togetherMs } from './stream-intake.ts'

export interface StreamSessionParts extends FireParts {
  readonly clock: Clock
}

/** Somebody else has moved the head: what was read may be theirs. */
export class HeadMovedError extends Error {
  override readonly name = 'HeadMovedError'
}

export interface SessionStart {
  readonly name: TriggerName
  readonly connection: StreamConnection
  readonly parameters: RedisStreamParameters
  /** Looked at before anything is read. */
  readonly head: StreamHead
  readonly signal: AbortSignal
}

/** How long nothing may be asked: whether the trigger is still on, and what became of its runs. */
const lookMs: Millis = 5 * second
/** The same, while runs are to succeed before their entries are acknowledged. */
const waitingLookMs: Millis = second
/** In one go. */
const entriesMax = 100
/** Between looks at what others left. */
const claimEveryMs: Millis = 10 * second
/** Between looks at what was handed out and isn't decided. */
const takeUpEveryMs: Millis = 30 * second
const beginning = '0-0'

export class StreamSession {
  readonly #parts: StreamSessionParts
  readonly #given: SessionStart
  readonly #of: string
  #head: StreamHead
  /** Handed out before, or by others: comes before what is new. */
  readonly #backlog: StreamEntry[] = []
  /** In order of their coming. */
  #gathered: TakenEntry[] = []
  /** By the clock that never jumps. */
  #gatheredSince: Millis = 0
  /** The first ids of those of which the group was told: they go with the next move of the head. */
  readonly #told = new Set<string>()
  #claimAt: Millis
  #claimFrom = beginning
  #settleAt: Millis
  #takeUpAt: Millis

  private constructor(parts: StreamSessionParts, given: SessionStart) {
    this.#parts = parts
    this.#given = given
    this.#head = given.head
    this.#of = streamNameOf(given.parameters)
    this.#claimAt = parts.clock.monotonic()
    this.#settleAt = this.#claimAt
    this.#takeUpAt = this.#claimAt
  }

  /** Tells the group what is decided already, and takes up what it had handed out before. */
  static async begin(parts: StreamSessionParts, given: SessionStart): Promise<StreamSession> {
    const session = new StreamSession(parts, given)
    const { connection, parameters } = given
    if (parameters.create) await connection.makeGroup(parameters.startAt)
    await session.#settle()
    await session.#takeUp()
    return session
  }

  /** Whether as many entries as may be are taken and not acknowledged. */
  get isFull(): boolean {
    return this.#room() <= 0 && this.#gathered.length === 0
  }

  /** Reads once, and decides what came. Throws `HeadMovedError`, and what the server refuses. */
  async turn(trigger: StoredTrigger): Promise<void> {
    await this.#settle()
    if (this.#parts.clock.monotonic() >= this.#takeUpAt) await this.#takeUp()
    await this.#claim()
    const entries = await this.#next()
    for (const entry of entries) {
      this.#given.signal.throwIfAborted()
      await this.#take(trigger, entry)
    }
    if (this.#isDue()) await this.#startGathered(trigger)
    if (entries.length === 0) await this.#flush()
  }

  /** Writes what is known of it beside its entries. */
  async note(change: Pick<StreamState, 'problem'>): Promise<void> {
    await this.#move({ ...this.#remaining(), ...change })
  }

  /** Those of this stream that the group wasn't told of. */
  #open(): readonly OpenEntries[] {
    return this.#head.state.open.filter(({ of, ids }) => of === this.#of && !this.#told.has(ids[0] ?? ''))
  }

  /** What needn't wait, or has nothing to wait for any more: its run succeeded, or nobody knows of it. */
  async #settle(): Promise<void> {
    const now = this.#parts.clock.monotonic()
    if (now < this.#settleAt) return
    this.#settleAt = now + waitingLookMs
    for (const open of this.#open()) {
      const { runId } = open
      const run =
        runId === null ? null : await this.#parts.store.load(this.#parts.partition, 'run', { runId })
      if (run === null || run.status === 'SUCCEEDED') await this.#tell(open)
    }
  }

  async #tell({ ids }: Pick<OpenEntries, 'ids'>): Promise<void> {
    await this.#given.connection.acknowledge(ids)
    this.#told.add(ids[0] ?? '')
  }

  /**
   * What this reader was handed and nobody decided: before a crash, or over a line that had died without anybody
   * knowing. So it is asked for again and again.
   */
  async #takeUp(): Promise<void> {
    this.#takeUpAt = this.#parts.clock.monotonic() + takeUpEveryMs
    for (let after = '0'; ; ) {
      const page = await this.#given.connection.own({ after, count: entriesMax })
      this.#backlog.push(...this.#unheld(page))
      const last = page.at(-1)
      if (last === undefined) return
      after = last.id
    }
  }

  /** Those that this session doesn't know already. */
  #unheld(entries: readonly StreamEntry[]): readonly StreamEntry[] {
    const open = this.#head.state.open.flatMap(({ of, ids }) => (of === this.#of ? ids : []))
    const held = new Set([...open, ...[...this.#backlog, ...this.#gathered].map(({ id }) => id)])
    return entries.filter(({ id }) => !held.has(id))
  }

  async #claim(): Promise<void> {
    const { connection, parameters } = this.#given
    const { claimIdleMs: idleMs } = parameters
    const now = this.#parts.clock.monotonic()
    if (idleMs === 0 || now < this.#claimAt || this.#room() <= 0) return
    const count = Math.min(entriesMax, this.#room())
    const { entries, next } = await connection.claim({ idleMs, count, from: this.#claimFrom })
    this.#claimFrom = next
    this.#claimAt = next === beginning ? now + claimEveryMs : now
    this.#backlog.push(...this.#unheld(entries))
  }

  /** How many more may be taken. */
  #room(): number {
    const waiting = this.#open().reduce((count, { ids }) => count + ids.length, 0)
    return this.#given.parameters.pendingMax - waiting - this.#gathered.length
  }

  async #next(): Promise<readonly StreamEntry[]> {
    const { connection, parameters } = this.#given
    const count = Math.min(entriesMax, this.#room(), batchRoom(parameters, this.#gathered.length))
    if (count <= 0 && this.#gathered.length > 0) return []
    const left =
      this.#gathered.length === 0 ? lookMs : Math.max(0, this.#dueAt() - this.#parts.clock.monotonic())
    const waitMs = Math.min(left, this.#open().length > 0 ? waitingLookMs : lookMs)
    if (count > 0 && this.#backlog.length > 0) return this.#backlog.splice(0, count)
    if (count > 0) return connection.read({ count, waitMs })
    await pause(this.#parts.clock, waitingLookMs, this.#given.signal)
    return []
  }

  async #take(trigger: StoredTrigger, entry: StreamEntry): Promise<void> {
    const { id } = entry
    // Nobody knows any more what it said.
    if (entry.fields === null) return this.#given.connection.acknowledge([id])
    const { parameters, name } = this.#given
    const keys = new Set(this.#gathered.flatMap(({ mark }) => mark?.key ?? []))
    const taken = await takeEntry(this.#parts, { name, parameters, entry, keys })
    if (taken.kind === 'nothing') return this.#skip(trigger, id, taken.skip)
    if (!isTogether(parameters)) {
      const input = await singleInput(this.#parts, parameters, taken.entry)
      if (input.kind === 'nothing') return this.#skip(trigger, id, input)
      return this.#start(trigger, [taken.entry], input.input)
    }
    if (this.#gathered.length === 0) this.#gatheredSince = this.#parts.clock.monotonic()
    this.#gathered.push(taken.entry)
    if (batchRoom(parameters, this.#gathered.length) === 0) await this.#startGathered(trigger)
  }

  #dueAt(): Millis {
    return this.#gatheredSince + togetherMs(this.#given.parameters)
  }

  /** Enough have come, or have waited for long enough, or no more may be taken. */
  #isDue(): boolean {
    if (this.#gathered.length === 0) return false
    return this.#room() <= 0 || this.#dueAt() <= this.#parts.clock.monotonic()
  }

  async #startGathered(trigger: StoredTrigger): Promise<void> {
    const gathered = this.#gathered
    const input = await batchInput(this.#parts, this.#given.parameters, gathered)
    this.#gathered = []
    if (input.kind === 'input') return this.#start(trigger, gathered, input.input)
    const ids = gathered.map(({ id }) => id)
    await this.#decide(trigger, { ids, marks: [] }, (toFire) => skipFiring(this.#parts, toFire, input))
  }

  #skip(trigger: StoredTrigger, id: string, skip: NoStart): Promise<void> {
    return this.#decide(trigger, { ids: [id], marks: [] }, (toFire) => skipFiring(this.#parts, toFire, skip))
  }

  #start(
    trigger: StoredTrigger,
    entries: readonly TakenEntry[],
    input: Parameters<typeof fire>[1]['input'],
  ): Promise<void> {
    const ids = entries.map(({ id }) => id)
    const marks = entries.flatMap(({ mark }) => mark ?? [])
    return this.#decide(trigger, { ids, marks }, (toFire, request) =>
      fire(this.#parts, { ...toFire, input, request }),
    )
  }

  /** Decides entries and moves the head, in one; then the group is told, unless the run is to succeed first. */
  async #decide(
    trigger: StoredTrigger,
    { ids, marks }: { readonly ids: readonly string[]; readonly marks: readonly GuardedWrite[] },
    decided: (toFire: ToFire, request: string) => Promise<Fired>,
  ): Promise<void> {
    const { name, parameters, connection } = this.#given
    const { since, conditionOf } = trigger.record
    const [first = ''] = ids
    const request = `stream:${name.workflowId}/${name.triggerId}:${since}.${this.#head.version}.${first}`
    const isFirstTold = parameters.ack === 'before'
    // A condition has no run of its own that could succeed.
    const waits = parameters.ack === 'succeeded' && conditionOf.length === 0
    const open: OpenEntries = { of: this.#of, ids, runId: waits ? runOfRequest(request) : null }
    if (isFirstTold) await connection.acknowledge(ids)
    const last = { id: ids.at(-1) ?? first, at: this.#parts.clock.now() }
    const remaining = this.#remaining()
    const state = { ...remaining, last, open: isFirstTold ? remaining.open : [...remaining.open, open] }
    const write = headWrite(name, this.#head, state)
    const toFire = { trigger, ...this.#occurred(ids), also: [write, ...marks] }
    const fired = await decided(toFire, request)
    if (fired.kind === 'lost' || fired.kind === 'known') throw new HeadMovedError()
    this.#moved(state)
    if (!isFirstTold && !(waits && fired.kind === 'started')) await this.#tell(open)
  }

  #occurred(ids: readonly string[]): Pick<ToFire, 'occurrence' | 'move' | 'guards'> {
    const { stream } = this.#given.parameters
    const [first = ''] = ids
    const last = ids.at(-1) ?? first
    const count = ids.length
    const occurrence = {
      id: count === 1 ? first : `${first}..${last}`,
      at: this.#parts.clock.now(),
      sources: [{ kind: 'entry' as const, stream, first, last, count }],
      slots: null,
      words:
        count === 1
          ? `The entry ${first} of “${stream}” was added.`
          : `${count} entries of “${stream}” came together, from ${first} to ${last}.`,
      depth: 1,
    }
    return { occurrence, move: null, guards: [] }
  }

  /** The head without what the group was told of. */
  #remaining(): StreamState {
    const { state } = this.#head
    return {
      ...state,
      open: state.open.filter(({ of, ids }) => of !== this.#of || !this.#told.has(ids[0] ?? '')),
    }
  }

  async #flush(): Promise<void> {
    if (this.#told.size > 0) await this.#move(this.#remaining())
  }

  async #move(state: StreamState): Promise<void> {
    const write = headWrite(this.#given.name, this.#head, state)
    if (!(await writeRegisters(this.#parts, [write]))) throw new HeadMovedError()
    this.#moved(state)
  }

  #moved(state: StreamState): void {
    const { epoch, version } = this.#head
    this.#head = { epoch, version: version + 1, state }
    this.#told.clear()
  }
}

/** Resolves after a time, or when there is nothing to wait for any more. */
export function pause(clock: Pick<Clock, 'after'>, span: Millis, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = clock.after(span, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    const stop = (): void => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
