/** From a curl command to the parameters of an HTTP request. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { isSensitiveName } from '../../src-engine/model/sensitive-names.ts'
import { curlWords as words } from '../text/curl-words.ts'
import { curlSent } from './curl-body.ts'
import { curlConnection, decoded } from './curl-connection.ts'
import type { CurlOptions, OptionName } from './curl-options.ts'
import { curlOptions } from './curl-options.ts'
import type { CurlSecret } from './curl-secret.ts'
import { asLiteral, literalEntry } from './literal.ts'
import { shellWords } from './shell-words.ts'

export interface CurlRequest {
  /** Those fields of an HTTP request that the command says something about. */
  readonly parameters: JsonObject
  readonly secrets: readonly CurlSecret[]
  /** What can't be taken over, in words. */
  readonly left: readonly string[]
}

/** A command, and the step that takes it; null for a new one. */
export interface PastedCurl {
  readonly request: CurlRequest
  readonly nodeId: NodeId | null
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** Whether a text is a curl command, as pages and browsers write it. */
const isCurlText = (text: string): boolean => /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text)

/** What the command asks for; null when the text is none, or is cut off within quotes. */
export function curlRequest(text: string): CurlRequest | null {
  if (!isCurlText(text)) return null
  const read = shellWords(text.replace(/^\s*\$\s+/, ''))
  if (read === null) return null
  const given = curlOptions(read.words.slice(1))
  const draft = createDraft(given)
  if (draft.url === '') return null
  const left = [
    ...given.left.map(words.option),
    ...draft.left,
    ...read.unknown.map(words.variable),
    ...(read.rest === '' ? [] : [words.rest(read.rest.slice(0, 60))]),
  ]
  return { parameters: draft.parameters, secrets: draft.secrets, left: [...new Set(left)] }
}

/** The parameters with what stands for each secret: a reference to the vault, or the value. */
export function withSecretTexts(
  { parameters, secrets }: CurlRequest,
  textOf: (secret: CurlSecret, index: number) => string,
): JsonObject {
  const filled: Record<string, JsonValue> = { ...parameters }
  for (const [index, secret] of secrets.entries()) {
    const [field, key] = secret.path
    if (key === undefined) {
      filled[field] = textOf(secret, index)
      continue
    }
    const inner = filled[field]
    filled[field] = {
      ...(isJsonObject(inner ?? null) ? (inner as JsonObject) : {}),
      [key]: textOf(secret, index),
    }
  }
  return filled
}

interface Draft {
  readonly url: string
  readonly parameters: JsonObject
  readonly secrets: readonly CurlSecret[]
  readonly left: readonly string[]
}

function createDraft(given: CurlOptions): Draft {
  const values = (name: OptionName) =>
    given.options.filter((one) => one.name === name).map(({ value }) => value)
  const left: string[] = []
  const addresses = [...given.addresses, ...values('url')]
  if (addresses.length > 1) left.push(words.moreAddresses)
  const address = addressOf(addresses[0] ?? '')
  const headers = headersOf(given, left)
  const sent = curlSent(given, headers, left)
  const url = withUploaded(withQuery(address.url, sent.query), sent.uploaded)
  const { body } = sent
  const usual = values('head').length > 0 ? 'HEAD' : sent.method
  const named = values('request').at(-1)?.toUpperCase() ?? usual
  if (!methods.includes(named)) left.push(words.method(named))
  const method = methods.includes(named) ? named : usual
  if (body !== null && (method === 'GET' || method === 'HEAD')) left.push(words.bodyOfGet(method))
  const user = values('user').at(-1) ?? address.user
  if (user !== null && !user.includes(':')) left.push(words.askedPassword)
  const bearer = values('oauth2-bearer').at(-1) ?? null
  const { auth, secrets, url: told } = proofsOf({ user, bearer, headers, url, left })
  const connection = curlConnection(given, left)
  const output = values('output').at(-1) ?? '-'
  const seconds = Number(values('max-time').at(-1) ?? Number.NaN)
  return {
    url,
    parameters: {
      method,
      url: asLiteral(told),
      ...(headers.size === 0 ? {} : { headers: Object.fromEntries([...headers].map(literalEntry)) }),
      ...(auth === null ? {} : { auth }),
      ...(body === null ? {} : { body }),
      ...(output === '-' || output === '/dev/null' ? {} : { response: 'file', file: asLiteral(output) }),
      ...connection.parameters,
      ...(seconds > 0 ? { timeoutMs: Math.min(Math.round(seconds * 1_000), 3_600_000) } : {}),
    },
    secrets: [...secrets, ...connection.secrets],
    left,
  }
}

const withQuery = (url: string, query: string): string =>
  query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`

/** Where an address ends with a slash, curl adds the name of the file that goes there. */
const withUploaded = (url: string, file: string | null): string =>
  file === null || !url.endsWith('/') ? url : `${url}${encodeURIComponent(file.split(/[/\\]/).at(-1) ?? '')}`

/** Without a protocol curl speaks plain HTTP. Who asks may stand in the address. */
function addressOf(text: string): { readonly url: string; readonly user: string | null } {
  if (text === '') return { url: '', user: null }
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i.exec(full)
  if (found === null) return { url: full, user: null }
  const [all, protocol = '', user = ''] = found
  return { url: `${protocol}${full.slice(all.length)}`, user: decoded(user) }
}

/** By name as written; a later one of the same name wins. */
function headersOf({ options }: CurlOptions, left: string[]): Map<string, string> {
  const headers = new Map<string, string>()
  const set = (name: string, value: string): void => {
    for (const known of headers.keys()) if (known.toLowerCase() === name.toLowerCase()) headers.delete(known)
    headers.set(name, value)
  }
  for (const { name, value } of options) {
    if (name === 'user-agent') set('User-Agent', value)
    if (name === 'referer') set('Referer', value)
    if (name === 'cookie' && value.includes('=')) set('Cookie', value)
    if (name === 'cookie' && !value.includes('=')) left.push(words.fileOf('--cookie'))
    if (name === 'json' && !headers.has('Accept')) set('Accept', 'application/json')
    if (name !== 'header') continue
    if (value.startsWith('@')) left.push(words.fileOf('--header'))
    const colon = value.indexOf(':')
    const empty = /^([^:;]+);$/.exec(value)?.[1]
    if (colon > 0 && value.slice(colon + 1).trim() !== '')
      set(value.slice(0, colon).trim(), value.slice(colon + 1).trim())
    else if (empty !== undefined) set(empty.trim(), '')
  }
  return headers
}

interface Proofs {
  readonly auth: JsonObject | null
  readonly secrets: readonly CurlSecret[]
}

/** A part of the address that opens doors, and the address without it. */
interface KeyInAddress {
  readonly name: string
  readonly value: string
  readonly url: string
}

function keyInAddress(text: string): KeyInAddress | null {
  const url = URL.parse(text)
  const name = [...(url?.searchParams.keys() ?? [])].find(isSensitiveName)
  if (url === null || name === undefined) return null
  const value = url.searchParams.get(name) ?? ''
  url.searchParams.delete(name)
  return { name, value, url: url.href }
}

/** Who signs in, taken out of the headers; every other header that opens doors is a secret of its own. */
function proofsOf(given: {
  readonly user: string | null
  readonly bearer: string | null
  readonly headers: Map<string, string>
  readonly url: string
  readonly left: string[]
}): Proofs & { readonly url: string } {
  const { headers } = given
  const signIn = given.bearer === null ? signInOf(given.user, headers) : bearerAuth(given.bearer)
  const secrets = signIn === null ? [] : [...signIn.secrets]
  let auth = signIn?.auth ?? null
  for (const [name, value] of headers) {
    if (!isSensitiveName(name) || value === '') continue
    headers.delete(name)
    if (auth === null && /key|token/i.test(name)) {
      auth = { kind: 'api-key', placement: 'header', name }
      secrets.push({ title: name, kind: 'api-key', value, path: ['auth', 'value'] })
    } else secrets.push({ title: name, kind: 'token', value, path: ['headers', name] })
  }
  const key = keyInAddress(given.url)
  if (key === null || key.value === '') return { auth, secrets, url: given.url }
  if (auth !== null) {
    given.left.push(words.keyInAddress(key.name))
    return { auth, secrets, url: given.url }
  }
  secrets.push({ title: key.name, kind: 'api-key', value: key.value, path: ['auth', 'value'] })
  return { auth: { kind: 'api-key', placement: 'query', name: key.name }, secrets, url: key.url }
}

const bearerAuth = (value: string): Proofs => ({
  auth: { kind: 'bearer' },
  secrets: [{ title: words.token, kind: 'token', value, path: ['auth', 'token'] }],
})

function basicAuth(pair: string): Proofs {
  const colon = pair.indexOf(':')
  const username = colon === -1 ? pair : pair.slice(0, colon)
  const value = colon === -1 ? '' : pair.slice(colon + 1)
  const auth = { kind: 'basic', username: asLiteral(username) }
  if (value === '') return { auth, secrets: [] }
  return { auth, secrets: [{ title: words.password, kind: 'password', value, path: ['auth', 'password'] }] }
}

function signInOf(user: string | null, headers: Map<string, string>): Proofs | null {
  const name = [...headers.keys()].find((one) => one.toLowerCase() === 'authorization')
  const value = name === undefined ? '' : (headers.get(name) ?? '')
  const bearer = /^Bearer\s+(\S.*)$/i.exec(value)?.[1]
  const basic = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(value)?.[1]
  const pair = basic === undefined ? null : unpackedPair(basic)
  // A header that curl is told wins over what it would make itself.
  if (name !== undefined && (bearer !== undefined || pair !== null)) {
    headers.delete(name)
    return bearer === undefined ? basicAuth(pair ?? '') : bearerAuth(bearer)
  }
  return user === null || name !== undefined ? null : basicAuth(user)
}

/** Null for what is no name and password. */
function unpackedPair(text: string): string | null {
  try {
    const pair = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(text), (char) => char.charCodeAt(0)),
    )
    return pair.includes(':') ? pair : null
  } catch {
    // It stays the header that it is.
    return null
  }
}
