/** A payload: JSON text kept beside its record while small, or once by content hash when large. */

import type { BlobHash } from './ids.ts'
import { inlinePayloadBytesMax } from './limits.ts'

export type Payload =
  /** `json` is JSON text: stored and sent as it is, parsed only where it is read. */
  | { readonly kind: 'inline'; readonly json: string }
  | {
      readonly kind: 'blob'
      readonly hash: BlobHash
      readonly bytes: number
      /** Its blob is this value's alone, and goes when its run is over; absent for what stays with its run. */
      readonly fleeting?: Fleeting
    }
  /** Only the workspace's key opens the token (seal.ts); `blob` says which blob it names, so that this stays. */
  | {
      readonly kind: 'sealed'
      readonly token: string
      readonly blob: BlobHash | null
      /** The blob goes when its run is over; absent where it stays. */
      readonly fleeting?: true
      /** Why it can't be read here; never stored. */
      readonly problem?: 'key-missing' | 'damaged'
    }

/** What stays of a value that goes when its run is over. */
export interface Fleeting {
  /** JSON text that tells its shape; null for nothing. */
  readonly summary: string | null
}

/** A payload whose value goes when its run is over. */
export type FleetingPayload = Extract<Payload, { readonly kind: 'blob' }> & { readonly fleeting: Fleeting }

export const isFleeting = (payload: Payload): payload is FleetingPayload =>
  payload.kind === 'blob' && payload.fleeting !== undefined

/** The payload of JSON text that is small enough to stay in its record; null when it needs a blob. */
export function inlinePayload(json: string): Payload | null {
  // A UTF-16 unit is at most three bytes of UTF-8, so short texts need no exact count.
  if (json.length * 3 <= inlinePayloadBytesMax) return { kind: 'inline', json }
  return utf8Bytes(json) <= inlinePayloadBytesMax ? { kind: 'inline', json } : null
}

/** The length of a text in UTF-8, without encoding it. */
export function utf8Bytes(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (isPair(unit, text.charCodeAt(index + 1))) {
      bytes += 4
      index += 1
    } else bytes += 3
  }
  return bytes
}

/** Half of a surrogate pair alone becomes the three bytes of the replacement character. */
function isPair(unit: number, next: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && next >= 0xdc00 && next < 0xe000
}
