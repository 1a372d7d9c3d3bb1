/** Secrets in HTTP requests: they reach the hosts that they are bound to, and no others. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import type { SecretGuard } from '../../../src-engine/tasks/task.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const task = createHttpRequestRun({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  evaluate: async () => null,
})
let server: Server
let port = 0
let arrived: { host: string; path: string; text: string }[] = []

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { host = '', ...headers } = request.headers
  const path = request.url ?? '/'
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString('utf8')
  })
  request.on('end', () => {
    arrived.push({ host, path, text: `${JSON.stringify(headers)} ${body}` })
    if (path === '/moves') response.writeHead(307, { location: `http://other.example:${port}/end` })
    response.end(path)
  })
}

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  arrived = []
})

const secret = 'canary-4711'
/** Bound to one host. */
const secrets: SecretGuard = {
  checkHost: ({ hostname }) => {
    if (hostname !== 'here.example') throw new SagasmithError('secret_host_denied')
  },
  add: () => {},
  isIn: (text) => text.includes(secret),
  redact: (text) => text.replaceAll(secret, '(gone)'),
}

function send(parameters: JsonObject, guard: SecretGuard | null = secrets) {
  const approvedHosts = ['here.example', 'other.example']
  const context = taskContext({ secrets: guard, approvedHosts })
  return task.execute(httpRequestSpec.parameters.parse(parameters), context)
}

test('a host that a secret is not bound to is never connected to', async () => {
  const url = `http://other.example:${port}/`
  const thrown = await thrownBy(() => send({ url, auth: { kind: 'bearer', token: secret } }))
  expect(thrown).toMatchObject({ code: 'secret_host_denied' })
  expect(arrived).toEqual([])
})

test('a redirect to another host takes along no header with a secret, whatever its name', async () => {
  await send({
    url: `http://here.example:${port}/moves`,
    headers: { 'X-Mine': `a ${secret}`, 'X-Plain': 'plain' },
    auth: { kind: 'bearer', token: secret },
  })
  expect(arrived.map(({ path }) => path)).toEqual(['/moves', '/end'])
  expect(arrived[0]?.text).toContain(secret)
  expect(arrived[1]?.text).not.toContain(secret)
  expect(arrived[1]?.text).toContain('plain')
})

test('a redirect that would take a body with a secret to another host is refused', async () => {
  const body = { kind: 'json', value: { key: secret } }
  const thrown = await thrownBy(() =>
    send({ method: 'POST', url: `http://here.example:${port}/moves`, body }),
  )
  expect(thrown).toMatchObject({ code: 'secret_host_denied' })
  expect(arrived.map(({ path }) => path)).toEqual(['/moves'])
})

test('a request without secrets goes wherever it may', async () => {
  const body = { kind: 'json', value: { key: 'mine' } }
  await send({ method: 'POST', url: `http://here.example:${port}/moves`, body }, null)
  expect(arrived.map(({ path }) => path)).toEqual(['/moves', '/end'])
})
