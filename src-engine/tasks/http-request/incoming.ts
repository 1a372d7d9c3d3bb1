/** What comes back: headers as data, the body up to its limit and in the form that was asked for. */

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { parseJson } from '../json-text.ts'
import type { TaskContext } from '../task.ts'
import { tellable } from '../task.ts'
import type { HttpRequestParameters } from './spec.ts'

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Headers with one text each; repeated ones are joined as HTTP has it. */
export function headersOf(
  raw: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(raw)) {
    // `__proto__` would be set, not kept.
    if (value === undefined || name === '__proto__') continue
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

/** The body's bytes, unpacked. Throws `http_too_large` as soon as there are too many. */
export async function bodyBytes(
  body: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string>>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  const packed = Buffer.concat(chunks)
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (packed.length === 0 || encoding === 'identity' || encoding === '') return packed
  return unpacked(packed, encoding, bytesMax)
}

async function unpacked(packed: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : null
  if (decode === null)
    throw unreadable(`The response is packed with “${encoding}”, which Sagasmith can’t unpack.`)
  try {
    return await decode(packed, { maxOutputLength: bytesMax })
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooLarge(bytesMax)
    throw unreadable(`The response could not be unpacked (${encoding}).`, thrown)
  }
}

/** What is taken as it comes was asked for as it is; packed all the same it would be something else than was meant. */
export function refusePacked(headers: Readonly<Record<string, string>>): void {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return
  throw new SagasmithError('task_failed', {
    message: `The server packed the response with “${encoding}”, although it was asked not to.`,
    hint: 'Read the response in another way, such as Base64, and write it with a step of its own.',
    retryable: false,
  })
}

/** The body as data. Throws `task_failed` when it was to be JSON and isn't. */
export function bodyValue(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  {
    mode,
    context,
  }: { readonly mode: HttpRequestParameters['response']; readonly context: Pick<TaskContext, 'secrets'> },
): JsonValue {
  const type = (headers['content-type'] ?? '').toLowerCase()
  if (mode === 'base64') return bytes.toString('base64')
  if (mode === 'text') return bytes.toString('utf8')
  if (bytes.length === 0) return mode === 'json' ? null : ''
  const isJson = /[/+]json\b/.test(type)
  if (mode === 'json' || isJson) {
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    const value = parseJson(text)
    if (value.ok) return value.value
    if (mode === 'json') {
      // The parser's words hold pieces of the text.
      const told = parseJson(tellable(context, text))
      throw unreadable(`The response is not JSON${told.ok ? '.' : `: ${told.error}`}`)
    }
    return bytes.toString('utf8')
  }
  const isText = type === '' || /^text\/|xml|javascript|x-www-form-urlencoded|yaml|csv/.test(type)
  return bytes.toString(isText ? 'utf8' : 'base64')
}

/** The start of a body, for an error's details. */
export function bodyStart(bytes: Buffer, context: Pick<TaskContext, 'secrets'>): JsonObject {
  return { body: tellable(context, bytes.toString('utf8')).slice(0, 2_000) }
}

function tooLarge(bytesMax: number): SagasmithError {
  return new SagasmithError('http_too_large', {
    message: `The response has more than ${bytesMax} bytes.`,
    details: { bytesMax },
  })
}

function unreadable(message: string, cause: unknown = null): SagasmithError {
  return new SagasmithError('task_failed', {
    message,
    hint: 'Choose another way to read the response in the node’s settings.',
    retryable: false,
    cause,
  })
}
