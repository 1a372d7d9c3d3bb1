/** HTTP requests that sign in by OAuth 2: where the client's secret goes, how long a token is kept, what goes wrong. */

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordOfThrown, SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { leavesUnknownEffect } from '../../../src-engine/model/unknown-effect.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import type { SecretGuard, TaskContext } from '../../../src-engine/tasks/task.ts'
import type { ProbeContext } from '../../support/task-context.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

interface Arrived {
  readonly path: string
  readonly host: string
  readonly authorization: string
  readonly body: string
}

let server: Server
let port = 0
let now = 0
let arrived: Arrived[] = []
/** How the token's server answers; null while it doesn't. */
let grant: (count: number) => { readonly status: number; readonly text: string } | null
/** Tokens that the service does not take. */
let refused: Set<string>
let onToken = () => {}
let task = createHttpRequestRun({ lookup: async () => [], evaluate: async () => null })

const granted = (answer: JsonObject) => ({ status: 200, text: JSON.stringify(answer) })

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { host = '', authorization = '' } = request.headers
      const path = request.url ?? ''
      arrived.push({ path, host, authorization, body: Buffer.concat(chunks).toString('utf8') })
      if (path === '/token') {
        const answer = grant(tokensAsked())
        if (answer !== null) response.writeHead(answer.status, { 'retry-after': '9' }).end(answer.text)
        onToken()
        return
      }
      if (path === '/moves') response.writeHead(307, { location: `http://other.example:${port}/orders` })
      else response.writeHead(refused.has(authorization) ? 401 : 200)
      response.end(`seen ${authorization}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  now = 1_000_000
  arrived = []
  refused = new Set()
  onToken = () => {}
  grant = (count) => granted({ access_token: `token-${count}`, token_type: 'Bearer', expires_in: 3_600 })
  // Tokens are kept by the process: each test has its own.
  task = createHttpRequestRun({
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    evaluate: async () => null,
  })
})

const tokensAsked = () => arrived.filter(({ path }) => path === '/token').length
const auth = (parts: JsonObject = {}): JsonObject => ({
  kind: 'oauth2',
  tokenUrl: `http://login.example:${port}/token`,
  clientId: 'me:too',
  clientSecret: 'canary 4711',
  ...parts,
})
const approvedHosts = ['login.example', 'api.example', 'other.example']
/** As an attempt has it: all of it is behind a prototype, so that a copy by its own properties has nothing. */
const contextOf = (parts: Partial<TaskContext> = {}): ProbeContext =>
  Object.create(
    taskContext({ approvedHosts, clock: { ...systemClock, now: () => now }, ...parts }),
  ) as ProbeContext
const run = async (raw: JsonObject = {}, context: TaskContext = contextOf()) => {
  const all = { url: `http://api.example:${port}/orders`, auth: auth(), ...raw }
  return outputOf(await task.execute(httpRequestSpec.parameters.parse(all), context)) as JsonObject
}
const failure = async (raw: JsonObject = {}, context: TaskContext = contextOf()) =>
  recordOfThrown(await thrownBy(() => run(raw, context)))

describe('the token', () => {
  test('is asked for with name and secret, each encoded by itself, and sent as a bearer', async () => {
    expect(await run({ auth: auth({ scope: ' orders.read orders.write ' }) })).toMatchObject({ status: 200 })
    const basic = Buffer.from('me%3Atoo:canary+4711').toString('base64')
    expect(arrived).toMatchObject([
      {
        path: '/token',
        host: `login.example:${port}`,
        authorization: `Basic ${basic}`,
        body: 'grant_type=client_credentials&scope=orders.read+orders.write',
      },
      { path: '/orders', host: `api.example:${port}`, authorization: 'Bearer token-1', body: '' },
    ])
  })

  test('is asked for with fields of a form where the service wants that', async () => {
    await run({ auth: auth({ placement: 'body' }) })
    expect(arrived[0]).toMatchObject({
      authorization: '',
      body: 'grant_type=client_credentials&client_id=me%3Atoo&client_secret=canary+4711',
    })
  })

  test('is kept until shortly before it expires, for that client and what it may reach alone', async () => {
    await run()
    now += 3_589_999
    await run()
    expect(tokensAsked()).toBe(1)
    now += 1
    expect(await run()).toMatchObject({ body: 'seen Bearer token-2' })
    await run({ auth: auth({ clientSecret: 'other' }) })
    await run({ auth: auth({ scope: 'more' }) })
    expect(tokensAsked()).toBe(4)
    await run({}, contextOf({ approvedHosts: [...approvedHosts, 'x.example'] }))
    expect(tokensAsked()).toBe(5)
  })

  test('is kept for one request where nobody says how long it is good for', async () => {
    grant = (count) => granted({ access_token: `token-${count}` })
    await run()
    expect(await run()).toMatchObject({ body: 'seen Bearer token-2' })
  })

  test('is asked for once by steps that begin together', async () => {
    const bodies = (await Promise.all([run(), run(), run()])).map(({ body }) => body)
    expect(bodies).toEqual(Array.from({ length: 3 }, () => 'seen Bearer token-1'))
    expect(tokensAsked()).toBe(1)
  })

  test('a step that is cancelled while it asks leaves the others to ask themselves', async () => {
    const controller = new AbortController()
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    grant = (count) => (count === 1 ? null : granted({ access_token: 'late' }))
    onToken = isAsked
    const first = failure({}, contextOf({ signal: controller.signal }))
    const second = run()
    await asked
    controller.abort()
    expect(await first).toMatchObject({ code: 'task_cancelled' })
    expect(await second).toMatchObject({ body: 'seen Bearer late' })
  })

  test('that its server forgot is renewed once; one that is new and refused is not', async () => {
    await run()
    refused.add('Bearer token-1')
    expect(await run({ method: 'POST' })).toMatchObject({ status: 200, body: 'seen Bearer token-2' })
    refused = new Set(['Bearer token-2', 'Bearer token-3', 'Bearer token-4'])
    expect(await failure()).toMatchObject({ code: 'http_status', details: { status: 401 } })
    expect(tokensAsked()).toBe(3)
    expect(await failure()).toMatchObject({ code: 'http_status', details: { status: 401 } })
    expect(tokensAsked()).toBe(4)
    expect(arrived.filter(({ path }) => path === '/orders')).toHaveLength(7)
  })

  test('stays behind where a redirect leads to another host', async () => {
    expect(await run({ url: `http://api.example:${port}/moves` })).toMatchObject({ body: 'seen ' })
    expect(arrived.at(-1)).toMatchObject({ host: `other.example:${port}`, authorization: '' })
  })
})

describe('secrets', () => {
  /** The client's secret is bound to the token's server; what the task adds is taken out. */
  function guard(): SecretGuard & { readonly added: string[] } {
    const added: string[] = []
    const isIn = (text: string) => /canary|4711/.test(text)
    return {
      added,
      checkHost: ({ hostname }, texts) => {
        const isHeld = texts === undefined || texts.some(isIn)
        if (isHeld && hostname !== 'login.example') throw new SagasmithError('secret_host_denied')
      },
      add: ({ value }) => added.push(value),
      isIn,
      redact: (text) => text.replaceAll('canary 4711', '(gone)'),
    }
  }

  test('the client’s goes to the token’s server only, and the token is one from then on', async () => {
    const secrets = guard()
    const context = contextOf({ secrets })
    expect(await run({}, context)).toMatchObject({ status: 200 })
    await run({}, context)
    expect(secrets.added).toEqual(['token-1', 'token-1'])
    expect(context.lines.join('\n')).not.toMatch(/token-1|4711/)
  })

  test('a token’s server that the secret is not meant for is never asked, nor is its token used', async () => {
    const elsewhere = auth({ tokenUrl: `http://other.example:${port}/token` })
    await run({ auth: elsewhere })
    arrived = []
    expect(await failure({ auth: elsewhere }, contextOf({ secrets: guard() }))).toMatchObject({
      code: 'secret_host_denied',
    })
    expect(arrived).toEqual([])
  })

  test('a request that holds the client’s secret itself does not take it along', async () => {
    const raw = { headers: { 'X-Mine': 'canary 4711' } }
    const error = await failure(raw, contextOf({ secrets: guard() }))
    expect(error).toMatchObject({ code: 'secret_host_denied' })
    expect(arrived).toEqual([])
  })
})

describe('goes wrong', () => {
  const answers: [string, number, string, JsonObject][] = [
    ['the client is unknown', 401, '', { code: 'sign_in_refused', retryable: false }],
    [
      'the scope is none',
      400,
      '{"error":"invalid_scope","error_description":"No such scope"}',
      { code: 'sign_in_refused', retryable: false, hint: expect.stringContaining('scope') as string },
    ],
    ['words for a refusal', 400, '<html>', { code: 'sign_in_refused', retryable: false }],
    ['it is busy', 503, '', { code: 'sign_in_failed', retryable: true, details: { retryAfterMs: 9_000 } }],
    ['it is not there', 404, '', { code: 'sign_in_failed', retryable: false }],
    ['no JSON', 200, 'token', { code: 'sign_in_failed', retryable: false }],
    ['no token', 200, '{"token":"x"}', { code: 'sign_in_failed', retryable: false }],
    [
      'a token that is two lines',
      200,
      '{"access_token":"a\\r\\nb"}',
      { code: 'sign_in_failed', retryable: false },
    ],
    [
      'a token of another kind',
      200,
      '{"access_token":"a","token_type":"mac"}',
      { code: 'sign_in_failed', retryable: false },
    ],
    ['too much', 200, ' '.repeat(200_000), { code: 'sign_in_failed', retryable: false }],
  ]
  test.for(answers)(
    '%s: nothing is asked of the service, so nothing is done there',
    async ([, status, text, expected]) => {
      grant = () => ({ status, text })
      const error = await failure({ method: 'POST' })
      expect(error).toMatchObject(expected)
      expect(leavesUnknownEffect(error)).toBe(false)
      expect(arrived.map(({ path }) => path)).toEqual(['/token'])
      // A failure is not kept.
      grant = () => granted({ access_token: 'good' })
      expect(await run()).toMatchObject({ status: 200 })
    },
  )

  test('what the service says of the client is told', async () => {
    grant = () => ({ status: 400, text: '{"error":"invalid_scope","error_description":"No such scope"}' })
    expect((await failure()).message).toBe(`login.example:${port} gives no access token: No such scope.`)
  })

  test('an address that nobody may reach, and one that is none', async () => {
    const context = contextOf({ approvedHosts: ['api.example'] })
    expect(await failure({}, context)).toMatchObject({ code: 'http_address_denied' })
    expect(await failure({ auth: auth({ tokenUrl: 'login' }) })).toMatchObject({ code: 'task_input_invalid' })
    expect(arrived).toEqual([])
  })

  test('nobody answers: the request’s own timeout counts', async () => {
    grant = () => null
    expect(await failure({ timeoutMs: 30 })).toMatchObject({ code: 'task_timeout' })
  })
})
