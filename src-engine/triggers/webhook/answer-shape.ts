/** The HTTP answer that an output of a workflow is. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const json = { 'content-type': 'application/json; charset=utf-8' }

/** What the engine itself says. */
export const jsonAnswer = (status: number, value: JsonObject): HttpAnswer => ({
  status,
  headers: json,
  body: JSON.stringify(value),
})

/** What is said to a caller in words. */
export const textAnswer = (status: number, text: string): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${text}\n`,
})

/**
 * `{ status, headers?, body? }` is taken as an answer; every other value is the body of a 200. Headers that
 * would rule the line or the browser are not the workflow's to set.
 */
export function answerOfOutput(output: JsonValue): HttpAnswer {
  if (!isAnswer(output)) return { status: 200, headers: json, body: JSON.stringify(output) }
  const { status, headers = {}, body = null } = output
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && isAllowed(name, value) ? [[name.toLowerCase(), value] as const] : [],
  )
  const type = given.some(([name]) => name === 'content-type')
  const isText = typeof body === 'string'
  const kind = isText ? { 'content-type': 'text/plain; charset=utf-8' } : json
  return {
    status,
    headers: { ...(type || body === null ? {} : kind), ...Object.fromEntries(given) },
    body: body === null ? '' : isText ? body : JSON.stringify(body),
  }
}

interface OutputAnswer {
  readonly status: number
  readonly headers?: JsonObject
  readonly body?: JsonValue
}

const members: ReadonlySet<string> = new Set(['status', 'headers', 'body'])

function isAnswer(output: JsonValue): output is JsonObject & OutputAnswer {
  if (!isJsonObject(output) || !Object.keys(output).every((name) => members.has(name))) return false
  const { status, headers } = output
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599
  return isStatus && (headers === undefined || isJsonObject(headers))
}

const allowedNames =
  /^(?:content-type|content-language|location|retry-after|etag|last-modified|x-[a-z0-9-]+)$/i

const isAllowed = (name: string, value: string): boolean =>
  allowedNames.test(name) && /^[\t\u0020-\u007E]*$/.test(value) && !/^x-(?:forwarded|real|frame)/i.test(name)
