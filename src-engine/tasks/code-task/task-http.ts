/** The requests of a task file: to the hosts that it names, by the rules that every step has. */

import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'
import { httpCallsMax, taskAnswerBytesMax } from '../../model/limits.ts'
import { hostOfAddress, isHostAllowed } from '../../model/secret.ts'
import { withResponse } from '../guarded-request.ts'
import { webAddress } from '../http-request/destination.ts'
import type { HostLookup } from '../http-request/host-lookup.ts'
import { bodyBytes } from '../http-request/incoming.ts'
import type { TaskContext } from '../task.ts'

const requestSchema = z.strictObject({
  url: z.string().min(1).max(8_192),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE', 'HEAD']).default('GET'),
  headers: z.record(z.string(), z.coerce.string()).default({}),
  /** A text is sent as it is, anything else as JSON. */
  body: z.json().nullable().default(null),
})

interface HttpParts {
  readonly hosts: readonly string[]
  readonly context: TaskContext
  readonly lookup: HostLookup
}

/** Sends the requests of one execution. Throws what is told to the code. */
export function createTaskHttp({
  hosts,
  context,
  lookup,
}: HttpParts): (request: string, signal: AbortSignal) => Promise<string> {
  let calls = 0
  return async (text, signal) => {
    calls += 1
    if (calls > httpCallsMax) throw refused(`The code may send ${httpCallsMax} requests at most.`)
    const parsed = requestSchema.safeParse(JSON.parse(text))
    if (!parsed.success) throw refused(`http(): ${z.prettifyError(parsed.error)}`)
    const { method, headers, body } = parsed.data
    const url = webAddress(parsed.data.url)
    if (!isHostAllowed({ hosts }, hostOfAddress(url))) throw notNamed(url)
    const isText = typeof body === 'string'
    const type = body === null || isText ? {} : { 'content-type': 'application/json' }
    return withResponse(
      {
        ...{ method, url },
        headers: { ...type, ...headers },
        body: body === null || isText ? body : JSON.stringify(body),
      },
      { context, lookup, signal },
      async (response) => {
        const bytes = await bodyBytes(response.body, response.headers, taskAnswerBytesMax)
        context.log({
          level: 'info',
          stream: 'task',
          text: `${method} ${url.origin}${url.pathname} → ${response.status}`,
        })
        const { status, headers: given } = response
        return JSON.stringify({ status, headers: given, body: bodyOf(bytes.toString('utf8'), given) })
      },
    )
  }
}

/** JSON where the server says that it is some. */
function bodyOf(text: string, headers: Readonly<Record<string, string>>): unknown {
  if (text === '') return null
  if (!/[/+]json\b/i.test(headers['content-type'] ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    // It says so and isn't: the code gets what came.
    return text
  }
}

const refused = (message: string): SagasmithError => new SagasmithError('task_input_invalid', { message })

const notNamed = (url: URL): SagasmithError =>
  new SagasmithError('http_address_denied', {
    message: `The task doesn’t name ${url.host} among its hosts.`,
    hint: 'Name it under “hosts” in the file of the task.',
    details: { host: url.host },
  })
