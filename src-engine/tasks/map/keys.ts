/** The keys of a map's items: one expression over each of them, and what becomes of two items with the same. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { plainText } from '../json-text.ts'
import type { TaskContext } from '../task.ts'
import type { Evaluate } from '../task-ports.ts'
import type { MapParameters } from './spec.ts'

/** So many are asked in one go: the time and size that an expression may take count for each go. */
const keysAtATime = 500

/** Items with the key of each. */
export interface KeyedItems {
  readonly items: readonly JsonValue[]
  readonly keys: readonly string[]
}

/** The items that are worked on, with their keys. Throws for an item without one, and for two with the same. */
export async function keyedItems(
  items: readonly JsonValue[],
  { key, onDuplicate }: Pick<MapParameters, 'key' | 'onDuplicate'>,
  by: { readonly evaluate: Evaluate; readonly context: Pick<TaskContext, 'clock' | 'idempotencyKey'> },
): Promise<KeyedItems> {
  const keys: string[] = []
  for (let start = 0; start < items.length; start += keysAtATime) {
    const found = await valuesOf(items.slice(start, start + keysAtATime), { key, start }, by)
    for (const value of found) keys.push(keyText(value, keys.length))
  }
  return onDuplicate === 'fail' ? unique(items, keys) : oneOfEach(items, keys, onDuplicate)
}

async function valuesOf(
  items: readonly JsonValue[],
  { key, start }: { readonly key: string; readonly start: number },
  { evaluate, context }: Parameters<typeof keyedItems>[2],
): Promise<readonly JsonValue[]> {
  const rows = items.map((item, index): JsonObject => ({ item, index: start + index }))
  // Each gives an object, so that none is left out and no list is opened.
  const expression = `$map(rows, function($row) { $row.{ "key": (${key}\n) } })`
  const scope = { rows }
  const { clock, idempotencyKey: seed } = context
  const found = await evaluate({ expression, scope, now: clock.now(), seed })
  // Of a single row the object itself comes back.
  const objects = Array.isArray(found) ? found : [found]
  return objects.map((object) => (isJsonObject(object) ? (object['key'] ?? null) : null))
}

function keyText(value: JsonValue, index: number): string {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrong(
    `The key of item ${index + 1} is ${value === null ? 'nothing' : plainText(value)}: a key is a text or a number.`,
    'Correct the expression, or leave out items without a key.',
  )
}

function unique(items: readonly JsonValue[], keys: readonly string[]): KeyedItems {
  const places = new Map<string, number>()
  for (const [index, key] of keys.entries()) {
    const before = places.get(key)
    if (before !== undefined) {
      throw wrong(
        `Items ${before + 1} and ${index + 1} have the same key, “${key}”.`,
        'Choose a key that tells them apart, or say which of them counts.',
      )
    }
    places.set(key, index)
  }
  return { items, keys }
}

/** In the order of the items that stay. */
function oneOfEach(
  items: readonly JsonValue[],
  keys: readonly string[],
  which: 'first' | 'last',
): KeyedItems {
  const places = new Map<string, number>()
  for (const [index, key] of keys.entries()) {
    if (which === 'last' || !places.has(key)) places.set(key, index)
  }
  const stay = [...places.values()].sort((a, b) => a - b)
  return { items: stay.map((index) => items[index] ?? null), keys: stay.map((index) => keys[index] ?? '') }
}

const wrong = (message: string, hint: string): SagasmithError =>
  new SagasmithError('task_input_invalid', { message, hint, details: { field: 'key' } })
