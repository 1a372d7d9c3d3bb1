/** Calls a web address, once or page after page, and hands on what came. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { unlessAborted } from '../abort.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { AccessTokens } from './access-token.ts'
import { createAccessTokens } from './access-token.ts'
import { certificatesOf } from './certificates.ts'
import { tellingEffectLeft } from './effect-left.ts'
import type { Call, Exchange } from './exchange.ts'
import { exchanged } from './exchange.ts'
import { bodyValue } from './incoming.ts'
import { outgoingOf } from './outgoing.ts'
import type { PageRequest } from './pages.ts'
import { readPages } from './pages.ts'
import { proxyOf } from './proxy.ts'
import type { HttpRequestParameters } from './spec.ts'

type Ports = Pick<TaskPorts, 'lookup' | 'evaluate'>

interface Work {
  readonly parameters: HttpRequestParameters
  readonly context: TaskContext
  readonly ports: Ports
  readonly tokens: AccessTokens
}

/** The HTTP request with what it needs from outside. */
export function createHttpRequestRun(ports: Ports): TaskRun<HttpRequestParameters> {
  const tokens = createAccessTokens()
  return {
    async execute(parameters, context) {
      const work = { parameters, context, ports, tokens }
      if (parameters.pages.kind !== 'none')
        return completed(await paged(work, (request) => readAnswer(request, work)))
      const request = await outgoingOf(parameters, context.idempotencyKey, context)
      const { exchange, body } = await readAnswer({ request, signsIn: true }, work)
      const { taken } = exchange.answer
      const cut = taken === null ? {} : { isCut: taken.isCut }
      return completed({ ...toldOf(exchange), body, ...cut, url: exchange.request.url.href })
    },
  }
}

interface ReadAnswer {
  readonly exchange: Exchange
  readonly body: JsonValue
}

const toldOf = ({ answer: { status, headers } }: Exchange): JsonObject => ({ status, headers })

/** One answer within its time, as data. */
function readAnswer({ request, signsIn }: PageRequest, work: Work): Promise<ReadAnswer> {
  return inTime(work, async (call) => {
    const exchange = await exchanged(request, call, signsIn)
    const { headers, bytes, saved, taken } = exchange.answer
    if (saved !== null) return { exchange, body: { ...saved } }
    if (taken !== null) return { exchange, body: taken.items }
    const body = bodyValue(bytes, headers, { mode: call.parameters.response, context: call.context })
    return { exchange, body }
  })
}

async function inTime<T>(work: Work, read: (call: Call) => Promise<T>): Promise<T> {
  const { parameters, context, ports, tokens } = work
  const timeout = new AbortController()
  const cancel = context.clock.after(parameters.timeoutMs, () => timeout.abort())
  const signal = AbortSignal.any([context.signal, timeout.signal])
  try {
    const certificates = certificatesOf(parameters)
    const { lookup } = ports
    const proxy = await unlessAborted(proxyOf(parameters, context, lookup), signal)
    return await read({ parameters, context, lookup, signal, tokens, certificates, proxy })
  } catch (thrown) {
    if (context.signal.aborted) throw new SagasmithError('task_cancelled')
    if (timeout.signal.aborted) throw timedOut(parameters)
    throw tellingEffectLeft(thrown, parameters.method)
  } finally {
    cancel()
  }
}

async function paged(
  { parameters, context, ports }: Work,
  read: (request: PageRequest) => Promise<ReadAnswer>,
): Promise<JsonObject> {
  const now = Number(context.run['now'] ?? context.clock.now())
  const found = await readPages({
    parameters,
    context,
    evaluate: (expression, scope) => ports.evaluate({ expression, scope, now, seed: context.idempotencyKey }),
    read: async (request) => {
      const { exchange, body } = await read(request)
      return { url: exchange.request.url, bytes: exchange.answer.bytes.length, body, told: toldOf(exchange) }
    },
  })
  const { items, pages, isCut, told } = found
  const text = `${pages} pages, ${items.length} items${isCut ? ', and there are more' : ''}`
  context.log({ level: 'info', stream: 'task', text })
  return { ...told, body: items, pages, isCut, url: found.url.href }
}

function timedOut(parameters: HttpRequestParameters): SagasmithError {
  return new SagasmithError('task_timeout', {
    message: `There was no complete answer within ${parameters.timeoutMs} ms.`,
    hint: 'Raise the timeout of the request, or ask for less.',
    details: { timeoutMs: parameters.timeoutMs },
  })
}
