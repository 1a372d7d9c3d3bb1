/** What is kept of an event that was emitted: what it said, and which triggers it met. */

import type { InvocationId } from './ids.ts'
import type { JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'
import type { TriggerName } from './trigger.ts'
import { newestFirstPart } from './trigger.ts'

export interface EventRecord {
  readonly id: string
  /** The sender's own, or one that was made for it: a repeat of it changes nothing. */
  readonly messageId: string
  readonly name: string
  readonly correlation: string | null
  readonly payload: Payload
  readonly at: Instant
  /** The step that emitted it; null for somebody outside. */
  readonly source: InvocationId | null
  readonly met: readonly MetTrigger[]
}

/** A trigger whose name and filter fit the event, and what came of it. */
export interface MetTrigger extends TriggerName {
  /** The record that says so; null while it is gathered with others. */
  readonly firingId: string | null
}

/** All records of events have keys with this beginning. */
export const eventPrefix = 'event/'

export const eventIdOf = (event: { readonly messageId: string; readonly at: Instant }): string =>
  `${newestFirstPart(event.at)}/${encodeURIComponent(event.messageId)}`

export const eventKey = (id: string): string => eventPrefix + id

/** The record as it is kept. */
export const eventValue = (record: EventRecord): JsonValue => record as unknown as JsonValue

/** The record that a register holds; null for what isn't one. */
export function readEventRecord(value: JsonValue | undefined): EventRecord | null {
  if (!isJsonObject(value) || typeof value['messageId'] !== 'string') return null
  // Nothing but this engine writes registers of these keys.
  return value as unknown as EventRecord
}
