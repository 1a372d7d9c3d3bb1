/**
 * XML as data: an element is an object with its attributes (`@name`), its text (`#text`) and its elements; one
 * with text alone is that text; the same element again makes a list. No document type is taken.
 */

import type { SaxesParser } from 'saxes'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { nestingMax } from '../../model/limits.ts'
import { plainText } from '../json-text.ts'
import { invalidData } from './plain-data.ts'

interface OpenElement {
  readonly name: string
  readonly parts: Map<string, JsonValue[]>
  text: string
}

/** Elements that are put together as their tags come. */
export interface XmlTree {
  readonly open: (name: string, attributes: Readonly<Record<string, unknown>>) => void
  readonly addText: (piece: string) => void
  /** Ends the innermost element; its value, when no other is open around it. */
  readonly close: () => JsonValue | undefined
}

/** A tree within the elements `outer`. `lists` are names, or paths of them, that are always lists. */
export function createXmlTree(lists: readonly string[], outer: readonly string[] = []): XmlTree {
  const always = new Set(lists)
  const open: OpenElement[] = []
  return {
    open: (name, attributes) => {
      if (outer.length + open.length >= nestingMax)
        throw invalidData(`it is nested more than ${nestingMax} deep`)
      const parts = new Map(Object.entries(attributes).map(([key, value]) => [`@${key}`, [String(value)]]))
      open.push({ name, parts, text: '' })
    },
    addText: (piece) => {
      const last = open.at(-1)
      if (last !== undefined) last.text += piece
    },
    close: () => {
      const done = open.pop()
      if (done === undefined) return undefined
      const path = [...outer, ...open.map(({ name }) => name), done.name].join('.')
      const value = valueOf(
        done,
        (name) => always.has(name) || always.has(`${path}.${name}`) || always.has(`${done.name}.${name}`),
      )
      const parent = open.at(-1)
      if (parent === undefined) return value
      const siblings = parent.parts.get(done.name)
      if (siblings === undefined) parent.parts.set(done.name, [value])
      else siblings.push(value)
      return undefined
    },
  }
}

/** The value of an XML text. `lists` are names, or paths of them, that are always lists. */
export async function parsedXml(text: string, lists: readonly string[]): Promise<JsonValue> {
  // Loaded with the first XML text.
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: true })
  const tree = createXmlTree(lists)
  let value: JsonValue = null
  parser.on('error', (error) => {
    throw invalidData(error.message.replace(/\.$/, ''))
  })
  refuseDoctype(parser)
  parser.on('text', tree.addText)
  parser.on('cdata', tree.addText)
  parser.on('opentag', ({ name, attributes }) => tree.open(name, attributes))
  parser.on('closetag', ({ name }) => {
    const done = tree.close()
    if (done !== undefined) value = objectOf(new Map([[name, [done]]]), () => false)
  })
  parser.write(text).close()
  return value
}

/** Entities and outside files are the only use of a document type here, and both are ways in. */
export function refuseDoctype(parser: SaxesParser): void {
  parser.on('doctype', () => {
    throw invalidData('it has a document type, which is not taken')
  })
}

function valueOf({ parts, text }: OpenElement, isList: (name: string) => boolean): JsonValue {
  const words = text.trim()
  if (parts.size === 0) return words
  if (words !== '') parts.set('#text', [words])
  return objectOf(parts, isList)
}

function objectOf(
  parts: ReadonlyMap<string, readonly JsonValue[]>,
  isList: (name: string) => boolean,
): JsonObject {
  const value: Record<string, JsonValue> = {}
  for (const [name, items] of parts) {
    if (['__proto__', 'constructor', 'prototype'].includes(name))
      throw invalidData(`“${name}” can’t be a name`)
    value[name] = items.length === 1 && !isList(name) ? (items[0] ?? null) : [...items]
  }
  return value
}

/** Names of elements and attributes, without the rarer letters that XML allows. */
const xmlName = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u

/** The XML text of a value. Throws `data_invalid` for a name that XML doesn't take. */
export function builtXml(value: JsonValue, root: string, indents: boolean): string {
  const isRooted =
    isJsonObject(value) && Object.keys(value).length === 1 && !Array.isArray(Object.values(value)[0])
  const [name, inner]: readonly [string, JsonValue] = isRooted
    ? (Object.entries(value)[0] ?? [root, null])
    : [root, Array.isArray(value) ? { item: value } : value]
  const lines = element(name, inner, 0).map(({ depth, text }) => (indents ? '  '.repeat(depth) : '') + text)
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  return indents ? `${[head, ...lines].join('\n')}\n` : `${head}${lines.join('')}`
}

interface Line {
  readonly depth: number
  readonly text: string
}

function element(name: string, value: JsonValue, depth: number): readonly Line[] {
  if (!xmlName.test(name)) throw invalidData(`“${name}” can’t be the name of an element`)
  if (depth > nestingMax) throw invalidData(`it is nested more than ${nestingMax} deep`)
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => element(name, item, depth))
  if (!isJsonObject(value)) {
    const text = value === null ? '' : escaped(plainText(value))
    return [{ depth, text: text === '' ? `<${name}/>` : `<${name}>${text}</${name}>` }]
  }
  const entries = Object.entries(value)
  const attributes = entries
    .filter(([key]) => key.startsWith('@'))
    .map(([key, item]) => attribute(key.slice(1), item))
    .join('')
  const text = '#text' in value ? escaped(plainText(value['#text'])) : ''
  const inner = entries
    .filter(([key]) => !key.startsWith('@') && key !== '#text')
    .flatMap(([key, item]) => element(key, item, depth + 1))
  const start = `<${name}${attributes}`
  if (inner.length === 0) {
    return [{ depth, text: text === '' ? `${start}/>` : `${start}>${text}</${name}>` }]
  }
  return [{ depth, text: `${start}>${text}` }, ...inner, { depth, text: `</${name}>` }]
}

function attribute(name: string, value: JsonValue): string {
  if (!xmlName.test(name)) throw invalidData(`“${name}” can’t be the name of an attribute`)
  return ` ${name}="${escaped(plainText(value))}"`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that means nothing to XML or HTML; control characters, which neither has, are left out. */
export const escaped = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
