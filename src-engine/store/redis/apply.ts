/** Sends units to their partition and reads what became of each. */

import { SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import type { Millis } from '../../model/time.ts'
import { noNews } from '../hints.ts'
import { applyScript } from './apply-script.ts'
import { encodeUnits } from './encode-units.ts'
import { beginEpoch } from './epochs.ts'
import type { WriteJournal } from './journal/write-journal.ts'
import type { LeaseTime } from './lease-time.ts'
import { createMeetings } from './meetings.ts'
import type { PartitionState } from './partition-state.ts'
import { forget } from './partition-state.ts'
import type { HeadsAnswer, HeadsAsked } from './queue-heads.ts'
import { headsToAsk, keepHeads } from './queue-heads.ts'
import type { RedisClock, RedisDurability, RedisRollback } from './redis-options.ts'
import type { Router } from './router.ts'
import type { ScriptCall } from './script.ts'
import { runScript } from './script.ts'
import { another, missing } from './sentinel.ts'
import type { Unit, UnitAnswer } from './unit.ts'
import type { Wrote } from './watching.ts'

export interface Applier {
  /**
   * Resolves when a replica has everything that was written so far; where the mode doesn't ask for that, when what this process
   * has lost to a failover is brought back.
   */
  readonly confirm: (state: PartitionState) => Promise<void>
  /** Null when the partition's epoch has changed: what was believed counts no more. */
  readonly apply: (state: PartitionState, units: readonly Unit[]) => Promise<readonly UnitAnswer[] | null>
  /** The same, but what is met there is not waited for: null then, too. Whoever is met may wait for this caller's partition. */
  readonly applyNow: (state: PartitionState, units: readonly Unit[]) => Promise<readonly UnitAnswer[] | null>
  /** Looks whether another epoch has begun, and brings back what was lost with the one before. */
  readonly look: (state: PartitionState) => Promise<void>
  /** Brings back what is lost and wasn't noticed by this process, but by the one that noted it; before anything new is written. */
  readonly bringBack: (state: PartitionState) => Promise<void>
}

export interface ApplierOptions {
  readonly router: Router
  readonly storeId: StoreId
  readonly writerId: string
  readonly durability: RedisDurability
  readonly time: LeaseTime
  readonly clock: RedisClock
  readonly commandMs: Millis
  /** Told after a call that wrote events: where the feed ended then, how many of its events were these, and of what. */
  readonly onWritten: (partition: number, wrote: Wrote) => void
  readonly onEpoch: (partition: number, epoch: number) => void
  /** What was lost is brought back from it; absent, or null, for a store that keeps none. */
  readonly journal?: WriteJournal | null
  /** Told when the partition has gone back behind what was seen of it: writes were lost. */
  readonly onRollback: (lost: RedisRollback) => void
}

export function createApplier(options: ApplierOptions): Applier {
  const meetings = createMeetings<PartitionState>()
  const meet = async (state: PartitionState, epoch: number, found: OtherAnswer): Promise<void> => {
    if (state.epoch === epoch) await meetings.meet(state, () => meetAll(options, state, found))
  }
  return {
    async confirm(state) {
      const meeting = meetings.underWay(state)
      if (meeting !== undefined) await meeting
      const { epoch } = state
      // A call without units writes the head as it is: what waits for it waits for all before it.
      const answer = await send(options, state, { units: [] })
      if (answer[0] === 'gone') throw missing(state.keys, options.storeId)
      if (answer[0] === 'done') return
      await meet(state, epoch, answer)
      // Whether the server that leads now has it, only another look can tell; in fast mode it is brought back by now, or told.
      if (options.durability === 'safe') throw unconfirmed(state)
    },
    async apply(state, units) {
      const meeting = meetings.underWay(state)
      if (meeting !== undefined) {
        await meeting
        // Its author has taken as written what never was sent.
        forget(state)
        return null
      }
      const { epoch } = state
      const heads = headsToAsk(state, units, options.clock.now())
      const answer = await send(options, state, { units, heads })
      if (answer[0] === 'gone') throw missing(state.keys, options.storeId)
      if (answer[0] === 'other') {
        await meet(state, epoch, answer)
        return null
      }
      const answers = noteWrites(options, state, { epoch, units, answer })
      const [, seq, , , ...found] = answer
      if (heads !== null && found.length > 0) keepHeads(state, { asked: heads, answer: found, seq, epoch })
      return answers
    },
    async applyNow(state, units) {
      if (meetings.underWay(state) !== undefined) return null
      const { epoch } = state
      const answer = await send(options, state, { units })
      if (answer[0] === 'gone') throw missing(state.keys, options.storeId)
      if (answer[0] === 'done') return noteWrites(options, state, { epoch, units, answer })
      // Whoever writes there next meets it if this fails.
      meet(state, epoch, answer).catch(() => undefined)
      return null
    },
    async look(state) {
      const { epoch } = state
      const answer = await send(options, state, { units: [] })
      if (answer[0] === 'other') await meet(state, epoch, answer)
    },
    bringBack(state) {
      const { epoch } = state
      return meetings.meetAfter(state, async () => {
        // Whoever met yet another epoch has brought it back.
        if (state.epoch === epoch) await bringBackAll(options, state)
      })
    },
  }
}

type DoneAnswer = Extract<Answer, readonly ['done', ...unknown[]]>

/** Beside what came of them: they may be lost, and are brought back then. */
function noteWrites(
  options: ApplierOptions,
  state: PartitionState,
  sent: { readonly epoch: number; readonly units: readonly Unit[]; readonly answer: DoneAnswer },
): readonly UnitAnswer[] {
  const { epoch, units, answer } = sent
  const answers = noteAnswer(options, state, sent)
  if (units.length > 0) options.journal?.note(state, { epoch, seq: answer[1], units, answers })
  return answers
}

/** What came of the units, once everybody who has to know is told. */
function noteAnswer(
  options: ApplierOptions,
  state: PartitionState,
  {
    epoch,
    units,
    answer,
  }: { readonly epoch: number; readonly units: readonly Unit[]; readonly answer: DoneAnswer },
): readonly UnitAnswer[] {
  const [, seq, answers] = answer
  // An answer of the epoch before says nothing of how far this one has come.
  if (state.epoch === epoch) state.seq = Math.max(state.seq, seq)
  const read = typeof answers === 'number' ? units.map(() => written) : answers.map(readAnswer)
  const wrote = whatWasWritten(units, read)
  if (wrote.count > 0) options.onWritten(state.keys.partition, { seq, ...wrote })
  return read
}

/** Another epoch, with all that was lost before it; and another one, should that begin meanwhile. */
async function meetAll(options: ApplierOptions, state: PartitionState, found: OtherAnswer): Promise<void> {
  await meetEpoch(options, state, found)
  await bringBackAll(options, state)
}

async function bringBackAll(options: ApplierOptions, state: PartitionState): Promise<void> {
  let other = await bringBack(options, state)
  while (other !== null) {
    await meetEpoch(options, state, other)
    other = await bringBack(options, state)
  }
}

/** Answers the epoch that it met instead; null for none. */
async function bringBack(options: ApplierOptions, state: PartitionState): Promise<OtherAnswer | null> {
  const { journal = null, storeId } = options
  if (journal === null) return null
  const met: { other: OtherAnswer | null } = { other: null }
  await journal.bringBack(state, async (units) => {
    const { epoch } = state
    const answer = await send(options, state, { units })
    if (answer[0] === 'gone') throw missing(state.keys, storeId)
    if (answer[0] === 'done') {
      return { kind: 'done', seq: answer[1], answers: noteAnswer(options, state, { epoch, units, answer }) }
    }
    met.other = answer
    return { kind: 'other' }
  })
  return met.other
}

function whatWasWritten(units: readonly Unit[], answers: readonly UnitAnswer[]): Omit<Wrote, 'seq'> {
  let count = 0
  let found = noNews
  for (const [index, { parts, news }] of units.entries()) {
    if (answers[index]?.kind !== 'written') continue
    for (const part of parts) count += part.count
    found |= news
  }
  return { count, found }
}

type OtherAnswer = readonly ['other', id: string, epoch: string, seq: string]
type Answer =
  | readonly ['gone']
  | OtherAnswer
  | readonly [
      'done',
      seq: number,
      /** Of each unit, or how many there were where all are written, and none of their permits are new. */
      answers: number | readonly (1 | readonly [number, ...(readonly string[])])[],
      /** Empty but from a server that was asked for it. */
      line: string,
      /** Only where they were asked for. */
      ...heads: HeadsAnswer,
    ]

const lineOf = (answer: unknown): string => (answer as Answer)[3] ?? ''

/** How often a replica is waited for: half a deadline each time. */
const confirmTriesMax = 8

/** What a call writes, and what it is to bring along. */
interface Sent {
  readonly units: readonly Unit[]
  readonly heads?: HeadsAsked | null
}

async function send(
  options: ApplierOptions,
  state: PartitionState,
  { units, heads = null }: Sent,
): Promise<Answer> {
  const { router, storeId, writerId, durability, time } = options
  // The first is the line of the server that it is sent to.
  const start = ['', storeId, state.epoch, state.seq, state.keys.partition, writerId, time.now()]
  const call: ScriptCall = {
    script: applyScript,
    ...encodeUnits(units, state.keys, { start, heads }),
    lineOf,
  }
  if (durability === 'fast') {
    // The script's own form.
    return (await runScript(router, state.keys.slot, { ...call, lane: 'write' })) as Answer
  }
  for (let tries = 1; ; tries += 1) {
    const { answer, confirmed } = await sendAndWait(options, state, call)
    if (answer[0] !== 'done' || confirmed) return answer
    // It is there, but on one node alone: what is sent again finds itself, and waits for a replica again.
    if (tries >= confirmTriesMax) throw unconfirmed(state)
  }
}

const unconfirmed = ({ keys }: PartitionState): SagasmithError =>
  new SagasmithError('redis_unconfirmed', { details: { partition: keys.partition } })

async function sendAndWait(
  { router, commandMs }: ApplierOptions,
  state: PartitionState,
  call: ScriptCall,
): Promise<{ readonly answer: Answer; readonly confirmed: boolean }> {
  let replicas: Promise<unknown> = Promise.resolve(0)
  const follows = {
    // It ends before the deadline of the command, so that the connection outlives it.
    command: ['WAIT', 1, Math.max(1, Math.floor(commandMs / 2))] as const,
    answered: (answer: Promise<unknown>) => {
      replicas = answer
    },
  }
  const how = { ...call, lane: 'write', follows } as const
  const answer = (await runScript(router, state.keys.slot, how)) as Answer
  return { answer, confirmed: Number(await replicas.catch(() => 0)) >= 1 }
}

/** Adopts the partition's epoch; where another server leads, or it went back behind what was seen, one begins. */
async function meetEpoch(
  options: ApplierOptions,
  state: PartitionState,
  [, id, epoch, seq]: OtherAnswer,
): Promise<void> {
  const { storeId, onRollback, onEpoch } = options
  const { keys } = state
  if (id !== storeId) throw another(keys, storeId, id)
  forget(state)
  const found = { epoch: Number(epoch), seq: Number(seq) }
  const isOld = found.epoch <= state.epoch
  const wentBack = found.epoch < state.epoch || (isOld && found.seq < state.seq)
  if (wentBack) onRollback({ partition: keys.partition, from: state.seq, to: found.seq })
  const now = isOld ? await beginEpoch(options, keys, { found, seen: state }) : found
  state.epoch = now.epoch
  state.seq = now.seq
  onEpoch(keys.partition, now.epoch)
}

const written: UnitAnswer = { kind: 'written', fresh: [] }

function readAnswer(answer: 1 | readonly [number, ...(readonly string[])]): UnitAnswer {
  if (answer === 1) return written
  const [code, ...rest] = answer
  if (code === 1) return { kind: 'written', fresh: rest.map(Number) }
  if (code === 4) return { kind: 'there' }
  if (code === 2) return { kind: 'differs' }
  if (code === 5) return { kind: 'unsealed' }
  const [key = '', ...holders] = rest
  return { kind: 'no-room', key, holders }
}
