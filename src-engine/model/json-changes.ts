/**
 * How JSON data differs from what it was, as a list that leads from the one to the other: what is kept elsewhere needs to be
 * told of an edit as much as the edit is. Values that are the same object aren't looked into. Pure.
 */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

/** What is at a place from now on. */
export interface JsonChange {
  /** The names that lead there; none for all of it. */
  readonly path: readonly string[]
  /** Absent: nothing is there any more. */
  readonly value?: JsonValue
}

/** What leads from one value to the other, in the order in which it is to be done; the order of keys is kept, too. */
export function changesBetween(before: JsonObject, now: JsonObject): readonly JsonChange[] {
  return [...differences([], before, now)]
}

function* differences(
  path: readonly string[],
  before: JsonValue,
  now: JsonValue,
): Generator<JsonChange, void> {
  if (before === now) return
  if (!isJsonObject(before) || !isJsonObject(now) || !canBeTold(before, now)) {
    yield { path, value: now }
    return
  }
  const [old, young] = [keysOf(before), keysOf(now)]
  for (const key of old) if (!has(now, key)) yield { path: [...path, key] }
  for (const key of young) {
    const [was, is] = [before[key], now[key]]
    if (is === undefined || was === is) continue
    if (was === undefined) yield { path: [...path, key], value: is }
    else yield* differences([...path, key], was, is)
  }
}

/** A name that isn't one of the data when it is written to. */
const meansElse = '__proto__'

/** What is undefined isn't there, in JSON. */
const has = (object: JsonObject, key: string): boolean =>
  Object.hasOwn(object, key) && object[key] !== undefined
const keysOf = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((key) => object[key] !== undefined)

/**
 * Whether what one becomes of the other can be told name by name: what stayed has its order and what is new comes after
 * it, for so it will be once the changes are made.
 */
function canBeTold(before: JsonObject, now: JsonObject): boolean {
  const [old, young] = [keysOf(before), keysOf(now)]
  if (old.includes(meansElse) || young.includes(meansElse)) return false
  let at = 0
  for (const key of old) {
    if (!has(now, key)) continue
    if (young[at] !== key) return false
    at += 1
  }
  return true
}

/** The value with the changes made; what none of them touches is shared. Throws where one has nothing to be made in. */
export function withChanges(value: JsonObject, changes: readonly JsonChange[]): JsonObject {
  // Copied once, however many changes are made in it.
  const own = new Set<JsonValue>()
  const result = changes.reduce<JsonValue | undefined>(
    (at, change) => changed(at, { change, depth: 0, own }),
    value,
  )
  if (!isJsonObject(result)) throw new Error('Changes of an object have to leave one.')
  return result
}

interface Place {
  readonly change: JsonChange
  /** So many names of the path led here. */
  readonly depth: number
  readonly own: Set<JsonValue>
}

function changed(at: JsonValue | undefined, { change, depth, own }: Place): JsonValue | undefined {
  const key = change.path[depth]
  if (key === undefined) return change.value
  if (!isJsonObject(at) || key === meansElse)
    throw new Error(`There is nothing at ${change.path.join('/')} that could be changed.`)
  const copy: Record<string, JsonValue> = own.has(at) ? at : { ...at }
  own.add(copy)
  const inner = changed(Object.hasOwn(copy, key) ? copy[key] : undefined, { change, depth: depth + 1, own })
  if (inner === undefined) delete copy[key]
  else copy[key] = inner
  return copy
}
