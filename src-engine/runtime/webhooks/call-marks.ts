/**
 * Which messages of a webhook came before. A mark is written in the checkpoint that starts the run, so a
 * message that is sent again starts nothing, whatever crashed in between; it is kept longer than any sender
 * goes on trying.
 */

import { createHash } from 'node:crypto'
import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { day } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'

/** All marks have keys with this beginning. */
export const callMarkPrefix = 'webhook-call/'

/** Senders give up after some days. */
export const callMarksKeptMs: Millis = 8 * day

/** Tries of one message that are told apart; more come from no sender that behaves. */
export const markedTriesMax = 50

export interface CallMark {
  /** Of the run that the message started, or would have. */
  readonly runId: RunId
  readonly at: Instant
  /** Hashes of the signatures of each try. */
  readonly tries: readonly string[]
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const markKey = ({ workflowId, triggerId }: TriggerName, messageId: string): string =>
  `${callMarkPrefix}${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}/${hashOf(messageId)}`

/** A try as its mark remembers it. */
export const tryMark = (tryId: string): string => hashOf(tryId).slice(0, 22)

export const markValue = (mark: CallMark): JsonValue => ({ ...mark, tries: [...mark.tries] })

/** The mark that a register holds; null for what isn't one. */
export function readMark(value: JsonValue | undefined): CallMark | null {
  if (!isJsonObject(value) || typeof value['at'] !== 'number' || !Array.isArray(value['tries'])) return null
  // Nothing but this file writes registers of these keys.
  return value as unknown as CallMark
}
