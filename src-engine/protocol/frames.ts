/**
 * The frames on a channel, as JSON text. A client calls, subscribes and acknowledges; the engine replies and
 * pushes. A subscription begins with a snapshot (or at the cursor it was given) and never has a gap.
 */

import type { LogLine } from '../model/attempt.ts'
import type { ErrorRecord } from '../model/errors.ts'
import type { Cursor, EngineEvent } from '../model/event.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'
import type { WireGroup } from '../model/packed-group.ts'
import type { RunSnapshot } from './snapshot.ts'

/** Grows when a frame changes its meaning; both sides refuse another version with a clear message. */
export const protocolVersion = 1

/** What a subscription follows. */
export type Topic =
  /** One run: its snapshot, then its events, and what its tasks print while they print it. */
  | { readonly kind: 'run'; readonly runId: RunId }
  /** All events of the store. */
  | { readonly kind: 'all' }
  /**
   * What concerns who looks at all runs at once (`touchesOverview`). While only other things happen, a message without
   * events says now and then how far they have come: counts of steps are to be asked for again, and who comes back
   * later has little to read again.
   */
  | { readonly kind: 'runs' }

export type ClientFrame =
  | {
      readonly type: 'hello'
      readonly protocol: number
      readonly token: string | null
      /** A known cluster that everything after this is about; absent for the engine's own data. */
      readonly cluster?: string
      /** Does what a person typed, who approves the files that they name; heard only without a token. */
      readonly isCommand?: boolean
      /** Reads `groups` in the place of `events`; absent for a client that doesn't know them. */
      readonly readsGroups?: boolean
      /** Takes what is pushed in frames and acknowledges each; absent for a client that doesn't. */
      readonly acknowledges?: boolean
    }
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly input: JsonValue }
  | {
      readonly type: 'subscribe'
      readonly id: number
      readonly topic: Topic
      /** Continue after it; null for a fresh snapshot (run) or from now on (all, runs). */
      readonly cursor: Cursor | null
      /** Wants to know how a run stands: when it is far behind, a snapshot will do in the place of what it missed. */
      readonly states?: boolean
      /** Wants events with the hashes that chain them, also where the client reads groups. */
      readonly hashes?: boolean
    }
  | { readonly type: 'unsubscribe'; readonly id: number }
  /** The client took in a frame, and all before it. */
  | { readonly type: 'acknowledge'; readonly frame: number }

/** What a subscription says. */
export type PushedFrame = Extract<
  EngineFrame,
  { readonly type: 'snapshot' | 'events' | 'groups' | 'live' | 'ended' }
>

export type EngineFrame =
  | {
      readonly type: 'welcome'
      readonly protocol: number
      readonly engineVersion: string
      readonly storeId: string
    }
  /** The engine won't talk to this client (version, token, malformed text) and closes the channel. */
  | { readonly type: 'refused'; readonly error: ErrorRecord }
  | { readonly type: 'reply'; readonly id: number; readonly ok: true; readonly value: JsonValue }
  | { readonly type: 'reply'; readonly id: number; readonly ok: false; readonly error: ErrorRecord }
  | {
      readonly type: 'snapshot'
      readonly id: number
      readonly snapshot: RunSnapshot
      readonly cursor: Cursor
    }
  /** At most `messageEventsMax` events in order; `cursor` is the place after the last one. */
  | {
      readonly type: 'events'
      readonly id: number
      readonly events: readonly EngineEvent[]
      readonly cursor: Cursor
    }
  /**
   * The same for clients that read groups: the events of one run in one checkpoint each, as the store keeps them. They
   * cost the engine nothing to write and are a fifth as long.
   */
  | {
      readonly type: 'groups'
      readonly id: number
      readonly groups: readonly WireGroup[]
      readonly cursor: Cursor
    }
  /** Not durable: what a running task printed just now. The attempt's log is the truth. */
  | {
      readonly type: 'live'
      readonly id: number
      readonly lines: readonly { readonly invocationId: InvocationId; readonly line: LogLine }[]
    }
  /** All that subscriptions say within a display's frame, to clients that acknowledge. */
  | { readonly type: 'frame'; readonly frame: number; readonly pushed: readonly PushedFrame[] }
  /** The subscription ended with an error (the run doesn't exist). */
  | { readonly type: 'ended'; readonly id: number; readonly error: ErrorRecord }
