/** What the engine needs from the world around it; injected everywhere, real only in `system-ports.ts`. */

import type { JsonObject } from './json.ts'
import type { Instant, Millis } from './time.ts'

export interface Clock {
  /** The wall clock. */
  now(): Instant
  /** A clock that never jumps: only its differences mean anything. */
  monotonic(): Millis
  /** Like it, but goes on while the machine sleeps; absent where nothing tells. Slow: for rare looks. */
  uptime?(): Millis
  /** Calls once after the span; returns the way to cancel. */
  after(span: Millis, call: () => void): () => void
  /** Calls in the next turn of the event loop; absent where time is virtual. */
  turn?(call: () => void): void
}

export interface Random {
  /** Uniform in [0, 1). */
  next(): number
}

export interface Ids {
  /** A new unique text, sortable by time of making: 26 characters of Crockford base32. */
  next(): string
}

export interface Logger {
  readonly debug: (event: string, fields?: JsonObject) => void
  readonly info: (event: string, fields?: JsonObject) => void
  readonly warn: (event: string, fields?: JsonObject) => void
  readonly error: (event: string, fields?: JsonObject) => void
}
