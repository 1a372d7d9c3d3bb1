/**
 * Serves the engine over one channel: hello and welcome, calls (decoded, validated, dispatched, encoded) and
 * subscriptions. It knows no transport and no files.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { recordOfThrown, SagasmithError, toErrorRecord } from '../model/errors.ts'
import type { JsonValue } from '../model/json.ts'
import {
  connectionCallsMax,
  connectionPendingMax,
  connectionSubscriptionsMax,
  helloTimeoutMs,
} from '../model/limits.ts'
import type { Clock, Logger } from '../model/ports.ts'
import type { Method } from '../protocol/api.ts'
import type { Channel } from '../protocol/channel.ts'
import { versionMismatch } from '../protocol/client.ts'
import { badRequest, decodeClientFrame, encodeFrame } from '../protocol/codec.ts'
import type { ClientFrame, EngineFrame } from '../protocol/frames.ts'
import { protocolVersion } from '../protocol/frames.ts'
import { inputSchemas, isMethod } from '../protocol/schema.ts'
import type { Engine } from '../runtime/engine.ts'
import type { FrameLine } from './frame-line.ts'
import { createFrameLine } from './frame-line.ts'
import type { Handlers } from './handlers/contract.ts'
import { openSubscription } from './subscription.ts'

export interface HostDeps {
  readonly handlers: Handlers
  /** What is served to commands instead: what they name is approved by naming it. The same when absent. */
  readonly forCommands?: Handlers
  readonly engine: Pick<Engine, 'snapshot' | 'follow' | 'onLive' | 'liveSoFar' | 'store'>
  readonly clock: Clock
  readonly log: Logger
  readonly welcome: { readonly engineVersion: string; readonly storeId: string }
  /** What is served to those who ask for a cluster; throws what keeps it from being reached. */
  readonly cluster?: (name: string) => Promise<HostDeps>
}

interface Connection {
  /** Of a cluster once its client has said that it means one. */
  deps: HostDeps
  readonly channel: Channel
  readonly token: string | null
  readonly subscriptions: Map<number, () => void>
  callCount: number
  isWelcome: boolean
  /** Whether its client does what a person typed. */
  isCommand: boolean
  readsGroups: boolean
  /** Null for a client that doesn't acknowledge. */
  frames: FrameLine | null
  /** What came while the cluster was being reached; null when nothing has to wait. */
  waiting: ClientFrame[] | null
  isClosed: boolean
}

/**
 * Serves a channel until it closes. `token` is what the first frame must carry; null where the channel
 * itself proves who is on it. Returns the way to stop.
 */
export function serveChannel(deps: HostDeps, channel: Channel, token: string | null): () => void {
  const connection: Connection = {
    deps,
    channel,
    token,
    subscriptions: new Map(),
    callCount: 0,
    isWelcome: false,
    isCommand: false,
    readsGroups: false,
    frames: null,
    waiting: null,
    isClosed: false,
  }
  const cancelTimeout = deps.clock.after(helloTimeoutMs, () => {
    // One whose cluster doesn't answer has said it, and is told by the cluster's own patience.
    if (connection.isWelcome || connection.waiting !== null) return
    // It may have been busy, or asleep: a page that was refused for good would never try again.
    refuse(
      connection,
      new SagasmithError('engine_stopped', { message: 'The connection said no hello in time.' }),
    )
  })
  const stop = (): void => {
    if (connection.isClosed) return
    connection.isClosed = true
    cancelTimeout()
    for (const stopFollowing of connection.subscriptions.values()) stopFollowing()
    connection.subscriptions.clear()
    connection.frames?.stop()
    channel.close()
  }
  channel.onClose(stop)
  channel.onMessage((text) => receive(connection, text))
  return stop
}

function receive(connection: Connection, text: string): void {
  if (connection.isClosed) return
  const decoded = decodeClientFrame(text)
  if (decoded.ok) return dispatch(connection, decoded.frame)
  if (connection.isWelcome && decoded.id !== null) {
    return send(connection, { type: 'reply', id: decoded.id, ok: false, error: toErrorRecord(decoded.error) })
  }
  refuse(connection, decoded.error)
}

function dispatch(connection: Connection, frame: ClientFrame): void {
  if (frame.type === 'hello') return hello(connection, frame)
  if (connection.waiting !== null) return void connection.waiting.push(frame)
  if (!connection.isWelcome) return refuse(connection, new SagasmithError('unauthorized'))
  switch (frame.type) {
    case 'call':
      void call(connection, frame)
      return
    case 'subscribe':
      return subscribe(connection, frame)
    case 'unsubscribe':
      return unsubscribe(connection, frame.id)
    case 'acknowledge':
      return connection.frames?.acknowledged(frame.frame)
  }
}

function hello(connection: Connection, frame: Extract<ClientFrame, { type: 'hello' }>): void {
  // The token comes first: a stranger learns nothing, not even the version.
  if (connection.token !== null && !sameText(frame.token ?? '', connection.token)) {
    connection.deps.log.warn('host.refused', { reason: 'token' })
    return refuse(connection, new SagasmithError('unauthorized'))
  }
  if (frame.protocol !== protocolVersion) {
    return refuse(connection, versionMismatch({ engine: protocolVersion, client: frame.protocol }))
  }
  // Pages come with a token: what they say of themselves doesn't count.
  connection.isCommand = frame.isCommand === true && connection.token === null
  connection.readsGroups = frame.readsGroups === true
  if (frame.acknowledges === true) connection.frames ??= framesOf(connection)
  if (frame.cluster === undefined) return welcome(connection)
  if (connection.waiting !== null || connection.isWelcome) return
  connection.waiting = []
  void welcomeTo(connection, frame.cluster)
}

function framesOf({ deps, channel }: Connection): FrameLine {
  const pending = (): number => channel.pending?.() ?? 0
  return createFrameLine({ clock: deps.clock, send: (text) => channel.send(text), pending })
}

function welcome(connection: Connection): void {
  connection.isWelcome = true
  send(connection, { type: 'welcome', protocol: protocolVersion, ...connection.deps.welcome })
}

/** A client doesn't wait for its welcome before it calls: its frames wait for the cluster. */
async function welcomeTo(connection: Connection, cluster: string): Promise<void> {
  try {
    const { deps } = connection
    if (deps.cluster === undefined) throw new SagasmithError('cluster_unknown', { details: { cluster } })
    connection.deps = await deps.cluster(cluster)
    const frames = connection.waiting ?? []
    connection.waiting = null
    if (connection.isClosed) return
    welcome(connection)
    for (const frame of frames) dispatch(connection, frame)
  } catch (thrown) {
    logUnexpected(connection.deps.log, 'hello', thrown)
    if (!connection.isClosed) refuse(connection, thrown)
  }
}

async function call(connection: Connection, frame: Extract<ClientFrame, { type: 'call' }>): Promise<void> {
  const { id, method } = frame
  connection.callCount += 1
  try {
    if (connection.callCount > connectionCallsMax) throw tooMany('calls', connectionCallsMax)
    if (!isMethod(method)) throw unknownMethod(method)
    const { handlers, forCommands = handlers } = connection.deps
    const value = await answer(connection.isCommand ? forCommands : handlers, method, frame.input)
    send(connection, { type: 'reply', id, ok: true, value })
  } catch (thrown) {
    logUnexpected(connection.deps.log, method, thrown)
    send(connection, { type: 'reply', id, ok: false, error: recordOfThrown(thrown) })
  } finally {
    connection.callCount -= 1
  }
}

async function answer<M extends Method>(handlers: Handlers, method: M, input: JsonValue): Promise<JsonValue> {
  // Each method's schema has a type of its own; that of all of them together is too much for the compiler.
  const schema: z.ZodType = (inputSchemas as Readonly<Record<Method, z.ZodType>>)[method]
  const checked = schema.safeParse(input)
  if (!checked.success) throw badRequest(`The input of ${method}`, checked.error)
  // The schema of a method yields exactly its input; TypeScript can't follow that through the union.
  const handler = handlers[method] as (input: unknown) => Promise<unknown>
  // Outputs of the contract are plain JSON data.
  return (await handler(checked.data)) as JsonValue
}

function subscribe(connection: Connection, frame: Extract<ClientFrame, { type: 'subscribe' }>): void {
  unsubscribe(connection, frame.id)
  if (connection.subscriptions.size >= connectionSubscriptionsMax) {
    const error = toErrorRecord(tooMany('subscriptions', connectionSubscriptionsMax))
    return send(connection, { type: 'ended', id: frame.id, error })
  }
  const { channel, deps, frames } = connection
  const pending = (): number => channel.pending?.() ?? 0
  const stop = openSubscription(
    {
      engine: deps.engine,
      clock: deps.clock,
      sendText: (text) => (frames ?? channel).send(text),
      isReady: () => (frames === null ? pending() <= connectionPendingMax : frames.isOpen()),
      isBehind: () => frames?.isBehind() === true,
      readsGroups: connection.readsGroups,
      onEnd: () => connection.subscriptions.delete(frame.id),
    },
    frame,
  )
  connection.subscriptions.set(frame.id, stop)
}

function unsubscribe(connection: Connection, id: number): void {
  connection.subscriptions.get(id)?.()
  connection.subscriptions.delete(id)
}

function send(connection: Connection, frame: EngineFrame): void {
  if (!connection.isClosed) connection.channel.send(encodeFrame(frame))
}

function refuse(connection: Connection, error: unknown): void {
  send(connection, { type: 'refused', error: recordOfThrown(error) })
  connection.channel.close()
}

function logUnexpected(log: Logger, method: string, thrown: unknown): void {
  if (thrown instanceof SagasmithError) return
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  log.error('host.failed', { method, stack })
}

const tooMany = (what: string, limit: number): SagasmithError =>
  new SagasmithError('bad_request', {
    message: `This connection already has ${limit} ${what} under way.`,
    hint: 'Wait for some of them to end.',
  })

const unknownMethod = (method: string): SagasmithError =>
  new SagasmithError('unknown_method', {
    message: `The engine does not know “${method}”.`,
    details: { method },
  })

/** Compares in a time that tells nothing about where two texts differ. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
