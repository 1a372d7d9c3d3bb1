/** A web call as people may look at it: it tells what came, without what opens doors. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { isSensitiveName } from '../../model/sensitive-names.ts'
import { keptBackHeaders, readCall } from './read-call.ts'
import type { WebCall } from './web-call.ts'

const redacted = '(redacted)'

/** A shorter text is in half of all words. */
const secretCharsMin = 4

export interface CallRedaction {
  /** The header of the signature, in lower case; empty for none beside the usual ones. */
  readonly signatureHeader: string
  /** Texts that nobody may see wherever they stand: the secrets of the address. */
  readonly secrets: readonly string[]
  /** Whether the body is left out. */
  readonly isCut: boolean
}

/** The call in the form in which a run gets one, with everything that came but what is nobody's business. */
export function redactedCall(call: WebCall, how: CallRedaction): JsonObject {
  const secrets = how.secrets.filter((secret) => secret.length >= secretCharsMin)
  const read = readCall(how.isCut ? withoutBody(call) : call)
  const payload = read.kind === 'read' ? read.payload : { ...headOf(call), body: textOf(call) }
  return cleaned({ ...payload, headers: headersOf(call, how.signatureHeader) }, secrets)
}

const withoutBody = (call: WebCall): WebCall => ({ ...call, body: new Uint8Array() })

/** What came before a body that can't be read. */
function headOf(call: WebCall): JsonObject {
  const read = readCall(withoutBody(call))
  return read.kind === 'read' ? read.payload : {}
}

const textOf = ({ body }: WebCall): string => Buffer.from(body).toString('utf8')

function headersOf({ headers }: WebCall, signatureHeader: string): JsonObject {
  const shown = Object.entries(headers)
    .filter(([name]) => name !== '__proto__')
    .map(([name, value]) => [
      name,
      keptBackHeaders.has(name) || name === signatureHeader || isSensitiveName(name) ? redacted : value,
    ])
  return Object.fromEntries(shown) as JsonObject
}

function cleaned(value: JsonObject, secrets: readonly string[]): JsonObject {
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    isSensitiveName(name) && member !== null ? redacted : cleanedValue(member, secrets),
  ])
  return Object.fromEntries(members)
}

function cleanedValue(value: JsonValue, secrets: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => cleanedValue(item, secrets))
  if (isJsonObject(value)) return cleaned(value, secrets)
  if (typeof value !== 'string') return value
  return secrets.reduce((text, secret) => text.replaceAll(secret, redacted), value)
}
