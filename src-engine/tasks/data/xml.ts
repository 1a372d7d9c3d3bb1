/**
 * XML as data: an element is an object with its attributes (`@name`), its text (`#text`) and its elements; one
 * with text alone is that text; the same element again makes a list. No document type is taken: entities and
 * outside files are its only use here, and both are ways in.
 */

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

/** The value of an XML text. `lists` are names, or paths of them, that are always lists. */
export async function parsedXml(text: string, lists: readonly string[]): Promise<JsonValue> {
  // Loaded with the first XML text.
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: true })
  const open: OpenElement[] = [{ name: '', parts: new Map(), text: '' }]
  const always = new Set(lists)
  const pathOf = (name: string): string => [...open.slice(1).map((one) => one.name), name].join('.')
  parser.on('error', (error) => {
    throw invalidData(error.message.replace(/\.$/, ''))
  })
  parser.on('doctype', () => {
    throw invalidData('it has a document type, which is not taken')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > nestingMax) throw invalidData(`it is nested more than ${nestingMax} deep`)
    const parts = new Map(Object.entries(attributes).map(([key, value]) => [`@${key}`, [String(value)]]))
    open.push({ name, parts, text: '' })
  })
  const addText = (piece: string): void => {
    const last = open.at(-1)
    if (last !== undefined) last.text += piece
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const done = open.pop()
    const parent = open.at(-1)
    if (done === undefined || parent === undefined) return
    const isList = (name: string): boolean =>
      always.has(name) || always.has(pathOf(`${done.name}.${name}`)) || always.has(`${done.name}.${name}`)
    const siblings = parent.parts.get(done.name) ?? []
    siblings.push(valueOf(done, isList))
    parent.parts.set(done.name, siblings)
  })
  parser.write(text).close()
  const [root] = open
  return root === undefined ? null : objectOf(root.parts, () => false)
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
