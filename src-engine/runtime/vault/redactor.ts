/**
 * Takes values of secrets out of everything a task says: as they are, and in the forms in which programs and
 * protocols write them. What is found becomes `(secret NAME)`, so that people see what stood there.
 */

import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { secretCharsMin } from '../../model/secret.ts'

export interface Redactor {
  readonly text: (text: string) => string
  /** Every text of a value, also names of fields; a number that is a secret becomes text. */
  readonly json: (value: JsonValue) => JsonValue
  /** Whether a text holds one of the secrets, in any of those forms. */
  readonly isIn: (text: string) => boolean
  /** From here on this one is taken out, too. */
  readonly add: (secret: NamedSecret) => void
}

interface NamedSecret {
  readonly name: string
  readonly value: string
}

/** An encoded form must be long enough not to be found by accident. */
const encodedCharsMin = 6
/** Lines of a longer secret, such as a key in PEM: shorter ones are ordinary words. */
const lineCharsMin = 8

/** The redactor of these secrets. Longer values are found before shorter ones that are part of them. */
export function createRedactor(secrets: readonly NamedSecret[]): Redactor {
  const nameByForm = new Map<string, string>()
  // One by one: values are too long for one pattern, and searching for a text is fast.
  let forms: readonly (readonly [string, string])[] = []
  const take = (taken: readonly NamedSecret[]): void => {
    for (const { name, value } of taken) {
      for (const form of formsOf(value)) if (!nameByForm.has(form)) nameByForm.set(form, name)
    }
    forms = [...nameByForm].sort(([left], [right]) => right.length - left.length)
  }
  take(secrets)
  const text = (from: string): string =>
    forms.reduce(
      (left, [form, name]) =>
        form.length > left.length ? left : left.replaceAll(form, () => `(secret ${name})`),
      from,
    )
  const json = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return nameByForm.has(String(value)) ? text(String(value)) : value
    if (Array.isArray(value)) return value.map(json)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), json(item)]))
  }
  return {
    text,
    json,
    isIn: (from) => forms.some(([form]) => from.includes(form)),
    add: (secret) => take([secret]),
  }
}

/** Every form that a value is looked for in. */
function formsOf(value: string): ReadonlySet<string> {
  const forms = new Set<string>()
  const plain = [value, value.trim(), ...linesOf(value), ...passwordsOf(value)]
  for (const text of plain) {
    if (text.length >= secretCharsMin) forms.add(text)
    for (const form of encodedForms(text)) if (form.length >= encodedCharsMin) forms.add(form)
  }
  return forms
}

/** Logs are read line by line, and editors change the ends of lines. */
function linesOf(value: string): readonly string[] {
  const lines = value.split(/\r\n|\r|\n/)
  if (lines.length === 1) return []
  return [lines.join('\n'), lines.join('\r\n'), ...lines.filter((line) => line.trim().length >= lineCharsMin)]
}

/** Of `postgres://user:password@host/db` programs like to print parts. */
function passwordsOf(value: string): readonly string[] {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? URL.parse(value) : null
  if (url === null || url.password === '') return []
  return [url.password, unescapedUri(url.password)]
}

function unescapedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign means itself.
    return text
  }
}

function* encodedForms(text: string): Generator<string> {
  const bytes = Buffer.from(text, 'utf8')
  const hex = bytes.toString('hex')
  yield hex
  yield hex.toUpperCase()
  yield* base64Forms(bytes)
  // Who signs in by OAuth 2 is a field of a form before it is in a Basic header.
  const field = formEncoded(text)
  if (field !== text) yield* base64Forms(Buffer.from(field, 'utf8'))
  const escapedJson = JSON.stringify(text).slice(1, -1)
  yield escapedJson
  // JSON that stands in a text of other JSON.
  yield JSON.stringify(escapedJson).slice(1, -1)
  yield escapedJson.replaceAll('/', '\\/')
  yield escapedJson.replaceAll(/[\u0080-\uffff]/g, unicodeEscape)
  for (const form of [encodeURIComponent(text.toWellFormed()), field, encodeURI(text.toWellFormed())]) {
    yield form
    yield form.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
  }
  yield text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const formEncoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/**
 * Inside of other bytes (`user:password` of a Basic header) a value begins at any place of a group of three:
 * for each, the characters that only its own bytes decide.
 */
function* base64Forms(bytes: Buffer): Generator<string> {
  for (const alphabet of ['base64', 'base64url'] as const) {
    for (const before of [0, 1, 2]) {
      const padded = Buffer.concat([Buffer.alloc(before), bytes])
      const text = padded.toString(alphabet).replaceAll('=', '')
      // A character has 6 bits: the first ones also hold what stood before, the last one what comes after.
      const start = Math.ceil((before * 8) / 6)
      const end = Math.floor((padded.length * 8) / 6)
      yield text.slice(start, end)
    }
    yield bytes.toString(alphabet)
  }
}
