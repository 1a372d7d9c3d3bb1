/**
 * Heads of queues that a write brings along. Whoever queues work mostly looks for work right after: so the call that writes
 * answers what stands at the heads of the queues that were last looked at here, and that look takes no round trip.
 */

import type { InvocationId } from '../../model/ids.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { news, tells } from '../hints.ts'
import type { Unit } from './unit.ts'
import type { FeedEnd } from './watching.ts'
import { isAfter } from './watching.ts'

/** What a look asked for. */
export interface Looked {
  /** Of the shapes whose queues fit whoever looked. */
  readonly shapes: readonly string[]
  /** How many of each queue. */
  readonly wanted: number
  readonly at: Instant
}

/** What a call is told to bring along. */
export interface HeadsAsked extends Looked {
  /** Those that are available until then. */
  readonly until: Instant
}

/** What stood in queues when a call had written. */
export interface QueueHeads extends HeadsAsked {
  readonly epoch: number
  /** Of the last event there was then. */
  readonly seq: number
  /** How many shapes had been written down. */
  readonly shapeCount: number
  /** The first ones of each queue, in the order of the shapes. */
  readonly lists: readonly (readonly InvocationId[])[]
}

/** As the script answers them: how many shapes had been written down, and for each queue its ids with spaces between. */
export type HeadsAnswer = readonly (number | string)[]

/** What a partition's state holds of it. */
export interface HeadsState {
  readonly epoch: number
  readonly seq: number
  /** What shapes ask, by id. */
  readonly shapes: ReadonlyMap<string, string>
  /** What was looked for here last; null for nothing. */
  looked: Looked | null
  /** What the last write brought along, until somebody looks. */
  heads: QueueHeads | null
  /** Up to where others are known to have written; null for nothing. */
  elsewhere: FeedEnd | null
}

/** How long heads may wait for the look they are meant for: it comes in the same turn of the event loop, or in one of the next. */
const headsKeptMs: Millis = 100
/** With more queues than that, each call would read too much. */
const headsMax = 8

/** What a call with these units asks for; null where nobody is about to look. */
export function headsToAsk(state: HeadsState, units: readonly Unit[], now: Instant): HeadsAsked | null {
  const { looked } = state
  if (looked === null || now > looked.at + headsKeptMs || !units.some((unit) => tells(unit.news, news.work)))
    return null
  return { ...looked, until: now + headsKeptMs }
}

/** Notes what somebody looks for, so that the next write brings it along. */
export function noteLook(state: HeadsState, looked: Looked): void {
  if (looked.shapes.length > 0 && looked.shapes.length <= headsMax) state.looked = looked
}

/** Keeps what a call has brought for the next look. */
export function keepHeads(
  state: HeadsState,
  {
    asked,
    answer,
    seq,
    epoch,
  }: {
    readonly asked: HeadsAsked
    readonly answer: HeadsAnswer
    readonly seq: number
    readonly epoch: number
  },
): void {
  const { elsewhere } = state
  // Messages overtake answers, by far where a replica is waited for: whoever was told of more would find less.
  if (elsewhere !== null && isAfter(elsewhere, { epoch, seq })) return
  const [shapeCount, ...queues] = answer
  const lists = queues.map((ids) => (ids === '' ? [] : (String(ids).split(' ') as InvocationId[])))
  state.heads = { ...asked, epoch, seq, shapeCount: Number(shapeCount), lists }
}

/** Others have written up to there: that isn't in what was brought before. */
export function noteElsewhere(state: HeadsState, end: FeedEnd): void {
  if (state.elsewhere === null || isAfter(end, state.elsewhere)) state.elsewhere = end
  if (state.heads !== null && isAfter(end, state.heads)) state.heads = null
}

/**
 * Heads of the queues of these shapes; null where they must be read anew: something was written since, time has passed, there
 * may be other queues, or more in one of them than was read.
 */
export function headsFor(
  { heads, epoch, seq, shapes: known }: HeadsState,
  shapes: readonly string[],
  now: Instant,
): readonly (readonly InvocationId[])[] | null {
  if (heads === null || heads.epoch !== epoch || heads.seq !== seq) return null
  if (now > heads.until || heads.shapeCount !== known.size) return null
  const lists = shapes.map((shape) => heads.lists[heads.shapes.indexOf(shape)])
  const isWhole = (list: readonly InvocationId[] | undefined): list is readonly InvocationId[] =>
    list !== undefined && list.length < heads.wanted
  return lists.every(isWhole) ? lists : null
}
