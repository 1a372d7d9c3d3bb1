/** What the main process and the engine's process say to each other outside the pages' lines. */

import type { ErrorRecord } from '../src-engine/model/errors.ts'
import type { KeyStoreAnswer, KeyStoreRequest } from './key-store.ts'

/** The system is about to sleep, or woke up. */
export type PowerHint = 'suspend' | 'resume'

/** The programs that only the main process can start, each an entry of the bundle. All but the last have little right. */
export type GuardedProgram = 'javascript-sandbox' | 'sqlite-steps' | 'webhook-listener' | 'crash-worker'

export type MainToEngine =
  /** The message carries a port: serve the protocol over it. */
  | { readonly kind: 'connect' }
  /** Write what must be written, then exit with code 0. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'power'; readonly hint: PowerHint }
  /** A person opened or saved this file: the engine may keep its tests beside it. */
  | { readonly kind: 'grant'; readonly path: string }
  /** The message carries the line to the guarded process that was asked for. */
  | { readonly kind: 'sandbox'; readonly id: number }
  | { readonly kind: 'key-store'; readonly id: number; readonly answer: KeyStoreAnswer }

export type EngineToMain =
  | { readonly kind: 'ready' }
  /** The engine cannot run and will exit; starting it again would end the same way. */
  | { readonly kind: 'refused'; readonly error: ErrorRecord }
  /** Only the main process can start processes in a packaged app. */
  | { readonly kind: 'start-sandbox'; readonly id: number; readonly program: GuardedProgram }
  /** Only the main process can ask the system's key store. */
  | { readonly kind: 'ask-key-store'; readonly id: number; readonly request: KeyStoreRequest }
