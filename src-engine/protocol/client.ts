/**
 * The client's half of the protocol over any channel: CLI, SDK and designer use the same one. It says hello
 * at once; calls may follow immediately. When the channel closes, everything pending is rejected.
 */

import type { ErrorRecord } from '../model/errors.ts'
import { errorOfRecord, SagasmithError } from '../model/errors.ts'
import type { Cursor, EngineEvent } from '../model/event.ts'
import type { JsonValue } from '../model/json.ts'
import type { WireGroup } from '../model/packed-group.ts'
import { eventsOfWire } from '../model/packed-group.ts'
import type { InputOf, Method, OutputOf } from './api.ts'
import type { Channel } from './channel.ts'
import { decodeEngineFrame, encodeFrame } from './codec.ts'
import type { ClientFrame, EngineFrame, Topic } from './frames.ts'
import { protocolVersion } from './frames.ts'
import type { RunSnapshot } from './snapshot.ts'

type LiveLines = Extract<EngineFrame, { type: 'live' }>['lines']

/** What the engine says about itself when it lets a client in. */
export interface Welcome {
  readonly engineVersion: string
  readonly storeId: string
}

export interface SubscriptionHandlers {
  readonly snapshot?: (snapshot: RunSnapshot, cursor: Cursor) => void
  readonly events: (events: readonly EngineEvent[], cursor: Cursor) => void
  /** Takes groups as they came, for who unpacks them in its own time; they come as events where this is absent. */
  readonly groups?: (groups: readonly WireGroup[], cursor: Cursor) => void
  readonly live?: (lines: LiveLines) => void
  /** The subscription is over: the run doesn't exist, or the channel closed. */
  readonly ended?: (error: SagasmithError) => void
}

export interface SubscriptionRequest {
  readonly topic: Topic
  readonly cursor: Cursor | null
  /** Whether the events' hashes are wanted, by a client that reads groups and mostly has no use for them. */
  readonly hashes?: boolean
}

export interface EngineClient {
  /** Resolves when the engine let this client in; rejects with `unauthorized` or a version mismatch. */
  readonly welcome: Promise<Welcome>
  readonly call: <M extends Method>(method: M, input: InputOf<M>) => Promise<OutputOf<M>>
  /** Follows a topic; returns the way to stop. */
  readonly subscribe: (request: SubscriptionRequest, handlers: SubscriptionHandlers) => () => void
  /** Resolves with the reason once the channel is closed, whoever closed it. */
  readonly closed: Promise<SagasmithError>
  readonly close: () => void
}

interface PendingCall {
  readonly resolve: (value: JsonValue) => void
  readonly reject: (error: SagasmithError) => void
}

interface ClientState {
  readonly channel: Channel
  readonly calls: Map<number, PendingCall>
  readonly subscriptions: Map<number, SubscriptionHandlers>
  readonly welcome: PromiseWithResolvers<Welcome>
  readonly closed: PromiseWithResolvers<SagasmithError>
  nextId: number
  /** Set once: why nothing works any more. */
  reason: SagasmithError | null
}

/**
 * A client on a channel. `token` is what the engine asks for; null on channels that need none. With `cluster`
 * everything is about that cluster instead of the engine's own data. `isCommand`: it does what a person typed.
 * `readsGroups`: it has no use for the hashes of events, but where it says so, and gets them without, which is much
 * cheaper.
 * `acknowledges`: it shows what it is told, so it is told once in a display's frame, and no more than it takes in.
 */
export function createClient(
  channel: Channel,
  options: {
    readonly token: string | null
    readonly cluster?: string
    readonly isCommand?: boolean
    readonly readsGroups?: boolean
    readonly acknowledges?: boolean
  },
): EngineClient {
  const state: ClientState = {
    channel,
    calls: new Map(),
    subscriptions: new Map(),
    welcome: Promise.withResolvers(),
    closed: Promise.withResolvers(),
    nextId: 1,
    reason: null,
  }
  // Not everybody waits for the welcome; whoever calls learns the reason from the call.
  state.welcome.promise.catch(() => undefined)
  channel.onClose(() => end(state, connectionLost()))
  channel.onMessage((text) => receive(state, text))
  send(state, { type: 'hello', protocol: protocolVersion, ...options })
  return {
    welcome: state.welcome.promise,
    closed: state.closed.promise,
    call: (method, input) => call(state, method, input),
    subscribe: (request, handlers) => subscribe(state, request, handlers),
    close: () => end(state, connectionLost()),
  }
}

function call<M extends Method>(state: ClientState, method: M, input: InputOf<M>): Promise<OutputOf<M>> {
  if (state.reason !== null) return Promise.reject(state.reason)
  const id = state.nextId++
  return new Promise<OutputOf<M>>((resolve, reject) => {
    // The contract's outputs are JSON; the method says which.
    state.calls.set(id, { resolve: (value) => resolve(value as OutputOf<M>), reject })
    try {
      // Inputs of the contract are plain JSON data.
      send(state, { type: 'call', id, method, input: input as unknown as JsonValue })
    } catch (error) {
      state.calls.delete(id)
      reject(error)
    }
  })
}

function subscribe(
  state: ClientState,
  { topic, cursor, hashes }: SubscriptionRequest,
  handlers: SubscriptionHandlers,
): () => void {
  const id = state.nextId++
  if (state.reason !== null) {
    handlers.ended?.(state.reason)
    return () => undefined
  }
  state.subscriptions.set(id, handlers)
  // Who can take a snapshot can take another one.
  const states = handlers.snapshot === undefined ? {} : { states: true }
  const whole = hashes === true ? { hashes } : {}
  send(state, { type: 'subscribe', id, topic, cursor, ...states, ...whole })
  return () => {
    if (state.subscriptions.delete(id)) send(state, { type: 'unsubscribe', id })
  }
}

function send(state: ClientState, frame: ClientFrame): void {
  state.channel.send(encodeFrame(frame))
}

function receive(state: ClientState, text: string): void {
  if (state.reason !== null) return
  const decoded = decodeEngineFrame(text)
  if (decoded.ok) dispatch(state, decoded.frame)
  else end(state, decoded.error)
}

function dispatch(state: ClientState, frame: EngineFrame): void {
  switch (frame.type) {
    case 'welcome':
      return welcome(state, frame)
    case 'refused':
      return end(state, errorOfRecord(frame.error))
    case 'reply':
      return settle(state, frame)
    case 'snapshot':
      return state.subscriptions.get(frame.id)?.snapshot?.(frame.snapshot, frame.cursor)
    case 'events':
      return state.subscriptions.get(frame.id)?.events(frame.events, frame.cursor)
    case 'frame':
      return takeFrame(state, frame)
    case 'groups':
      return takeGroups(state.subscriptions.get(frame.id), frame)
    case 'live':
      return state.subscriptions.get(frame.id)?.live?.(frame.lines)
    case 'ended':
      return endSubscription(state, frame.id, frame.error)
  }
}

function takeGroups(
  handlers: SubscriptionHandlers | undefined,
  { groups, cursor }: Extract<EngineFrame, { type: 'groups' }>,
): void {
  if (handlers?.groups === undefined) handlers?.events(eventsOfWire(groups), cursor)
  else handlers.groups(groups, cursor)
}

/** Acknowledged whatever becomes of it: a reader that fails has read it all the same. */
function takeFrame(state: ClientState, { frame, pushed }: Extract<EngineFrame, { type: 'frame' }>): void {
  try {
    for (const one of pushed) if (state.reason === null) dispatch(state, one)
  } finally {
    if (state.reason === null) send(state, { type: 'acknowledge', frame })
  }
}

function welcome(state: ClientState, frame: Extract<EngineFrame, { type: 'welcome' }>): void {
  if (frame.protocol === protocolVersion) {
    state.welcome.resolve({ engineVersion: frame.engineVersion, storeId: frame.storeId })
  } else end(state, versionMismatch({ engine: frame.protocol, client: protocolVersion }))
}

function settle(state: ClientState, frame: Extract<EngineFrame, { type: 'reply' }>): void {
  const pending = state.calls.get(frame.id)
  state.calls.delete(frame.id)
  if (frame.ok) pending?.resolve(frame.value)
  else pending?.reject(errorOfRecord(frame.error))
}

function endSubscription(state: ClientState, id: number, error: ErrorRecord): void {
  const handlers = state.subscriptions.get(id)
  state.subscriptions.delete(id)
  handlers?.ended?.(errorOfRecord(error))
}

function end(state: ClientState, reason: SagasmithError): void {
  if (state.reason !== null) return
  state.reason = reason
  state.channel.close()
  state.welcome.reject(reason)
  for (const pending of state.calls.values()) pending.reject(reason)
  state.calls.clear()
  const followed = [...state.subscriptions.values()]
  state.subscriptions.clear()
  for (const handlers of followed) handlers.ended?.(reason)
  state.closed.resolve(reason)
}

const connectionLost = (): SagasmithError =>
  new SagasmithError('engine_stopped', { message: 'The connection to the engine was closed.' })

/** Both sides must speak the same version of the protocol. */
export function versionMismatch(versions: {
  readonly engine: number
  readonly client: number
}): SagasmithError {
  return new SagasmithError('bad_request', {
    message: `The engine speaks version ${versions.engine} of the protocol, the app version ${versions.client}.`,
    hint: 'Reload the page, or start app and engine from the same installation.',
    details: { ...versions },
  })
}
