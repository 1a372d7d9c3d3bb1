/**
 * A web call as a run gets it. The content type alone decides how the body is read, and bytes that are not
 * read stay bytes: no text of a caller ever names a file.
 */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { findJsonIntrusion } from '../../model/json-guard.ts'
import { nestingMax } from '../../model/limits.ts'
import type { WebCall } from './web-call.ts'
import { headerOf } from './web-call.ts'

export type ReadCall =
  | { readonly kind: 'read'; readonly payload: JsonObject }
  /** The body isn't what its content type says; the text is for the caller. */
  | { readonly kind: 'unreadable'; readonly text: string }

/** What callers prove themselves with isn't handed to the workflow, nor kept with its run. */
export const keptBackHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'webhook-signature',
  'x-hub-signature',
  'x-hub-signature-256',
  'stripe-signature',
  'x-slack-signature',
])

/** Method, path, query, headers and body. `alsoKeptBack` names a header in lower case, or nothing. */
export function readCall(call: WebCall, alsoKeptBack = ''): ReadCall {
  const body = readBody(call)
  if (body.kind === 'unreadable') return body
  const headers = Object.entries(call.headers).filter(
    ([name]) => !keptBackHeaders.has(name) && name !== alsoKeptBack && name !== '__proto__',
  )
  return {
    kind: 'read',
    payload: {
      method: call.method,
      path: call.path,
      query: membersOf(new URLSearchParams(call.query)),
      headers: Object.fromEntries(headers),
      body: body.value,
    },
  }
}

type ReadBody =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | Extract<ReadCall, { kind: 'unreadable' }>

function readBody(call: WebCall): ReadBody {
  if (call.body.length === 0) return { kind: 'value', value: null }
  const [type = ''] = headerOf(call, 'content-type').toLowerCase().split(';')
  const mediaType = type.trim()
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonBody(call.body)
  if (mediaType === 'application/x-www-form-urlencoded') {
    const text = textOf(call.body)
    if (text === null) return unreadable('The body is not UTF-8.')
    return { kind: 'value', value: membersOf(new URLSearchParams(text)) }
  }
  const text = mediaType.startsWith('text/') || mediaType === 'application/xml' ? textOf(call.body) : null
  if (text !== null) return { kind: 'value', value: text }
  const base64 = Buffer.from(call.body).toString('base64')
  return { kind: 'value', value: { contentType: mediaType, base64 } }
}

function jsonBody(bytes: Uint8Array): ReadBody {
  const text = textOf(bytes)
  if (text === null) return unreadable('The body is not UTF-8.')
  try {
    const value = JSON.parse(text) as JsonValue
    const intrusion = findJsonIntrusion(value, nestingMax)
    if (intrusion === null) return { kind: 'value', value }
    return unreadable(
      intrusion.kind === 'too-deep' ? 'The body is nested too deeply.' : 'The body has a reserved name.',
    )
  } catch {
    return unreadable('The body is no JSON.')
  }
}

const unreadable = (text: string): ReadBody => ({ kind: 'unreadable', text })

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** What comes more than once is a list. */
function membersOf(given: URLSearchParams): JsonObject {
  const members = new Map<string, JsonValue>()
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name)
    if (name !== '__proto__') members.set(name, values.length === 1 ? (values[0] ?? '') : values)
  }
  return Object.fromEntries(members)
}
