/** What is sent: method, address, headers and body of a request, and what a redirect leaves of them. */

import { Buffer } from 'node:buffer'
import { assertNever } from '../../model/result.ts'
import type { SecretGuard } from '../task.ts'
import type { BodyContext } from './body.ts'
import { contentOf } from './body.ts'
import { webAddress } from './destination.ts'
import type { HttpRequestParameters } from './spec.ts'

export interface Outgoing {
  readonly method: HttpRequestParameters['method']
  readonly url: URL
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer | null
}

/** These prove who somebody is; another host must not get them. The key's own header is added to them. */
const credentialHeaders = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-auth-token']
const bodyHeaders = ['content-type', 'content-length', 'content-encoding']

/**
 * The request of the parameters. Header names are in lower case. Throws what reading files throws, and
 * `task_output_too_large` for a body that is too large.
 */
export async function outgoingOf(
  parameters: HttpRequestParameters,
  idempotencyKey: string,
  context: BodyContext,
): Promise<Outgoing> {
  const { method, auth } = parameters
  const url = webAddress(parameters.url.trim())
  // A fragment is the reader's own business.
  url.hash = ''
  for (const [name, value] of Object.entries(parameters.query)) url.searchParams.append(name, String(value))
  if (auth.kind === 'api-key' && auth.placement === 'query') url.searchParams.set(auth.name, auth.value)
  const sends = method !== 'GET' && method !== 'HEAD'
  const headers = new Map<string, string>([
    ['user-agent', 'Sagasmith'],
    ['accept', '*/*'],
    // A file is written as it comes.
    [
      'accept-encoding',
      parameters.response === 'file' || parameters.response === 'items' ? 'identity' : 'gzip, deflate, br',
    ],
  ])
  if (sends && method !== 'OPTIONS') headers.set('idempotency-key', idempotencyKey)
  const content = sends ? await contentOf(parameters.body, context) : null
  if (content !== null) headers.set('content-type', content.type)
  for (const [name, value] of Object.entries(parameters.headers))
    headers.set(name.toLowerCase(), String(value))
  const credentials = authHeader(auth)
  if (credentials !== null) headers.set(...credentials)
  return { method, url, headers, body: content?.bytes ?? null }
}

/** The request after a redirect: no body where the status says so, no credentials for another host. */
export function redirected(
  request: Outgoing,
  to: URL,
  answer: {
    readonly status: number
    readonly auth: HttpRequestParameters['auth']
    readonly secrets: SecretGuard | null
  },
): Outgoing {
  const { status, auth, secrets } = answer
  const headers = new Map(request.headers)
  if (to.origin !== request.url.origin) {
    for (const name of credentialHeaders) headers.delete(name)
    if (auth.kind === 'api-key') headers.delete(auth.name.toLowerCase())
    for (const [name, value] of request.headers) if (secrets?.isIn(value) === true) headers.delete(name)
  }
  const becomesGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST'
  if (!becomesGet) return { ...request, url: to, headers }
  for (const name of [...bodyHeaders, 'idempotency-key']) headers.delete(name)
  return { method: 'GET', url: to, headers, body: null }
}

/** Refuses to take a secret to another host than it is meant for, in the body that a redirect keeps. */
export function checkRedirected(request: Outgoing, secrets: SecretGuard | null): void {
  if (secrets === null || request.body === null) return
  const text = request.body.toString('utf8')
  if (secrets.isIn(text)) secrets.checkHost(request.url, [text])
}

/** The request with an access token. */
export function withToken(request: Outgoing, token: string): Outgoing {
  return { ...request, headers: new Map([...request.headers, ['authorization', `Bearer ${token}`]]) }
}

/** Every text that is sent: where secrets may be. */
export const textsOf = ({ url, headers, body }: Outgoing): readonly string[] => [
  url.href,
  ...headers.values(),
  ...(body === null ? [] : [body.toString('utf8')]),
]

function authHeader(auth: HttpRequestParameters['auth']): readonly [string, string] | null {
  switch (auth.kind) {
    case 'none':
    // Its token is not known yet.
    case 'oauth2':
      return null
    case 'basic':
      return ['authorization', `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`]
    case 'bearer':
      return ['authorization', `Bearer ${auth.token}`]
    case 'api-key':
      return auth.placement === 'header' ? [auth.name.toLowerCase(), auth.value] : null
    default:
      return assertNever(auth)
  }
}
