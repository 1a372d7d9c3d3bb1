/** Signing in by OAuth 2 as a program: an access token for a client's secret, asked for once and kept until it expires. */

import { createHash } from 'node:crypto'
import { SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import { unlessAborted } from '../abort.ts'
import type { GuardedRequest, GuardedResponse, RequestCall } from '../guarded-request.ts'
import { refusedAnswer, responseText, withResponse } from '../guarded-request.ts'
import { parseJson } from '../json-text.ts'
import { tellable } from '../task.ts'
import { webAddress } from './destination.ts'
import type { HttpRequestParameters } from './spec.ts'

/** Who signs in, and where. */
export type ClientCredentials = Extract<HttpRequestParameters['auth'], { readonly kind: 'oauth2' }>

/** A token, and whether it was there already: then its server may have forgotten it meanwhile. */
export interface AccessToken {
  readonly text: string
  readonly wasKept: boolean
}

export interface AccessTokens {
  /** Throws `sign_in_refused`, `sign_in_failed`, and what refuses the address of the token's server. */
  readonly get: (client: ClientCredentials, call: RequestCall) => Promise<AccessToken>
  /** It was refused: the next one is asked for anew. */
  readonly forget: (client: ClientCredentials, call: RequestCall) => void
}

interface Kept {
  readonly text: string
  readonly until: Instant
}

/** An answer with a token is a few hundred bytes; signed ones with many claims have thousands. */
const answerBytesMax = 100_000
/** More clients than a workspace has; those that were asked for first give way. */
const keptMax = 1_000
/** A token that ends on the way helps nobody. */
const marginMs = 10 * second
/** What keeps a request from a host is told as it is, and so is what is one of signing in already. */
const passedOn = new Set([
  'secret_host_denied',
  'http_address_denied',
  'task_input_invalid',
  'sign_in_refused',
  'sign_in_failed',
])

/** Tokens of this process. They are nowhere else. */
export function createAccessTokens(): AccessTokens {
  const kept = new Map<string, Kept>()
  /** Null when who asked was stopped, which says nothing about others. */
  const asking = new Map<string, Promise<Kept | null>>()
  const ask = (key: string, client: ClientCredentials, call: RequestCall): Promise<Kept | null> => {
    const asked = askedFor(client, call)
      .then((token) => {
        if (token !== null) keep(kept, key, token)
        return token
      })
      .finally(() => asking.delete(key))
    asking.set(key, asked)
    return asked
  }
  return {
    async get(client, call) {
      const { context, signal } = call
      context.secrets?.checkHost(webAddress(client.tokenUrl.trim()), secretTextsOf(client))
      const key = keyOf(client, call)
      for (;;) {
        const found = kept.get(key)
        if (found !== undefined && found.until > context.clock.now()) return told(found, true, call)
        // Steps that begin together ask once.
        const token = await unlessAborted(asking.get(key) ?? ask(key, client, call), signal)
        if (token !== null) return told(token, false, call)
      }
    },
    forget: (client, call) => {
      kept.delete(keyOf(client, call))
    },
  }
}

function told({ text }: Kept, wasKept: boolean, { context }: RequestCall): AccessToken {
  context.secrets?.add({ name: 'access token', value: text })
  return { text, wasKept }
}

function keep(kept: Map<string, Kept>, key: string, token: Kept): void {
  kept.delete(key)
  const [oldest] = kept.keys()
  if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
  kept.set(key, token)
}

/** Only those with the same secret, and who may reach the same hosts, have a token together. */
function keyOf(client: ClientCredentials, { context }: RequestCall): string {
  const { approvedHosts, allowedHosts = null } = context
  const parts = JSON.stringify([client, approvedHosts, allowedHosts])
  return createHash('sha256').update(parts).digest('hex')
}

/** Of all the secrets of the step, the token's server gets those of the client alone. */
const secretTextsOf = ({ tokenUrl, clientId, clientSecret }: ClientCredentials): readonly string[] => [
  tokenUrl,
  clientId,
  clientSecret,
]

async function askedFor(client: ClientCredentials, call: RequestCall): Promise<Kept | null> {
  const request = requestOf(client)
  const askedAt = call.context.clock.now()
  try {
    return await withResponse(request, { ...call, secretTexts: secretTextsOf(client) }, (response) =>
      tokenOf(response, { request, call, askedAt }),
    )
  } catch (thrown) {
    if (call.signal.aborted) return null
    throw failedSignIn(thrown, request.url)
  }
}

function requestOf({
  tokenUrl,
  clientId,
  clientSecret,
  scope,
  placement,
}: ClientCredentials): GuardedRequest {
  const fields = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scope.trim() !== '') fields.set('scope', scope.trim())
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  if (placement === 'body') {
    fields.set('client_id', clientId)
    fields.set('client_secret', clientSecret)
  } else {
    // Each is encoded as a field of a form before they are put together, so that a colon in one stays its own.
    const pair = [clientId, clientSecret].map(formEncoded).join(':')
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  return { method: 'POST', url: webAddress(tokenUrl.trim()), headers, body: String(fields) }
}

const formEncoded = (text: string): string => String(new URLSearchParams([['', text]])).slice(1)

interface Asked {
  readonly request: GuardedRequest
  readonly call: RequestCall
  readonly askedAt: Instant
}

async function tokenOf(response: GuardedResponse, { request, call, askedAt }: Asked): Promise<Kept> {
  const { status } = response
  const { host } = request.url
  if (status === 400) throw refusedClient(await answerOf(response), host, call)
  if (status !== 200) throw await refusedAnswer(response, host, call.context)
  const answer = await answerOf(response)
  const { access_token: text, token_type: type, expires_in: seconds } = answer
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text)) throw noToken(host, 'no access token')
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    throw noToken(host, 'a token of another kind')
  const lasts = Number(seconds) * second
  // Who doesn't say how long it is good for gives one for each request.
  return { text, until: Number.isFinite(lasts) ? askedAt + lasts - marginMs : askedAt }
}

async function answerOf(response: GuardedResponse): Promise<JsonObject> {
  const parsed = parseJson(await responseText(response, answerBytesMax))
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
}

/** What the standard says with 400: the client, its secret or the scope is wrong. */
function refusedClient(answer: JsonObject, host: string, { context }: RequestCall): SagasmithError {
  const said = [answer['error_description'], answer['error']].find((text) => typeof text === 'string')
  const why = typeof said === 'string' ? `: ${tellable(context, said).slice(0, 500)}` : ''
  return new SagasmithError('sign_in_refused', {
    message: `${host} gives no access token${why}.`,
    hint: 'Check client ID, client secret and scope, and how the client is sent.',
    details: { status: 400, host },
  })
}

function noToken(host: string, what: string): SagasmithError {
  return new SagasmithError('sign_in_failed', {
    message: `${host} was asked for an access token, and answered with ${what}.`,
    details: { host },
    retryable: false,
  })
}

/** The same error as one of signing in: nothing was asked of the address itself yet. */
function failedSignIn(thrown: unknown, { host }: URL): unknown {
  if (!(thrown instanceof SagasmithError) || passedOn.has(thrown.code)) return thrown
  const { code, message, details, retryable } = toErrorRecord(thrown)
  return new SagasmithError('sign_in_failed', {
    message: `There is no access token: ${message}`,
    details: { ...details, host, code },
    retryable,
    cause: thrown,
  })
}
