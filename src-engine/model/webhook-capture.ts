/** A call of a webhook's test address: what came, and what the real address would have made of it. */

import type { JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'
import type { TriggerName } from './trigger.ts'
import { newestFirstPart } from './trigger.ts'

/** What the real address would have made of a call. */
export type CaptureOutcome =
  | { readonly kind: 'starts' }
  /** The filter leaves it out. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly status: number; readonly words: string }

export interface WebhookCapture extends TriggerName {
  readonly id: string
  readonly at: Instant
  readonly method: string
  /** Empty when the caller named none. */
  readonly contentType: string
  /** As it came. */
  readonly bodyBytes: number
  /** The body was larger than what is kept of one, and isn't kept. */
  readonly isCut: boolean
  readonly remote: string
  readonly outcome: CaptureOutcome
}

/** As it is kept. */
export interface CaptureRecord extends WebhookCapture {
  /** What a run would get, without what nobody may see. */
  readonly payload: Payload
}

/** All of them have keys with this beginning. */
export const capturePrefix = 'webhook-capture/'

/** The beginning of the keys of a trigger's captures. */
export const capturesOf = ({ workflowId, triggerId }: TriggerName): string =>
  `${capturePrefix}${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}/`

export const captureKey = (id: string): string => capturePrefix + id

/** Sorts before those of all earlier calls of the trigger. */
export const captureIdOf = (
  name: TriggerName,
  { at, id }: { readonly at: Instant; readonly id: string },
): string => `${capturesOf(name).slice(capturePrefix.length)}${newestFirstPart(at)}-${encodeURIComponent(id)}`

/** As it is kept. */
export const captureValue = (record: CaptureRecord): JsonValue => record as unknown as JsonValue

/** The record that a register holds; null for what isn't one. */
export function readCapture(value: JsonValue | undefined): CaptureRecord | null {
  if (!isJsonObject(value) || typeof value['triggerId'] !== 'string') return null
  // Nothing but this engine writes registers of these keys.
  return value as unknown as CaptureRecord
}
