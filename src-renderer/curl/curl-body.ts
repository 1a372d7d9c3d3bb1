/** What a curl command sends along: data, a form with files, or a file, as the body of an HTTP request. Pure. */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { curlWords as words } from '../text/curl-words.ts'
import type { CurlOptions } from './curl-options.ts'
import { asLiteral, literalEntry } from './literal.ts'

/** What goes along, and what curl would do with it. */
export interface CurlSent {
  /** Null for nothing. */
  readonly body: JsonObject | null
  /** What `--get` and `--url-query` add to the address; empty for nothing. */
  readonly query: string
  /** What is asked with when the command names no method. */
  readonly method: 'GET' | 'POST' | 'PUT'
  /** A file that goes to an address of its own name where that ends with a slash; null for none. */
  readonly uploaded: string | null
}

/** Takes the header of the content's type away where the body says it. */
export function curlSent(given: CurlOptions, headers: Map<string, string>, left: string[]): CurlSent {
  const { options } = given
  const isGet = options.some(({ name }) => name === 'get')
  const forms = options.filter(({ name }) => name === 'form' || name === 'form-string')
  const upload = options.filter(({ name }) => name === 'upload-file').at(-1)?.value ?? null
  const pieces = piecesOf(given, left)
  const queries = options.filter(({ name }) => name === 'url-query').map(({ value }) => queryOf(value, left))
  const query = [...queries, ...(isGet ? pieces.map((piece) => asked(piece, left)) : [])]
    .filter((text) => text !== '')
    .join('&')
  const sent = (body: JsonObject | null, method: CurlSent['method']): CurlSent => {
    return { body, query, method, uploaded: method === 'PUT' ? upload : null }
  }
  const hasData = !isGet && pieces.length > 0
  if (forms.length > 0) {
    if (hasData || upload !== null) left.push(words.otherBody)
    return sent(multipartOf(forms, headers, left), 'POST')
  }
  if (upload !== null) {
    if (hasData) left.push(words.otherBody)
    if (/^[-.]$|[{[]/.test(upload)) left.push(words.fileOf('--upload-file'))
    else return sent(fileBody(upload, takeType(headers) ?? binaryType), 'PUT')
  }
  return hasData ? sent(bodyOf(pieces, headers, left), 'POST') : sent(null, 'GET')
}

const formType = 'application/x-www-form-urlencoded'
const binaryType = 'application/octet-stream'

/** A piece of the data: a text, or the file that it stands in. */
interface Piece {
  readonly isFile: boolean
  readonly text: string
  readonly option: string
  readonly isJson: boolean
}

function piecesOf({ options }: CurlOptions, left: string[]): readonly Piece[] {
  const pieces: Piece[] = []
  for (const { name, value } of options) {
    const add = (text: string, isFile = false): void => {
      pieces.push({ isFile, text, option: `--${name}`, isJson: name === 'json' })
    }
    if (name === 'data-raw') add(value)
    else if (name === 'data-urlencode') add(encodedPart(value, left))
    else if (name === 'data' || name === 'data-binary' || name === 'json') {
      if (value === '@-') left.push(words.fileOf(`--${name}`))
      else if (value.startsWith('@')) add(value.slice(1), true)
      else add(value)
    }
  }
  return pieces
}

/** What a piece of data is in an address. */
function asked({ isFile, text, option }: Piece, left: string[]): string {
  if (isFile) left.push(words.fileOf(option))
  return isFile ? '' : text
}

/** `content`, `=content` or `name=content`; with @ it would be a file. */
function encodedPart(value: string, left: string[], option = '--data-urlencode'): string {
  const at = value.indexOf('=')
  if (at === -1) {
    if (value.includes('@')) left.push(words.fileOf(option))
    return value.includes('@') ? '' : encodeURIComponent(value)
  }
  const name = value.slice(0, at)
  const content = encodeURIComponent(value.slice(at + 1))
  return name === '' ? content : `${name}=${content}`
}

/** As data is encoded; with a plus in front it is taken as it is. */
const queryOf = (value: string, left: string[]): string =>
  value.startsWith('+') ? value.slice(1) : encodedPart(value, left, '--url-query')

/** Takes the header away; null where there is none. */
function takeType(headers: Map<string, string>): string | null {
  const name = [...headers.keys()].find((one) => one.toLowerCase() === 'content-type')
  if (name === undefined) return null
  const type = headers.get(name) ?? ''
  headers.delete(name)
  return type
}

const fileBody = (file: string, contentType: string): JsonObject => ({
  kind: 'file',
  file: asLiteral(file),
  contentType: asLiteral(contentType),
})

/** The body in the form that its fields have, where it loses nothing by that. */
function bodyOf(pieces: readonly Piece[], headers: Map<string, string>, left: string[]): JsonObject | null {
  const isJson = pieces.some((piece) => piece.isJson)
  const type = takeType(headers) ?? (isJson ? 'application/json' : formType)
  const [only, second] = pieces
  if (only !== undefined && second === undefined && only.isFile) {
    if (only.option === '--data') left.push(words.linesKept)
    return fileBody(only.text, type)
  }
  // Texts and files that curl puts together are no one file.
  for (const { isFile, option } of pieces) if (isFile) left.push(words.fileOf(option))
  const texts = pieces.filter(({ isFile }) => !isFile).map((piece) => piece.text)
  if (texts.length === 0) return null
  // The pieces of a JSON text are put together as they are.
  const text = texts.join(isJson ? '' : '&')
  const plain = type.split(';')[0]?.trim().toLowerCase()
  const value = plain === 'application/json' ? jsonOf(text) : undefined
  if (value !== undefined) return { kind: 'json', value }
  const fields = plain === formType ? fieldsOf(text) : null
  if (fields !== null) return { kind: 'form', fields }
  return { kind: 'text', text: asLiteral(text), contentType: type }
}

/** Undefined for what is no JSON, and for numbers that would lose digits. */
function jsonOf(text: string): JsonValue | undefined {
  if (/\d{16,}/.test(text)) return undefined
  try {
    return literalTexts(JSON.parse(text) as JsonValue)
  } catch {
    // It is sent as the text that it is.
    return undefined
  }
}

function literalTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return asLiteral(value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => literalTexts(item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literalTexts(item)]))
}

/** Null where a field stands twice, or would be written in another way. */
function fieldsOf(text: string): JsonObject | null {
  const params = new URLSearchParams(text)
  const entries = [...params]
  if (new Set(entries.map(([name]) => name)).size !== entries.length) return null
  const same = (one: string): string => one.replaceAll('%20', '+')
  if (
    same(String(params)) !== same(text) &&
    entries.some(([name, value]) => !text.includes(`${name}=${value}`))
  )
    return null
  return Object.fromEntries(entries.map(literalEntry))
}

type FormOption = CurlOptions['options'][number]

function multipartOf(
  forms: readonly FormOption[],
  headers: Map<string, string>,
  left: string[],
): JsonObject | null {
  const type = takeType(headers)
  // The boundary is the body's own; any other type would be no form's.
  if (type !== null && !/^multipart\/form-data\b/i.test(type)) left.push(words.typeOfForm(type))
  const parts = forms.flatMap((form) => partsOf(form, left))
  return parts.length === 0 ? null : { kind: 'multipart', parts }
}

/** `name=text`, `name=@file`, `name=@one,two`, each perhaps with `;type=…`; a plain text has none of that. */
function partsOf({ name: option, value }: FormOption, left: string[]): readonly JsonObject[] {
  const at = value.indexOf('=')
  const name = value.slice(0, at)
  if (at < 1) {
    left.push(words.formField(value))
    return []
  }
  const content = value.slice(at + 1)
  if (option === 'form-string') return [{ name: asLiteral(name), value: asLiteral(content) }]
  if (content.startsWith('<')) {
    left.push(words.fileOf(`--form ${name}`))
    return []
  }
  const [first = '', ...settings] = split(content, ';')
  const told = settingsOf(settings, name, left)
  if (!content.startsWith('@')) {
    return [{ name: asLiteral(name), value: asLiteral(first + told.more), ...told.type }]
  }
  return split(first.slice(1), ',').flatMap((file) => {
    if (file !== '-') return [{ name: asLiteral(name), file: asLiteral(unquoted(file)), ...told.type }]
    left.push(words.fileOf(`--form ${name}`))
    return []
  })
}

/** The content's type, and what only looked like a setting; what else there is can't be taken over. */
function settingsOf(
  settings: readonly string[],
  name: string,
  left: string[],
): { readonly type: JsonObject; readonly more: string } {
  let type: JsonObject = {}
  let more = ''
  for (const setting of settings) {
    const [key = '', ...value] = setting.split('=')
    const known = key.trim().toLowerCase()
    if (known === 'type') type = { contentType: asLiteral(value.join('=').trim()) }
    else if (['filename', 'headers', 'encoder'].includes(known)) left.push(words.formSetting(name, known))
    else more += `;${setting}`
  }
  return { type, more }
}

/** At a character that isn't within double quotes. */
const split = (text: string, at: ';' | ','): readonly string[] =>
  text.match(at === ';' ? /(?:"(?:\\.|[^"\\])*"|[^;])+|(?<=;)(?=;|$)/g : /(?:"(?:\\.|[^"\\])*"|[^,])+/g) ?? []

const unquoted = (text: string): string =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : text
