/** A call of a webhook as it came in, before anybody believed it. */

import type { Instant } from '../../model/time.ts'

export interface WebCall {
  readonly method: string
  /** What follows the token of the address, without the slash before it. */
  readonly path: string
  /** As it stood in the address, without the question mark. */
  readonly query: string
  /** Names in lower case; what came more than once is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The very bytes: signatures are over them and not over what they mean. */
  readonly body: Uint8Array
  /** The address of the caller, as the socket has it. */
  readonly remote: string
  /** By the clock of who received it. */
  readonly at: Instant
}

/** What a header says; empty when it wasn't sent. */
export const headerOf = (call: WebCall, name: string): string => call.headers[name] ?? ''
