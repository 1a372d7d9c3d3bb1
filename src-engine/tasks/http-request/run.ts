/**
 * Calls a web address. Each hop is resolved once, all its addresses are checked, and the connection goes to
 * a checked address only, so that a name can't change its mind in between.
 */

import type { Dispatcher } from 'undici'
import { SagasmithError } from '../../model/errors.ts'
import { redactedByName } from '../../model/sensitive-names.ts'
import { unlessAborted } from '../abort.ts'
import { isCodeIn } from '../code-ranges.ts'
import { agentOptions } from '../guarded-request.ts'
import { heedingRetryAfter } from '../retry-after.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { AccessTokens } from './access-token.ts'
import { createAccessTokens } from './access-token.ts'
import { destinationOf, webAddress } from './destination.ts'
import { tellingEffectLeft } from './effect-left.ts'
import { bodyBytes, bodyStart, bodyValue, headersOf } from './incoming.ts'
import type { Outgoing } from './outgoing.ts'
import { checkRedirected, outgoingOf, redirected, textsOf, withToken } from './outgoing.ts'
import type { HttpRequestParameters } from './spec.ts'

const redirectsMax = 5
const redirectCodes = [301, 302, 303, 307, 308]
/** Trying these again can help: too early, too many requests, timeouts; and everything from 500 on. */
const temporaryCodes = [408, 425, 429]

interface Call {
  readonly parameters: HttpRequestParameters
  readonly context: TaskContext
  readonly ports: Pick<TaskPorts, 'lookup'>
  /** Aborted by the attempt's own signal or by the request's timeout. */
  readonly signal: AbortSignal
  readonly tokens: AccessTokens
}

interface Answer {
  readonly status: number
  /** What the standard calls the status; empty for one that it doesn't know. */
  readonly statusName: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** The HTTP request with what it needs from outside. */
export function createHttpRequestRun(ports: Pick<TaskPorts, 'lookup'>): TaskRun<HttpRequestParameters> {
  const tokens = createAccessTokens()
  return {
    async execute(parameters, context) {
      const timeout = new AbortController()
      const cancel = context.clock.after(parameters.timeoutMs, () => timeout.abort())
      const signal = AbortSignal.any([context.signal, timeout.signal])
      try {
        return completed(await followed({ parameters, context, ports, signal, tokens }))
      } catch (thrown) {
        if (context.signal.aborted) throw new SagasmithError('task_cancelled')
        if (timeout.signal.aborted) throw timedOut(parameters)
        throw tellingEffectLeft(thrown, parameters.method)
      } finally {
        cancel()
      }
    },
  }
}

async function followed(call: Call) {
  const { parameters, context } = call
  const { secrets } = context
  let { request, answer } = await signedIn(outgoingOf(parameters, context.idempotencyKey), call)
  for (let redirects = 0; ; redirects += 1) {
    const location = answer.headers['location']
    const moves = redirectCodes.includes(answer.status) && location !== undefined
    if (!parameters.followRedirects || !moves) return resultOf(request, answer, call)
    if (redirects === redirectsMax) throw tooManyRedirects(parameters)
    const { status } = answer
    request = redirected(request, webAddress(location, request.url), {
      status,
      auth: parameters.auth,
      secrets,
    })
    checkRedirected(request, secrets)
    // Each hop is known only from the answer to the one before.
    answer = await loggedAnswer(request, call)
  }
}

interface Sent {
  readonly request: Outgoing
  readonly answer: Answer
}

/** The first hop, with an access token where one is asked for. */
async function signedIn(request: Outgoing, call: Call): Promise<Sent> {
  const { parameters, context, ports, signal, tokens } = call
  const { auth } = parameters
  if (auth.kind !== 'oauth2') {
    context.secrets?.checkHost(request.url)
    return { request, answer: await loggedAnswer(request, call) }
  }
  // The client's secret stays with the server of the token: only what this request holds must be meant for its host.
  context.secrets?.checkHost(request.url, textsOf(request))
  const at = { context, lookup: ports.lookup, signal }
  const token = await tokens.get(auth, at)
  const sent = withToken(request, token.text)
  const answer = await loggedAnswer(sent, call)
  if (answer.status !== 401) return { request: sent, answer }
  tokens.forget(auth, at)
  if (!token.wasKept) return { request: sent, answer }
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
  const [{ Agent, request: sendRequest }, { STATUS_CODES }] = await Promise.all([
    import('undici'),
    import('node:http'),
  ])
  const found = destinationOf(request.url, call.context, call.ports.lookup)
  const destination = await unlessAborted(found, call.signal)
  const dispatcher: Dispatcher = new Agent(agentOptions(destination, call.parameters.timeoutMs))
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
    const bytes = await bodyBytes(response.body, headers, call.parameters.maxResponseBytes)
    const { statusCode: status } = response
    return { status, statusName: STATUS_CODES[status] ?? '', headers, bytes }
  } catch (thrown) {
    throw connectionError(thrown, request.url)
  } finally {
    await dispatcher.destroy()
  }
}

function resultOf(request: Outgoing, answer: Answer, { parameters, context }: Call) {
  const { status, headers, bytes } = answer
  const url = request.url.href
  if (!isCodeIn(parameters.successCodes, status)) throw statusError(request, answer, context)
  return { status, headers, body: bodyValue(bytes, headers, { mode: parameters.response, context }), url }
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
  return new SagasmithError('http_unreachable', {
    message: `${url.host} could not be reached: ${thrown.message === '' ? code : thrown.message}.`,
    details: { host: url.host, reason: code },
    cause: thrown,
  })
}

function timedOut(parameters: HttpRequestParameters): SagasmithError {
  return new SagasmithError('task_timeout', {
    message: `There was no complete answer within ${parameters.timeoutMs} ms.`,
    hint: 'Raise the timeout of the request, or ask for less.',
    details: { timeoutMs: parameters.timeoutMs },
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
