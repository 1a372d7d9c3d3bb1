/** What the engine and a thread that reads texts tell each other. */

import type { ErrorRecord } from '../../model/errors.ts'

/** From the thread: once when it can be asked, then once for each text. */
export type TextMessage =
  | { readonly kind: 'ready' }
  /** The value as JSON: that is read several times as fast as an object is handed over. */
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
