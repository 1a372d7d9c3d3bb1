/**
 * One subscription of one connection: the snapshot, then the events, without gap or repeat. Messages are
 * coalesced to one per display frame; a reader that is too slow makes the subscription stop following and
 * continue later from its cursor, so that memory stays bounded and nothing is lost. Where a reader wants to know how a
 * run stands, it is told that then: a snapshot in the place of what it missed.
 */

import type { LogLine } from '../model/attempt.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { Cursor, PartitionCursor } from '../model/event.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import {
  bustleFrameMs,
  calmEventsPerSecondMax,
  eventBatchMax,
  eventFrameMs,
  eventFrameTextMax,
  liveLinesMax,
  messageEventsMax,
  overviewFrameMs,
  overviewPlaceMs,
} from '../model/limits.ts'
import type { FeedItem } from '../model/packed-group.ts'
import { countOf, isGroup, placeAfter, wireText } from '../model/packed-group.ts'
import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import { encodeEvents, encodeFrame } from '../protocol/codec.ts'
import type { ClientFrame, EngineFrame } from '../protocol/frames.ts'
import { touchesOverview } from '../protocol/notices.ts'
import type { Engine } from '../runtime/engine.ts'
import type { FeedRequest } from '../runtime/event-feed.ts'
import { headCursor } from './head-cursor.ts'

export interface SubscriptionDeps {
  readonly engine: Pick<Engine, 'snapshot' | 'follow' | 'onLive' | 'liveSoFar' | 'store'>
  readonly clock: Clock
  readonly sendText: (text: string) => void
  /** Whether the reader takes in what it is sent. */
  readonly isReady: () => boolean
  /** Whether it is so far behind that it needn't hear what it missed. */
  readonly isBehind?: () => boolean
  /** Whether events may be handed on in groups. */
  readonly readsGroups?: boolean
  /** The subscription ended by itself, with an error. */
  readonly onEnd: () => void
}

type Request = Extract<ClientFrame, { type: 'subscribe' }>
interface LiveEntry {
  readonly invocationId: InvocationId
  readonly line: LogLine
}

/** An event or a group of them. */
interface Waiting {
  readonly type: 'events' | 'groups'
  readonly text: string
  readonly count: number
  /** The place after it. */
  readonly after: PartitionCursor
}

const waitingOf = (item: FeedItem): Waiting => ({
  type: isGroup(item) ? 'groups' : 'events',
  text: isGroup(item) ? wireText(item) : JSON.stringify(item),
  count: countOf(item),
  after: placeAfter(item),
})

/** Beyond this the store is the better place to keep events. */
const queueMax = 2 * messageEventsMax + eventBatchMax

interface State {
  readonly deps: SubscriptionDeps
  readonly request: Request
  /** Encoded events that wait for their turn. */
  queue: Waiting[]
  /** How many events they are. */
  queued: number
  /** Since the last message other things happened than this topic tells of. */
  isPassed: boolean
  /** The place after the last event of the queue. */
  cursor: Cursor
  /** The place after the last event that was sent. */
  sentCursor: Cursor
  live: LiveEntry[]
  stopFollowing: (() => void) | null
  /**
   * The reader was too slow. `resting`: once less than a message waits, following goes on from the queue's end. `left`: what it missed
   * is gone, and it begins with a snapshot once it takes in again what it is sent.
   */
  follows: 'on' | 'resting' | 'left'
  stopLive: (() => void) | null
  cancelTimer: (() => void) | null
  /** The timer is set for the place alone. */
  isUnhurried: boolean
  lastSentAt: number
  /** How long the next message waits after the last one. */
  spanMs: Millis
  lastSent: 'events' | 'live'
  stopped: boolean
}

/** Opens a subscription; returns the way to stop it. */
export function openSubscription(deps: SubscriptionDeps, request: Request): () => void {
  const state: State = {
    deps,
    request,
    queue: [],
    queued: 0,
    isPassed: false,
    cursor: request.cursor ?? [],
    sentCursor: request.cursor ?? [],
    live: [],
    stopFollowing: null,
    follows: 'on',
    stopLive: null,
    cancelTimer: null,
    isUnhurried: false,
    lastSentAt: Number.NEGATIVE_INFINITY,
    spanMs: eventFrameMs,
    lastSent: 'live',
    stopped: false,
  }
  void begin(state)
  return () => stop(state)
}

function begin(state: State): Promise<void> {
  const { topic } = state.request
  return orEnd(state, topic.kind === 'run' ? beginRun(state, topic.runId) : beginAll(state))
}

async function orEnd(state: State, beginning: Promise<void>): Promise<void> {
  const { deps, request } = state
  try {
    await beginning
  } catch (thrown) {
    if (state.stopped) return
    stop(state)
    deps.sendText(encodeFrame({ type: 'ended', id: request.id, error: recordOfThrown(thrown) }))
    deps.onEnd()
  }
}

/** Also `isAgain`, for a reader that was left behind. */
async function beginRun(state: State, runId: RunId, isAgain = false): Promise<void> {
  const { deps, request } = state
  const snapshot = await deps.engine.snapshot(runId)
  if (state.stopped) return
  if (request.cursor === null || isAgain) {
    const { epoch, seq, run } = snapshot
    const cursor = [{ partition: run.partition, epoch, seq }]
    deps.sendText(encodeFrame({ type: 'snapshot', id: request.id, snapshot, cursor }))
    state.cursor = cursor
    state.sentCursor = cursor
  }
  state.stopLive = deps.engine.onLive((line) => {
    if (line.runId === runId) addLive(state, { invocationId: line.invocationId, line: line.line })
  })
  // Who starts to look in the middle sees what was printed before; who comes back has seen it.
  const before = request.cursor === null || isAgain ? deps.engine.liveSoFar(runId) : []
  for (const { invocationId, line } of before) addLive(state, { invocationId, line })
  follow(state, state.cursor)
}

async function beginAll(state: State): Promise<void> {
  const cursor = state.request.cursor ?? (await headCursor(state.deps.engine.store))
  if (state.stopped) return
  state.cursor = cursor
  state.sentCursor = cursor
  follow(state, cursor)
}

function follow(state: State, cursor: Cursor): void {
  const { request, deps } = state
  const { topic } = request
  const runId = topic.kind === 'run' ? topic.runId : null
  let ended = false
  state.follows = 'on'
  const receive = (items: readonly FeedItem[], after: Cursor): void => {
    if (state.stopped || ended) return
    if (items.length === 0) state.isPassed = true
    for (const item of items) {
      const waiting = waitingOf(item)
      state.queue.push(waiting)
      state.queued += waiting.count
    }
    state.cursor = after
    if (state.queued > queueMax || (state.request.states === true && deps.isBehind?.() === true)) {
      ended = true
      fallBehind(state)
    }
    schedule(state)
  }
  const stopFollowing = deps.engine.follow(feedOf(state, { runId, cursor, form: 'packed', receive }))
  // The first batch may have come, and overflowed, before the way to stop was known.
  if (ended) stopFollowing()
  else state.stopFollowing = stopFollowing
}

/** Stops following. Who wants to know how a run stands is told that later; others go on from where they are. */
function fallBehind(state: State): void {
  state.stopFollowing?.()
  state.stopFollowing = null
  state.follows = 'resting'
  if (state.request.states !== true || state.request.topic.kind !== 'run') return
  state.follows = 'left'
  state.stopLive?.()
  state.stopLive = null
  state.queue = []
  state.queued = 0
  state.live = []
}

/** Begins again with how the run stands now, once its reader takes it in. */
function catchUp(state: State): void {
  const { deps, request } = state
  if (!deps.isReady()) {
    state.cancelTimer ??= deps.clock.after(eventFrameMs, () => {
      cancelTimer(state)
      schedule(state)
    })
    return
  }
  state.follows = 'on'
  if (request.topic.kind === 'run') void orEnd(state, beginRun(state, request.topic.runId, true))
}

/** The feed of the topic, in the form that the client reads. */
function feedOf(state: State, place: Extract<FeedRequest, { form: 'packed' }>): FeedRequest {
  const { deps, request } = state
  const wants = request.topic.kind === 'runs' ? touchesOverview : null
  if (deps.readsGroups === true && request.hashes !== true)
    // What the next message waits for needn't be looked for before.
    return wants === null
      ? { ...place, paceMs: () => state.spanMs }
      : { ...place, paceMs: () => overviewFrameMs, wants }
  return {
    ...{ runId: place.runId, cursor: place.cursor },
    receive: (events, after) => place.receive(wants === null ? events : events.filter(wants), after),
  }
}

function addLive(state: State, entry: LiveEntry): void {
  if (state.live.length >= liveLinesMax) state.live.shift()
  state.live.push(entry)
  schedule(state)
}

function schedule(state: State): void {
  if (state.stopped) return
  if (state.follows === 'left') return catchUp(state)
  const isTold = state.queue.length > 0 || state.live.length > 0
  if (!isTold && !state.isPassed) return
  // What is told doesn't wait for as long as the mere place.
  if (isTold && state.isUnhurried) cancelTimer(state)
  if (state.cancelTimer !== null) return
  const spanMs = isTold ? state.spanMs : overviewPlaceMs
  const wait = state.lastSentAt + spanMs - state.deps.clock.monotonic()
  if (wait <= 0 && state.deps.isReady()) return flush(state)
  state.isUnhurried = !isTold
  state.cancelTimer = state.deps.clock.after(wait > 0 ? wait : eventFrameMs, () => {
    cancelTimer(state)
    schedule(state)
  })
}

function cancelTimer(state: State): void {
  state.cancelTimer?.()
  state.cancelTimer = null
  state.isUnhurried = false
}

/** Sends one message: events or printed lines, in turn when both wait; the place alone when neither does. */
function flush(state: State): void {
  const now = state.deps.clock.monotonic()
  const waited = state.queued
  const liveFirst = state.lastSent === 'events' && state.live.length > 0
  if (state.live.length > 0 && (state.queue.length === 0 || liveFirst)) sendLive(state)
  else sendEvents(state)
  state.spanMs = spanAfter(state, { events: waited - state.queued, passedMs: now - state.lastSentAt })
  state.lastSentAt = now
  // While the last full message is on its way the next ones are read: who hears of a long past isn't kept waiting.
  if (state.follows === 'resting' && state.queued < messageEventsMax) follow(state, state.cursor)
  schedule(state)
}

/** What waits already is told at once; what follows a message of very many can wait for more. */
function spanAfter({ queue }: State, told: { readonly events: number; readonly passedMs: Millis }): Millis {
  const isBustle = told.events * 1_000 > calmEventsPerSecondMax * told.passedMs
  return isBustle && queue.length === 0 ? bustleFrameMs : eventFrameMs
}

function sendEvents(state: State): void {
  let count = 0
  let length = 0
  let events = 0
  const type = state.queue[0]?.type ?? 'events'
  for (const waiting of state.queue) {
    length += waiting.text.length
    events += waiting.count
    const isTooMuch = events > messageEventsMax || length > eventFrameTextMax
    if (waiting.type !== type || (count > 0 && isTooMuch)) break
    count += 1
  }
  const batch = state.queue.splice(0, count)
  for (const waiting of batch) state.queued -= waiting.count
  // The feed's own cursor may be further on than the last event of this run.
  const cursor = state.queue.length === 0 ? state.cursor : cursorAfter(state.sentCursor, batch)
  state.sentCursor = cursor
  state.lastSent = 'events'
  if (state.queue.length === 0) state.isPassed = false
  const texts = batch.map(({ text }) => text)
  state.deps.sendText(encodeEvents({ type, id: state.request.id, texts, cursor }))
}

function sendLive(state: State): void {
  const frame: EngineFrame = { type: 'live', id: state.request.id, lines: state.live }
  state.live = []
  state.lastSent = 'live'
  state.deps.sendText(encodeFrame(frame))
}

function cursorAfter(cursor: Cursor, batch: readonly Waiting[]): Cursor {
  const byPartition = new Map(cursor.map((place) => [place.partition, place]))
  for (const { after } of batch) byPartition.set(after.partition, after)
  return [...byPartition.values()]
}

function stop(state: State): void {
  if (state.stopped) return
  state.stopped = true
  state.stopFollowing?.()
  state.stopLive?.()
  cancelTimer(state)
  state.queue = []
  state.live = []
}
