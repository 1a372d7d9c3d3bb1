/** The shape of a value without anything that stands in it: what stays of an output of which only a summary is kept. */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

const depthMax = 3
const fieldsMax = 20
const nameCharsMax = 60

/** Kinds and sizes, by the names of fields; of a list, how long it is and what its first item is like. */
export function valueSummary(value: JsonValue, depth = 0): JsonValue {
  if (value === null) return 'null'
  if (typeof value === 'string') return counted(value.length, 'character')
  if (Array.isArray(value)) return listSummary(value as readonly JsonValue[], depth)
  if (!isJsonObject(value)) return typeof value
  const entries = Object.entries(value)
  if (depth === depthMax) return counted(entries.length, 'field')
  const shown: Record<string, JsonValue> = {}
  for (const [name, item] of entries.slice(0, fieldsMax))
    shown[name.slice(0, nameCharsMax)] = valueSummary(item, depth + 1)
  return withRest(shown, entries.length - fieldsMax)
}

function listSummary(items: readonly JsonValue[], depth: number): JsonValue {
  const [first] = items
  const count = counted(items.length, 'item')
  if (first === undefined || depth === depthMax) return [count]
  return [count, valueSummary(first, depth + 1)]
}

const withRest = (shown: JsonObject, left: number): JsonObject =>
  left <= 0 ? shown : { ...shown, '…': `${counted(left, 'field')} more` }

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
