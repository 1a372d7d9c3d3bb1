/** Certificates of one's own: who vouches for the server, how the step proves who it is, and to whom it does. */

import type { Server } from 'node:https'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordOfThrown } from '../../../src-engine/model/errors.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import { createAuthority } from '../../support/certificates.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const authority = createAuthority('Authority of the office')
const stranger = createAuthority('Somebody else')
const client = authority.certify('step')
const otherKey = authority.certify('step').key
const task = createHttpRequestRun({
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  evaluate: async () => null,
})
const servers: Server[] = []
let port = 0
let otherPort = 0
let shown: string[] = []

async function started(host: string): Promise<number> {
  const options = {
    ...authority.certify(host),
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = createServer(options, (request, response) => {
    const socket = request.socket as TLSSocket
    const peer = socket.getPeerCertificate()
    const name = socket.authorized ? String(peer.subject.CN) : 'nobody'
    shown.push(`${host} ${name}`)
    if (request.url === '/away') response.writeHead(307, { location: `https://other.example:${otherPort}/` })
    else if (request.url === '/token') response.writeHead(200, { 'content-type': 'application/json' })
    response.end(request.url === '/token' ? '{"access_token":"t0ken","expires_in":60}' : name)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
beforeAll(async () => {
  port = await started('office.example')
  otherPort = await started('other.example')
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const approvedHosts = ['office.example', 'other.example', 'third.example']
async function send(raw: JsonObject, path = '/'): Promise<JsonObject> {
  shown = []
  const parameters = httpRequestSpec.parameters.parse({
    url: `https://office.example:${port}${path}`,
    ...raw,
  })
  return outputOf(await task.execute(parameters, taskContext({ approvedHosts }))) as JsonObject
}
const own = { authority: authority.cert }
const proof = { clientCertificate: client.cert, clientKey: client.key }

describe('the server', () => {
  test('of an authority of one’s own is believed, and nobody is shown', async () => {
    expect(await send(own)).toMatchObject({ body: 'nobody' })
  })

  test.for<[string, JsonObject]>([
    ['that nobody vouches for', {}],
    ['that another authority would have to vouch for', { authority: stranger.cert }],
    ['of another name', { ...own, url: 'https://third.example' }],
  ])('%s is refused, and trying again is no help', async ([, raw]) => {
    const url = raw['url'] === undefined ? {} : { url: `https://third.example:${port}/` }
    expect(await thrownBy(() => send({ ...raw, ...url }))).toMatchObject({
      code: 'http_unreachable',
      retryable: false,
      hint: expect.stringContaining('“Connection”'),
    })
    expect(shown).toEqual([])
  })
})

describe('the step', () => {
  test('shows who it is', async () => {
    expect(await send({ ...own, ...proof })).toMatchObject({ body: 'step' })
  })

  test('shows it to its own host alone, and the authority of that vouches for no other', async () => {
    expect(await thrownBy(() => send({ ...own, ...proof }, '/away'))).toMatchObject({
      code: 'http_unreachable',
    })
    expect(shown).toEqual(['office.example step'])
  })

  test('signs in where the same authority vouches for the server of the token, which is shown no certificate', async () => {
    const tokenUrl = `https://other.example:${otherPort}/token`
    const auth = { kind: 'oauth2', tokenUrl, clientId: 'me', clientSecret: 'hush' }
    expect(await send({ ...own, ...proof, auth })).toMatchObject({ body: 'step' })
    expect(shown).toEqual(['other.example nobody', 'office.example step'])
  })
})

test.for<[string, JsonObject]>([
  ['authority', { authority: 'not PEM' }],
  ['clientCertificate', { clientCertificate: 'not PEM', clientKey: client.key }],
  ['clientKey', { clientCertificate: client.cert, clientKey: 'not PEM' }],
  ['clientKey', { clientCertificate: client.cert, clientKey: otherKey }],
])('%s that can’t be read is told, and not repeated: %#', async ([field, raw]) => {
  const thrown = await thrownBy(() => send(raw))
  expect(thrown).toMatchObject({ code: 'task_input_invalid', details: { field } })
  expect(JSON.stringify(recordOfThrown(thrown))).not.toContain('not PEM')
  expect(shown).toEqual([])
})

test('a certificate and its key go together', () => {
  const { cert, key } = client
  for (const raw of [{ clientCertificate: cert }, { clientKey: key }])
    expect(httpRequestSpec.parameters.safeParse({ url: 'https://a.example/', ...raw }).success).toBe(false)
})
