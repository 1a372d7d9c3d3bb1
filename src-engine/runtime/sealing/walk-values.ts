/**
 * Finds the values of people in a record by their form, wherever they stand: payloads, errors, and the few texts
 * that quote either. So a new field or task kind needs nothing here.
 */

import type { ErrorRecord } from '../../model/errors.ts'
import type { Payload } from '../../model/payload.ts'
import type { SealPlace } from './value-cipher.ts'

/** What is made of each value. */
export interface ValueChange {
  readonly payload: (value: Payload, place: SealPlace) => Payload
  readonly error: (value: ErrorRecord, place: SealPlace) => ErrorRecord
  readonly text: (value: string, place: SealPlace) => string
}

/** Fields in which nobody's values are: names, numbers, what claims and counters compare. */
const open: ReadonlySet<string> = new Set([
  'lease',
  'fence',
  'route',
  'permits',
  'tags',
  'ports',
  'origin',
  'link',
])

/** Causes that say where the engine stands, not what it works on. */
const openCauses: ReadonlySet<string> = new Set([
  'start',
  'upstream',
  'recovery',
  'scheduling',
  'signal',
  'trigger:cron',
])

type Fields = Readonly<Record<string, unknown>>

/** The same record with its values changed; the record itself where it has none. */
export function walkValues<Value>(value: Value, place: SealPlace, change: ValueChange): Value {
  return walk(value, place, change) as Value
}

function walk(value: unknown, place: SealPlace, change: ValueChange): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return walkList(value, place, change)
  const fields = value as Fields
  if (isPayload(fields)) return change.payload(fields as unknown as Payload, place)
  if (isError(fields)) return change.error(fields as unknown as ErrorRecord, place)
  let after: Record<string, unknown> | null = null
  for (const name in fields) {
    const item = fields[name]
    const made = walkField(fields, name, { place, change })
    if (made !== item) {
      after ??= { ...fields }
      after[name] = made
    }
  }
  return after ?? value
}

function walkField(
  fields: Fields,
  name: string,
  { place, change }: { readonly place: SealPlace; readonly change: ValueChange },
): unknown {
  const item = fields[name]
  if (typeof item === 'string') {
    return isQuoting(fields, name) ? change.text(item, below(place, name)) : item
  }
  if (typeof item !== 'object' || item === null || open.has(name)) return item
  return walk(item, below(place, name), change)
}

/** Members have the place of their list: what is taken out of it in front moves the others. */
function walkList(list: readonly unknown[], place: SealPlace, change: ValueChange): readonly unknown[] {
  let after: unknown[] | null = null
  for (let index = 0; index < list.length; index += 1) {
    const made = walk(list[index], place, change)
    if (made !== list[index]) {
      after ??= [...list]
      after[index] = made
    }
  }
  return after ?? list
}

/** An event tells its cause again, for every record that it is about. */
const below = ({ scope, path }: SealPlace, name: string): SealPlace => ({
  scope,
  path: name === 'cause' ? name : `${path}.${name}`,
})

function isPayload(fields: Fields): boolean {
  switch (fields['kind']) {
    case 'inline':
      return typeof fields['json'] === 'string'
    case 'blob':
      return typeof fields['hash'] === 'string' && typeof fields['bytes'] === 'number'
    case 'sealed':
      return typeof fields['token'] === 'string'
    default:
      return false
  }
}

const isError = (fields: Fields): boolean =>
  typeof fields['retryable'] === 'boolean' &&
  typeof fields['code'] === 'string' &&
  typeof fields['message'] === 'string' &&
  typeof fields['hint'] === 'string' &&
  typeof fields['details'] === 'object'

/** Texts that quote values: why something waits, what an error said, what a signal is matched by. */
function isQuoting(fields: Fields, name: string): boolean {
  if (name === 'correlation' || name === 'message') return true
  if (name !== 'detail') return false
  const { kind } = fields
  return typeof kind === 'string' && !openCauses.has(kind)
}
