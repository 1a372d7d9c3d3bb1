/**
 * A document as it is saved: two spaces, keys sorted at every level, the layout last. The same document
 * always gives the same bytes, and moving a node changes lines of the last block only.
 */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { WorkflowDocument } from './workflow.ts'

/** The text of the file, with a line break at its end. */
export function canonicalDocument(document: WorkflowDocument | JsonObject): string {
  // A document is JSON; its type has no index signature.
  const json = document as unknown as JsonObject
  const keys = sortedKeys(json).filter((key) => key !== 'layout')
  if (json['layout'] !== undefined) keys.push('layout')
  return `${objectText(json, keys, '')}\n`
}

function valueText(value: JsonValue, indent: string): string {
  if (Array.isArray(value)) return listText(value, indent)
  if (isJsonObject(value)) return objectText(value, sortedKeys(value), indent)
  return JSON.stringify(value)
}

function objectText(value: JsonObject, keys: readonly string[], indent: string): string {
  if (keys.length === 0) return '{}'
  const inner = `${indent}  `
  // `sortedKeys` gives own keys that have a value.
  const lines = keys.map(
    (key) => `${inner}${JSON.stringify(key)}: ${valueText(value[key] as JsonValue, inner)}`,
  )
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function listText(items: readonly JsonValue[], indent: string): string {
  if (items.length === 0) return '[]'
  const inner = `${indent}  `
  return `[\n${items.map((item) => `${inner}${valueText(item, inner)}`).join(',\n')}\n${indent}]`
}

function sortedKeys(value: JsonObject): string[] {
  return Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
}
