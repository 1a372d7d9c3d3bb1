/** One request to a checked place: what http-request does for people, for kinds that speak HTTP themselves. */

import type { Agent } from 'undici'
import { SagasmithError } from '../model/errors.ts'
import type { Certificates } from './http-request/certificates.ts'
import type { Destination } from './http-request/destination.ts'
import { destinationOf } from './http-request/destination.ts'
import type { HostLookup } from './http-request/host-lookup.ts'
import { onlyTo } from './http-request/host-lookup.ts'
import { bodyBytes, bodyStart, headersOf } from './http-request/incoming.ts'
import type { Proxy } from './http-request/proxy.ts'
import { throughProxy } from './http-request/proxy.ts'
import { heedingRetryAfter } from './retry-after.ts'
import type { TaskContext } from './task.ts'

export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export interface GuardedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
}

/** What a request works with. */
export interface RequestCall {
  readonly context: TaskContext
  readonly lookup: HostLookup
  readonly signal: AbortSignal
  /** What of it may hold secrets; unset where it may be any of the step's. */
  readonly secretTexts?: readonly string[]
  /** An authority of one's own; unset for those that everybody knows. */
  readonly certificates?: Certificates
  /** Unset for a direct connection. */
  readonly proxy?: Proxy | null
}

/**
 * Sends it, without following redirects, and hands the answer on while the connection is open. Throws what
 * `destinationOf` throws, `secret_host_denied`, and `connection_failed`.
 */
export async function withResponse<T>(
  request: GuardedRequest,
  { context, lookup, signal, secretTexts, certificates, proxy = null }: RequestCall,
  read: (response: GuardedResponse) => Promise<T>,
): Promise<T> {
  const { url, method, headers, body } = request
  context.secrets?.checkHost(url, secretTexts)
  const destination = await destinationOf(url, context, { lookup, byProxy: proxy !== null })
  // Loaded with the first request: most processes never make one.
  const { request: send } = await import('undici')
  const dispatcher = await agentFor(destination, { timeoutMs: 0, certificates, proxy })
  try {
    const answer = await send(destination.target, {
      dispatcher,
      method,
      headers: { 'user-agent': 'Sagasmith', ...headers },
      body,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return await read({ status: answer.statusCode, headers: headersOf(answer.headers), body: answer.body })
  } catch (thrown) {
    throw lostConnection(thrown, url)
  } finally {
    await dispatcher.destroy()
  }
}

/** The answer's text. Throws `http_too_large`. */
export async function responseText({ body, headers }: GuardedResponse, bytesMax: number): Promise<string> {
  return (await bodyBytes(body, headers, bytesMax)).toString('utf8')
}

/** Connects to the checked addresses and nothing else, through the proxy where there is one. */
export async function agentFor(
  destination: Destination,
  given: {
    readonly timeoutMs: number
    readonly certificates?: Certificates | undefined
    readonly proxy: Proxy | null
  },
): Promise<Agent> {
  const { timeoutMs, certificates = {}, proxy } = given
  const { Agent, buildConnector } = await import('undici')
  // What the engine answers itself never leaves this machine.
  if (proxy === null || destination.target !== destination.url)
    return new Agent(agentOptions(destination, timeoutMs, certificates))
  const secure = buildConnector({ timeout: timeoutMs, ...certificates })
  return new Agent({ connect: throughProxy(proxy, destination, secure) })
}

function agentOptions(
  destination: Destination,
  timeoutMs: number,
  certificates: Certificates,
): Agent.Options {
  const { addresses } = destination
  if (addresses === null) return { connect: { timeout: timeoutMs, ...certificates } }
  return {
    connect: {
      timeout: timeoutMs,
      ...certificates,
      lookup: onlyTo(addresses),
    },
  }
}

/** Trying again can help: too early, too many requests, timeouts; and everything from 500 on. */
const temporaryCodes: ReadonlySet<number> = new Set([408, 425, 429])

/** What a service says with a status that is no success. `name` is what it is called in the message. */
export async function refusedAnswer(
  response: GuardedResponse,
  name: string,
  context: TaskContext,
): Promise<SagasmithError> {
  const { status } = response
  const text = await responseText(response, 100_000).catch(() => '')
  const details = { status, ...bodyStart(Buffer.from(text), context) }
  const isSignIn = status === 401 || status === 403
  return new SagasmithError(isSignIn ? 'sign_in_refused' : 'http_status', {
    message: `${name} answered with ${status}.`,
    details: heedingRetryAfter(details, response, context.clock.now()),
    retryable: status >= 500 || temporaryCodes.has(status),
  })
}

function lostConnection(thrown: unknown, url: URL): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
  return new SagasmithError('connection_failed', {
    message: `${url.host} could not be reached: ${thrown.message === '' ? code : thrown.message}.`,
    details: { host: url.host, reason: code },
    cause: thrown,
  })
}
