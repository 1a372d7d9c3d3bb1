/**
 * One subscription of one connection: the snapshot, then the events, without gap or repeat. Messages are
 * coalesced to one per display frame; a reader that is too slow makes the subscription stop following and
 * continue later from its cursor, so that memory stays bounded and nothing is lost.
 */

import type { LogLine } from '../model/attempt.ts'
import { recordOfThrown } from '../model/errors.ts'
import type { Cursor, EngineEvent } from '../model/event.ts'
import type { InvocationId } from '../model/ids.ts'
import {
  connectionPendingMax,
  eventBatchMax,
  eventFrameMs,
  eventFrameTextMax,
  liveLinesMax,
  messageEventsMax,
  overviewPlaceMs,
} from '../model/limits.ts'
import type { Clock } from '../model/ports.ts'
import { encodeEvents, encodeFrame } from '../protocol/codec.ts'
import type { ClientFrame, EngineFrame } from '../protocol/frames.ts'
import { touchesOverview } from '../protocol/notices.ts'
import type { Engine } from '../runtime/engine.ts'
import { headCursor } from './head-cursor.ts'

export interface SubscriptionDeps {
  readonly engine: Pick<Engine, 'snapshot' | 'follow' | 'onLive' | 'liveSoFar' | 'store'>
  readonly clock: Clock
  readonly sendText: (text: string) => void
  /** What was sent and is still waiting on this side. */
  readonly pending: () => number
  /** The subscription ended by itself, with an error. */
  readonly onEnd: () => void
}

type Request = Extract<ClientFrame, { type: 'subscribe' }>
interface LiveEntry {
  readonly invocationId: InvocationId
  readonly line: LogLine
}

/** Beyond this the store is the better place to keep events. */
const queueMax = 2 * messageEventsMax + eventBatchMax

interface State {
  readonly deps: SubscriptionDeps
  readonly request: Request
  /** Encoded events that wait for their turn. */
  queue: { readonly event: EngineEvent; readonly text: string }[]
  /** Since the last message other things happened than this topic tells of. */
  isPassed: boolean
  /** The place after the last event of the queue. */
  cursor: Cursor
  /** The place after the last event that was sent. */
  sentCursor: Cursor
  live: LiveEntry[]
  stopFollowing: (() => void) | null
  /** The reader was too slow: once the queue is sent, following goes on from its cursor. */
  isBehind: boolean
  stopLive: (() => void) | null
  cancelTimer: (() => void) | null
  /** The timer is set for the place alone. */
  isUnhurried: boolean
  lastSentAt: number
  lastSent: 'events' | 'live'
  stopped: boolean
}

/** Opens a subscription; returns the way to stop it. */
export function openSubscription(deps: SubscriptionDeps, request: Request): () => void {
  const state: State = {
    deps,
    request,
    queue: [],
    isPassed: false,
    cursor: request.cursor ?? [],
    sentCursor: request.cursor ?? [],
    live: [],
    stopFollowing: null,
    isBehind: false,
    stopLive: null,
    cancelTimer: null,
    isUnhurried: false,
    lastSentAt: Number.NEGATIVE_INFINITY,
    lastSent: 'live',
    stopped: false,
  }
  void begin(state)
  return () => stop(state)
}

async function begin(state: State): Promise<void> {
  const { deps, request } = state
  try {
    if (request.topic.kind === 'run') await beginRun(state, request.topic.runId)
    else await beginAll(state)
  } catch (thrown) {
    if (state.stopped) return
    stop(state)
    deps.sendText(encodeFrame({ type: 'ended', id: request.id, error: recordOfThrown(thrown) }))
    deps.onEnd()
  }
}

async function beginRun(state: State, runId: EngineEvent['runId'] & string): Promise<void> {
  const { deps, request } = state
  const snapshot = await deps.engine.snapshot(runId)
  if (state.stopped) return
  if (request.cursor === null) {
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
  const before = request.cursor === null ? deps.engine.liveSoFar(runId) : []
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
  const { topic } = state.request
  const runId = topic.kind === 'run' ? topic.runId : null
  let ended = false
  state.isBehind = false
  const stopFollowing = state.deps.engine.follow({
    runId,
    cursor,
    receive: (events, after) => {
      if (state.stopped || ended) return
      for (const event of events) {
        if (topic.kind === 'runs' && !touchesOverview(event)) state.isPassed = true
        else state.queue.push({ event, text: JSON.stringify(event) })
      }
      state.cursor = after
      if (state.queue.length > queueMax) {
        ended = true
        state.isBehind = true
        state.stopFollowing?.()
        state.stopFollowing = null
      }
      schedule(state)
    },
  })
  // The first batch may have come, and overflowed, before the way to stop was known.
  if (ended) stopFollowing()
  else state.stopFollowing = stopFollowing
}

function addLive(state: State, entry: LiveEntry): void {
  if (state.live.length >= liveLinesMax) state.live.shift()
  state.live.push(entry)
  schedule(state)
}

function schedule(state: State): void {
  const isTold = state.queue.length > 0 || state.live.length > 0
  if (state.stopped || (!isTold && !state.isPassed)) return
  // What is told doesn't wait for as long as the mere place.
  if (isTold && state.isUnhurried) cancelTimer(state)
  if (state.cancelTimer !== null) return
  const spanMs = isTold ? eventFrameMs : overviewPlaceMs
  const wait = state.lastSentAt + spanMs - state.deps.clock.monotonic()
  if (wait <= 0 && state.deps.pending() <= connectionPendingMax) return flush(state)
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
  const liveFirst = state.lastSent === 'events' && state.live.length > 0
  if (state.live.length > 0 && (state.queue.length === 0 || liveFirst)) sendLive(state)
  else sendEvents(state)
  state.lastSentAt = state.deps.clock.monotonic()
  if (state.queue.length === 0 && state.isBehind) follow(state, state.sentCursor)
  schedule(state)
}

function sendEvents(state: State): void {
  let count = 0
  let length = 0
  for (const { text } of state.queue) {
    length += text.length
    if (count === messageEventsMax || (count > 0 && length > eventFrameTextMax)) break
    count += 1
  }
  const batch = state.queue.splice(0, count)
  // The feed's own cursor may be further on than the last event of this run.
  const cursor = state.queue.length === 0 ? state.cursor : cursorAfter(state.sentCursor, batch)
  state.sentCursor = cursor
  state.lastSent = 'events'
  if (state.queue.length === 0) state.isPassed = false
  const eventTexts = batch.map(({ text }) => text)
  state.deps.sendText(encodeEvents({ id: state.request.id, eventTexts, cursor }))
}

function sendLive(state: State): void {
  const frame: EngineFrame = { type: 'live', id: state.request.id, lines: state.live }
  state.live = []
  state.lastSent = 'live'
  state.deps.sendText(encodeFrame(frame))
}

function cursorAfter(cursor: Cursor, batch: readonly { readonly event: EngineEvent }[]): Cursor {
  const byPartition = new Map(cursor.map((place) => [place.partition, place]))
  for (const { event } of batch) {
    const { partition, epoch, seq } = event
    byPartition.set(partition, { partition, epoch, seq })
  }
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
