/**
 * Keys of occurrences, where a trigger says what makes two of them one. A key is written in the checkpoint that the
 * first one is decided in, and goes when it is no longer known.
 */

import { createHash } from 'node:crypto'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { OccurrenceKeyParameters } from '../../model/occurrence-key-fields.ts'
import type { Instant } from '../../model/time.ts'
import { hour } from '../../model/time.ts'
import type { TriggerName } from '../../model/trigger.ts'
import { lookAtRegister } from '../register-look.ts'
import type { ExpressionParts, SeenEvent } from './event-match.ts'
import { keyOf } from './event-match.ts'
import type { GuardedWrite, TriggerRegistersParts } from './trigger-registers.ts'
import type { NoStart } from './wanted-start.ts'
import { failed } from './wanted-start.ts'

/** All of them have keys with this beginning. */
export const occurrenceKeyPrefix = 'trigger-key/'

/** What is known of a key. */
interface KeyMark {
  /** The occurrence that was the first with it. */
  readonly id: string
  readonly at: Instant
  readonly until: Instant
}

export interface KeyedOccurrence {
  readonly name: TriggerName
  readonly parameters: OccurrenceKeyParameters
  /** By which a repeat of its delivery is known. */
  readonly id: string
  readonly event: SeenEvent
}

export type KeyLook =
  /** It counts; null where it has no key, else what is to be written with whatever is decided of it. */
  | { readonly kind: 'counts'; readonly mark: GuardedWrite | null }
  /** One with its key came before, or the expression fails. */
  | { readonly kind: 'not'; readonly skip: NoStart }

export async function lookForKey(
  parts: TriggerRegistersParts & ExpressionParts,
  { name, parameters, id, event }: KeyedOccurrence,
): Promise<KeyLook> {
  const { key: text = '', keyMs = hour } = parameters
  if (text.trim() === '') return { kind: 'counts', mark: null }
  const now = parts.clock.now()
  let key: string | null
  try {
    key = await keyOf(parts, text, { event, now })
  } catch (thrown) {
    return { kind: 'not', skip: failed('The expression for its key', thrown) }
  }
  if (key === null) return { kind: 'counts', mark: null }
  const register = registerOf(name, key)
  const { register: found, epoch, version } = await lookAtRegister(parts, register)
  const before = readMark(found?.value)
  if (before !== null && before.until > now && before.id !== id)
    return { kind: 'not', skip: repeated(before) }
  const mark: KeyMark = before?.id === id ? before : { id, at: now, until: now + keyMs }
  const value = { ...mark }
  return { kind: 'counts', mark: { key: register, epoch, version, value, dueAt: mark.until } }
}

/** Why one with a key that is known starts nothing. */
const repeated = ({ at }: KeyMark): NoStart => repeatedWords(new Date(at).toISOString())

/** The same, where the one before has just come. */
export const repeatedWords = (when: string): NoStart => ({
  kind: 'nothing',
  reason: 'repeated',
  words: `One with the same key came at ${when}.`,
})

function registerOf({ workflowId, triggerId }: TriggerName, key: string): string {
  const hash = createHash('sha256').update(key).digest('base64url')
  return `${occurrenceKeyPrefix}${encodeURIComponent(workflowId)}/${encodeURIComponent(triggerId)}/${hash}`
}

function readMark(value: JsonValue | undefined): KeyMark | null {
  if (!isJsonObject(value) || typeof value['until'] !== 'number') return null
  // Nothing but this file writes registers of these keys.
  return value as unknown as KeyMark
}
