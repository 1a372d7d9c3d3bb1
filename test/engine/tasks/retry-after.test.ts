/** What a server says about when to come back, and what the step's error makes of it. */

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { retryAfterOf } from '../../../src-engine/model/retry-after.ts'
import { systemClock } from '../../../src-engine/runtime/system-ports.ts'
import { redactedError } from '../../../src-engine/runtime/vault/attempt-secrets.ts'
import { createRedactor } from '../../../src-engine/runtime/vault/redactor.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import { createNotifyRun } from '../../../src-engine/tasks/notify/run.ts'
import { notifySpec } from '../../../src-engine/tasks/notify/spec.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const ports = { lookup: async () => [], evaluate: async () => null, environment: {} }
/** A Sunday, 08:49:37. */
const now = Date.UTC(1994, 10, 6, 8, 49, 37)
let server: Server
let url = ''
let answer: { status: number; headers: Record<string, string | string[]> } = { status: 200, headers: {} }

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(answer.status, answer.headers)
    response.end('no')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())
beforeEach(() => {
  answer = { status: 429, headers: {} }
})

const context = () => taskContext({ approvedHosts: ['127.0.0.1'], clock: { ...systemClock, now: () => now } })
const request = async (raw: JsonObject = {}) =>
  createHttpRequestRun(ports).execute(httpRequestSpec.parameters.parse({ url, ...raw }), context())
const failure = async (raw: JsonObject = {}) => recordOfThrown(await thrownBy(() => request(raw)))

describe('an HTTP request that is answered with 429 or 503', () => {
  test.for([
    ['seconds', '30', 30_000],
    ['no time at all', '0', 0],
    ['more seconds than a step waits', '86400', 600_000],
    ['more digits than a number has', '9'.repeat(400), 600_000],
    ['a date', 'Sun, 06 Nov 1994 08:50:07 GMT', 30_000],
    ['a date as it was written before', 'Sunday, 06-Nov-94 08:50:07 GMT', 30_000],
    ['a date as C writes it', 'Sun Nov  6 08:50:07 1994', 30_000],
    ['a date that is over', 'Sun, 06 Nov 1994 08:49:00 GMT', 0],
    ['a date years ahead', 'Wed, 06 Nov 2024 08:49:37 GMT', 600_000],
  ] as const)('%s', async ([, text, millis]) => {
    for (const status of [429, 503]) {
      answer = { status, headers: { 'Retry-After': text } }
      const error = await failure()
      expect(error).toMatchObject({ code: 'http_status', details: { status, retryAfterMs: millis } })
      expect(retryAfterOf(error)).toBe(millis)
    }
  })

  test.for([
    ['nothing', {}],
    ['words', { 'Retry-After': 'soon' }],
    ['a fraction', { 'Retry-After': '1.5' }],
    ['less than nothing', { 'Retry-After': '-1' }],
    ['a date of no calendar', { 'Retry-After': 'Sun, 99 Nov 1994 08:50:07 GMT' }],
    ['a date of another form', { 'Retry-After': '1994-11-06T08:50:07Z' }],
    ['two times', { 'Retry-After': ['5', '7'] }],
  ] as const)('%s is left to the step’s own pauses', async ([, headers]) => {
    answer = { status: 429, headers: headers as typeof answer.headers }
    const error = await failure()
    expect(error).toMatchObject({ code: 'http_status', retryable: true })
    expect(error.details).not.toHaveProperty('retryAfterMs')
    expect(retryAfterOf(error)).toBe(0)
  })
})

test('another status means something else by it, and so does one that counts as success', async () => {
  answer = { status: 500, headers: { 'Retry-After': '30' } }
  expect(retryAfterOf(await failure())).toBe(0)
  answer = { status: 429, headers: { 'Retry-After': '30' } }
  expect(await request({ successCodes: '429' })).toMatchObject({ kind: 'completed', output: { status: 429 } })
})

test('where a step has secrets, what its error asks for is no name of one', async () => {
  answer = { status: 503, headers: { 'Retry-After': '30' } }
  const error = await failure({ method: 'POST' })
  const shown = redactedError(error, createRedactor([]))
  expect(retryAfterOf(shown)).toBe(30_000)
})

test('a service that another kind of step asks is heeded too', async () => {
  answer = { status: 429, headers: { 'Retry-After': '7' } }
  const channel = { kind: 'slack', address: url }
  const parameters = notifySpec.parameters.parse({ channel, message: 'Hello' })
  const thrown = await thrownBy(() => createNotifyRun(ports).execute(parameters, context()))
  expect(recordOfThrown(thrown)).toMatchObject({ code: 'http_status', details: { retryAfterMs: 7_000 } })
})
