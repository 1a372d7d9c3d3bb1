/**
 * A line to the engine that comes back by itself: when the channel closes, what was pending is rejected, a
 * new channel is opened with growing patience, and every subscription goes on after its last cursor.
 */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { Cursor } from '../../src-engine/model/event.ts'
import type { WireGroup } from '../../src-engine/model/packed-group.ts'
import type { InputOf, Method, OutputOf } from '../../src-engine/protocol/api.ts'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import type { EngineClient, SubscriptionHandlers, Welcome } from '../../src-engine/protocol/client.ts'
import { createClient } from '../../src-engine/protocol/client.ts'
import type { Topic } from '../../src-engine/protocol/frames.ts'
import type { RunSnapshot } from '../../src-engine/protocol/snapshot.ts'

export type ConnectionState =
  | { readonly status: 'connecting' }
  | { readonly status: 'open'; readonly welcome: Welcome }
  /** The next try is on its way. */
  | { readonly status: 'lost'; readonly reason: SagasmithError }
  /** Trying again cannot help: a wrong token, another protocol version. */
  | { readonly status: 'refused'; readonly reason: SagasmithError }

export interface ConnectionOptions {
  readonly open: () => Promise<Channel>
  readonly token: string | null
  /** Everything is about this cluster; null (or absent) for the engine's own data. */
  readonly cluster?: string | null
  /** Calls once after the span; returns the way to cancel. */
  readonly after: (ms: number, call: () => void) => () => void
}

export interface EngineConnection {
  readonly state: StoreApi<ConnectionState>
  /** Waits for a line that is being opened; rejects with `engine_stopped` when it can't be. */
  readonly call: <M extends Method>(method: M, input: InputOf<M>) => Promise<OutputOf<M>>
  /** Follows a topic across reconnects; `cursor` as in the protocol. Returns the way to stop. */
  readonly follow: (topic: Topic, handlers: SubscriptionHandlers, cursor?: Cursor | null) => () => void
  readonly close: () => void
}

const firstDelayMs = 250
const delayMsMax = 5_000
/** Reasons that no new try changes. */
const finalCodes = ['unauthorized', 'bad_request', 'cluster_unknown', 'cluster_address_invalid']

interface Followed {
  readonly topic: Topic
  readonly handlers: SubscriptionHandlers
  cursor: Cursor | null
  stop: () => void
}

interface Line {
  readonly options: ConnectionOptions
  readonly state: StoreApi<ConnectionState>
  readonly followed: Set<Followed>
  client: EngineClient | null
  ready: PromiseWithResolvers<EngineClient>
  tries: number
  cancelRetry: () => void
  isClosed: boolean
}

/** Opens the line at once and keeps it open until `close`. */
export function createConnection(options: ConnectionOptions): EngineConnection {
  const line: Line = {
    options,
    state: createStore<ConnectionState>(() => ({ status: 'connecting' })),
    followed: new Set(),
    client: null,
    ready: newReady(),
    tries: 0,
    cancelRetry: () => undefined,
    isClosed: false,
  }
  void connect(line)
  return {
    state: line.state,
    call: async (method, input) => (await line.ready.promise).call(method, input),
    follow: (topic, handlers, cursor = null) =>
      follow(line, { topic, handlers, cursor, stop: () => undefined }),
    close: () => {
      line.isClosed = true
      line.cancelRetry()
      line.client?.close()
    },
  }
}

function newReady(): PromiseWithResolvers<EngineClient> {
  const ready = Promise.withResolvers<EngineClient>()
  // Whoever calls meanwhile gets the reason; nobody else needs to be told.
  ready.promise.catch(() => undefined)
  return ready
}

async function connect(line: Line): Promise<void> {
  try {
    const channel = await line.options.open()
    const { token, cluster = null } = line.options
    const ways = { token, readsGroups: true, acknowledges: true }
    const client = createClient(channel, cluster === null ? ways : { ...ways, cluster })
    const welcome = await client.welcome
    line.client = client
    line.tries = 0
    for (const followed of line.followed) attach(client, followed)
    line.ready.resolve(client)
    line.state.setState({ status: 'open', welcome }, true)
    void client.closed.then((reason) => lost(line, reason))
  } catch (error) {
    lost(
      line,
      error instanceof SagasmithError ? error : new SagasmithError('engine_stopped', { cause: error }),
    )
  }
}

function lost(line: Line, reason: SagasmithError): void {
  line.client = null
  const waiting = line.ready
  line.ready = newReady()
  waiting.reject(reason)
  if (line.isClosed || finalCodes.includes(reason.code)) {
    line.ready.reject(reason)
    line.state.setState({ status: 'refused', reason }, true)
    return
  }
  line.state.setState({ status: 'lost', reason }, true)
  const delayMs = Math.min(delayMsMax, firstDelayMs * 2 ** line.tries)
  line.tries += 1
  line.cancelRetry = line.options.after(delayMs, () => void connect(line))
}

function follow(line: Line, followed: Followed): () => void {
  line.followed.add(followed)
  if (line.client !== null) attach(line.client, followed)
  return () => {
    line.followed.delete(followed)
    followed.stop()
  }
}

function attach(client: EngineClient, followed: Followed): void {
  const { topic, handlers } = followed
  const { snapshot: takeSnapshot, groups: takeGroups } = handlers
  // Who has no use for snapshots wants every event, and says so by not taking any.
  const snapshots =
    takeSnapshot === undefined
      ? {}
      : {
          snapshot: (snapshot: RunSnapshot, cursor: Cursor) => {
            followed.cursor = cursor
            takeSnapshot(snapshot, cursor)
          },
        }
  const groups =
    takeGroups === undefined
      ? {}
      : {
          groups: (packed: readonly WireGroup[], cursor: Cursor) => {
            followed.cursor = cursor
            takeGroups(packed, cursor)
          },
        }
  followed.stop = client.subscribe(
    { topic, cursor: followed.cursor },
    {
      ...snapshots,
      ...groups,
      events: (events, cursor) => {
        followed.cursor = cursor
        handlers.events(events, cursor)
      },
      live: (lines) => handlers.live?.(lines),
      ended: (error) => {
        // A closed channel is not the end: the next line goes on after the cursor.
        if (error.code !== 'engine_stopped') handlers.ended?.(error)
      },
    },
  )
}
