/** What the engine and a sandbox process tell each other. Each message is one JSON text. Task files have more: `code-task/task-message.ts`. */

import type { PackageGraph } from './packages/package-graph.ts'

export interface SandboxRequest {
  readonly code: string
  /** Whether its types are to be taken off first; absent for code without any. */
  readonly hasTypes?: boolean
  /** JSON texts: data enters as text and is parsed inside. */
  readonly input: string
  readonly run: string
  readonly vars: string
  /** What stands in `ctx`; absent for code that is handed none. */
  readonly context?: string
  /** What its packages are made of; absent for code without any. */
  readonly packages?: PackageGraph
  readonly timeoutMs: number
  readonly memoryBytes: number
  /** What `Date` says, in milliseconds since 1970, and where `Math.random` starts. */
  readonly now: number
  readonly seed: number
}

/** Tells code that is at work that it is to end. */
export interface StopRequest {
  /** What the reason of its signal is called. */
  readonly stop: 'AbortError' | 'TimeoutError'
  readonly why: string
}

export type SandboxMessage =
  /** The process is up: its time starts now. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly text: string }
  /** `json` is what the code returned, as JSON text; null for nothing. */
  | { readonly kind: 'returned'; readonly json: string | null }
  | {
      readonly kind: 'threw'
      readonly name: string
      readonly message: string
      readonly line: number | null
      readonly column?: number
    }
  /** The code asked for its signal: it wants to be told when it is to end. */
  | { readonly kind: 'listens' }
  /** Of a task file: what is run of it, its types taken off. */
  | { readonly kind: 'code'; readonly text: string }
  /** Of a task file: a request that it wants to be sent, as JSON text. */
  | { readonly kind: 'http'; readonly id: number; readonly request: string }
  | { readonly kind: 'limit'; readonly limit: 'time' | 'memory' | 'stack' }

/** The guest's stack. A larger one lets deeply nested data overflow the host's. */
export const guestStackBytes = 128 * 1024
/** After the guest's own deadline it gets this many times as long before its process is killed. */
export const hardLimitFactor = 3
/** A process that isn't up after this never will be. */
export const startMsMax = 20_000
/** Of its time, what code that waits between two turns is told to end after. */
export const tellAfterShare = 0.9
export const logLinesMax = 1_000
export const logLineCharsMax = 4_000
/** Of the message of what was thrown. */
export const thrownCharsMax = 10_000
/** Where secrets may be in what is said: it is cut once they are out of it, for half of one is found by nobody. */
export const uncutCharsMax = 1_000_000
