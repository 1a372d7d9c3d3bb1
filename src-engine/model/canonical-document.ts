/**
 * A document as it is saved: two spaces, keys sorted at every level, the layout last. The same document
 * always gives the same bytes, and moving a node changes lines of the last block only.
 */

import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { WorkflowDocument } from './workflow.ts'

/** Texts of parts by what they are, and where they stand. Only for values that nobody changes in place. */
export type KnownTexts = WeakMap<object, { readonly indent: string; readonly text: string }>

/**
 * The text of the file, with a line break at its end. Who writes one document again and again keeps `known`: what an
 * edit left alone isn't written anew.
 */
export function canonicalDocument(document: WorkflowDocument | JsonObject, known?: KnownTexts): string {
  // A document is JSON; its type has no index signature.
  const json = document as unknown as JsonObject
  const keys = sortedKeys(json).filter((key) => key !== 'layout')
  if (json['layout'] !== undefined) keys.push('layout')
  const write = known === undefined ? valueText : rememberedText(known)
  return `${objectText(json, keys, { indent: '', write })}\n`
}

/** Where they stand in the text: steps and edges, and the places of steps. */
const [partIndent, placeIndent] = ['    ', '      ']

/**
 * Writes the text of one step, edge or place after the other into `known`, and stops after each: whoever has time for it
 * before the text of the whole document is asked for needn't write thousands at once then.
 */
export function* writtenParts(document: WorkflowDocument, known: KnownTexts): Generator<void, void> {
  const write = rememberedText(known)
  const parts = [
    [document.nodes, partIndent],
    [document.edges, partIndent],
    [document.layout?.nodes ?? {}, placeIndent],
  ] as const
  for (const [record, indent] of parts) {
    for (const part of Object.values(record)) {
      write(part, indent)
      yield
    }
  }
}

type Write = (value: JsonValue, indent: string) => string

function rememberedText(known: KnownTexts): Write {
  const write: Write = (value, indent) => {
    if (!isJsonObject(value) || indent.length > deepestKnown) return valueText(value, indent)
    const before = known.get(value)
    if (before?.indent === indent) return before.text
    const text = objectText(value, sortedKeys(value), { indent, write })
    known.set(value, { indent, text })
    return text
  }
  return write
}

/** Places are entries of a record of the layout; steps and edges lie less deep. */
const deepestKnown = 6

const valueText: Write = (value, indent) => {
  if (Array.isArray(value)) return listText(value, indent)
  if (isJsonObject(value)) return objectText(value, sortedKeys(value), { indent, write: valueText })
  return JSON.stringify(value)
}

function objectText(
  value: JsonObject,
  keys: readonly string[],
  { indent, write }: { readonly indent: string; readonly write: Write },
): string {
  if (keys.length === 0) return '{}'
  const inner = `${indent}  `
  // `sortedKeys` gives own keys that have a value.
  const lines = keys.map((key) => `${inner}${JSON.stringify(key)}: ${write(value[key] as JsonValue, inner)}`)
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
