/** What main loop and heartbeat thread say to each other, besides the counter that they share. */

import type { InvocationId } from '../model/ids.ts'
import type { RenewerAddress } from '../store/renewer-address.ts'
import type { HeartbeatNews, HeartbeatTimes, HeldWork } from './heartbeat-driver.ts'

/** Given to the thread when it starts. */
export interface HeartbeatThreadData {
  readonly address: RenewerAddress
  readonly times: HeartbeatTimes
  readonly held: HeldWork
  /** One 32-bit counter: grows as long as the main loop turns. */
  readonly progress: SharedArrayBuffer
}

export type ToHeartbeatThread =
  | { readonly kind: 'held'; readonly held: HeldWork }
  /** The answer to all that want it; null for none. */
  | { readonly kind: 'password'; readonly password: string | null }
  | { readonly kind: 'stop' }

/** The thread reads rows of owned work, which don't say who wants what cancelled: the main loop looks. */
export type FromHeartbeatThread =
  | Exclude<HeartbeatNews, { readonly kind: 'renewed' }>
  | { readonly kind: 'renewed'; readonly lost: readonly InvocationId[] }
  /** It is about to connect: the one it was given may have been rotated since. */
  | { readonly kind: 'password-wanted' }
  | { readonly kind: 'stopped' }
