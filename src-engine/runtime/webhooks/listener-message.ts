/**
 * What the engine and the process that listens for web calls tell each other: one JSON text each. The
 * listener knows hashes of the secret parts of addresses and nothing else: no secret, no file, no store.
 */

import type { CallbackName } from './callback-address.ts'

/** With what addresses begin: calls of the second kind start nothing. */
export type AddressRoot = 'hooks' | 'hooks-test'

/** An address that is served. */
export interface ListenedRoute {
  /** SHA-256 in hex of the secret part of its address. */
  readonly tokenHash: string
  /** What comes before it. */
  readonly root: AddressRoot | 'callbacks'
  /** What follows the secret part. */
  readonly path: string
  /** Null for every method. */
  readonly method: string | null
  readonly maxBodyBytes: number
  readonly callsPerMinute: number
  /** Nobody is kept waiting longer, whatever the engine does. */
  readonly answerTimeoutMs: number
}

export type ListenerOrder =
  | { readonly kind: 'listen'; readonly host: string; readonly port: number }
  /** `callbackKey` tells addresses of steps that were given out; null or absent where no step may be called. */
  | {
      readonly kind: 'routes'
      readonly routes: readonly ListenedRoute[]
      readonly callbackKey?: string | null
    }
  | {
      readonly kind: 'answer'
      readonly id: number
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: string
    }
  | { readonly kind: 'close' }

/** A call whose address is known, and which is within the limits. */
export interface ListenedCall {
  readonly id: number
  readonly tokenHash: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
  readonly remote: string
  /** The step that is called, as its address names it; absent where it is a trigger. */
  readonly callback?: CallbackName
}

export type ListenerReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'listening'; readonly port: number }
  /** The address can't be listened at. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | ({ readonly kind: 'call' } & ListenedCall)
  /** The caller has hung up; an answer would reach nobody. */
  | { readonly kind: 'gone'; readonly id: number }
