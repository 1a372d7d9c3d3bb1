/**
 * A request, the sign-in before it and the redirects after it. Each hop is resolved once, all its addresses are
 * checked, and the connection goes to a checked address only, so that a name can't change its mind in between.
 */

import type { Dispatcher } from 'undici'
import { SagasmithError } from '../../model/errors.ts'
import { redactedByName } from '../../model/sensitive-names.ts'
import { unlessAborted } from '../abort.ts'
import { isCodeIn } from '../code-ranges.ts'
import { agentFor } from '../guarded-request.ts'
import { heedingRetryAfter } from '../retry-after.ts'
import type { TaskContext } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { AccessTokens } from './access-token.ts'
import type { Certificates } from './certificates.ts'
import { noCertificates } from './certificates.ts'
import { destinationOf, webAddress } from './destination.ts'
import { bodyBytes, bodyStart, headersOf } from './incoming.ts'
import type { TakenItems } from './items.ts'
import { takenItems } from './items.ts'
import type { Outgoing } from './outgoing.ts'
import { checkRedirected, redirected, textsOf, withToken } from './outgoing.ts'
import type { Proxy } from './proxy.ts'
import type { SavedFile } from './saved-body.ts'
import { savedBody } from './saved-body.ts'
import type { HttpRequestParameters } from './spec.ts'

const redirectsMax = 5
const certificateHint =
  'Check that it is the right host. If its certificate is of your own authority, put that under “Connection”.'
const redirectCodes = [301, 302, 303, 307, 308]
/** Trying these again can help: too early, too many requests, timeouts; and everything from 500 on. */
const temporaryCodes = [408, 425, 429]

/** What a request works with. */
export interface Call {
  readonly parameters: HttpRequestParameters
  readonly context: TaskContext
  readonly lookup: TaskPorts['lookup']
  /** Aborted by the attempt's own signal or by the request's timeout. */
  readonly signal: AbortSignal
  readonly tokens: AccessTokens
  /** For the host that the step names, and for no other. */
  readonly certificates: Certificates
  /** Null for a direct connection. */
  readonly proxy: Proxy | null
}

export interface Answer {
  readonly status: number
  /** What the standard calls the status; empty for one that it doesn't know. */
  readonly statusName: string
  readonly headers: Readonly<Record<string, string>>
  /** What a file got instead has none. */
  readonly bytes: Buffer
  readonly saved: SavedFile | null
  /** What was taken item by item instead of as a whole; null for everything else. */
  readonly taken: TakenItems | null
}

/** An answer, and the request that got it: the last one, after redirects. */
export interface Exchange {
  readonly request: Outgoing
  readonly answer: Answer
}

/**
 * Sends a request and follows where it is led. `signsIn` is false for one that another server led to. Throws
 * `http_status` for an answer that doesn't count as success.
 */
export async function exchanged(first: Outgoing, call: Call, signsIn = true): Promise<Exchange> {
  const { parameters, context } = call
  const { secrets } = context
  let { request, answer } = signsIn ? await signedIn(first, call) : await sent(first, call)
  for (let redirects = 0; ; redirects += 1) {
    const location = answer.headers['location']
    if (location === undefined || !moves(answer, parameters)) break
    if (redirects === redirectsMax) throw tooManyRedirects(parameters)
    const { status } = answer
    const { auth } = parameters
    request = redirected(request, webAddress(location, request.url), { status, auth, secrets })
    checkRedirected(request, secrets)
    // Each hop is known only from the answer to the one before.
    answer = await loggedAnswer(request, call)
  }
  if (!isCodeIn(parameters.successCodes, answer.status)) throw statusError(request, answer, context)
  return { request, answer }
}

/** Whether an answer leads on. */
function moves(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  { followRedirects }: HttpRequestParameters,
): boolean {
  return followRedirects && redirectCodes.includes(status) && headers['location'] !== undefined
}

function certificatesFor({ url }: Outgoing, { parameters, certificates }: Call): Certificates {
  return url.origin === webAddress(parameters.url.trim()).origin ? certificates : noCertificates
}

async function sent(request: Outgoing, call: Call): Promise<Exchange> {
  call.context.secrets?.checkHost(request.url, textsOf(request))
  return { request, answer: await loggedAnswer(request, call) }
}

/** The first hop, with an access token where one is asked for. */
async function signedIn(request: Outgoing, call: Call): Promise<Exchange> {
  const { parameters, context, lookup, signal, tokens } = call
  const { auth } = parameters
  if (auth.kind !== 'oauth2') {
    // What the proxy is told is no matter of this host.
    context.secrets?.checkHost(request.url, call.proxy === null ? undefined : textsOf(request))
    return { request, answer: await loggedAnswer(request, call) }
  }
  // The client's secret stays with the server of the token: only what this request holds must be meant for its host.
  context.secrets?.checkHost(request.url, textsOf(request))
  const { ca } = call.certificates
  const at = { context, lookup, signal, certificates: ca === undefined ? {} : { ca }, proxy: call.proxy }
  const token = await tokens.get(auth, at)
  const signed = withToken(request, token.text)
  const answer = await loggedAnswer(signed, call)
  if (answer.status !== 401) return { request: signed, answer }
  tokens.forget(auth, at)
  if (!token.wasKept) return { request: signed, answer }
  // It ended before its time. Who is not let in has done nothing, so it is safe to ask again.
  const renewed = withToken(request, (await tokens.get(auth, at)).text)
  return { request: renewed, answer: await loggedAnswer(renewed, call) }
}

async function loggedAnswer(request: Outgoing, call: Call): Promise<Answer> {
  const { clock, log } = call.context
  const startedAt = clock.monotonic()
  const answer = await answered(request, call)
  const spanMs = Math.round(clock.monotonic() - startedAt)
  const place = `${request.method} ${withoutQuery(request.url)}`
  log({ level: 'info', stream: 'task', text: `${place} → ${answer.status} (${spanMs} ms)` })
  return answer
}

async function answered(request: Outgoing, call: Call): Promise<Answer> {
  // Loaded with the first request: they are large, and most processes never make one.
  const [{ request: sendRequest }, { STATUS_CODES }] = await Promise.all([
    import('undici'),
    import('node:http'),
  ])
  const { proxy, lookup } = call
  const found = destinationOf(request.url, call.context, { lookup, byProxy: proxy !== null })
  const destination = await unlessAborted(found, call.signal)
  const { timeoutMs } = call.parameters
  const certificates = certificatesFor(request, call)
  const dispatcher: Dispatcher = await agentFor(destination, { timeoutMs, certificates, proxy })
  try {
    const response = await sendRequest(destination.target, {
      dispatcher,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.body,
      signal: call.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const headers = headersOf(response.headers)
    const { statusCode: status } = response
    const named = { status, statusName: STATUS_CODES[status] ?? '', headers }
    const { parameters } = call
    const none = { bytes: Buffer.alloc(0), saved: null, taken: null }
    const isWanted = !moves({ status, headers }, parameters) && isCodeIn(parameters.successCodes, status)
    if (isWanted && parameters.response === 'file')
      return { ...named, ...none, saved: await savedBody(response.body, headers, call) }
    if (isWanted && parameters.response === 'items')
      return { ...named, ...none, taken: await takenItems(response.body, headers, call) }
    const bytes = await bodyBytes(response.body, headers, parameters.maxResponseBytes)
    return { ...named, ...none, bytes }
  } catch (thrown) {
    throw connectionError(thrown, request.url)
  } finally {
    await dispatcher.destroy()
  }
}

function statusError(request: Outgoing, answer: Answer, context: TaskContext): SagasmithError {
  const { status, statusName, headers, bytes } = answer
  const place = `${request.method} ${withoutQuery(request.url)}`
  const details = { status, headers: redactedByName(headers), ...bodyStart(bytes, context) }
  return new SagasmithError('http_status', {
    message: `${place} was answered with ${status} ${statusName}`.trimEnd().concat('.'),
    details: heedingRetryAfter(details, answer, context.clock.now()),
    retryable: status >= 500 || temporaryCodes.includes(status),
  })
}

function connectionError(thrown: unknown, url: URL): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
  if (code === 'UND_ERR_INVALID_ARG' || code === 'ERR_INVALID_CHAR') {
    return new SagasmithError('task_input_invalid', {
      message: `The request can’t be sent: ${thrown.message}.`,
      details: { field: 'headers' },
      cause: thrown,
    })
  }
  const isUnknown = /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)
  return new SagasmithError('http_unreachable', {
    message: `${url.host} could not be reached: ${thrown.message === '' ? code : thrown.message}.`,
    ...(isUnknown ? { hint: certificateHint, retryable: false } : {}),
    details: { host: url.host, reason: code },
    cause: thrown,
  })
}

function tooManyRedirects(parameters: HttpRequestParameters): SagasmithError {
  return new SagasmithError('http_unreachable', {
    message: `“${parameters.url}” leads from address to address, more than ${redirectsMax} times.`,
    hint: 'Use the final address, or turn off “Follow redirects”.',
    retryable: false,
  })
}

/** Queries hold keys and names: they stay out of logs and messages. */
function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`
}
