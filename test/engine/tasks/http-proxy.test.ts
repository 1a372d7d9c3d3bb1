/** Requests through a proxy: what it is told, what it may see, and that it leads nowhere that is not allowed. */

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { createHttpRequestRun } from '../../../src-engine/tasks/http-request/run.ts'
import { httpRequestSpec } from '../../../src-engine/tasks/http-request/spec.ts'
import { createAuthority } from '../../support/certificates.ts'
import { outputOf, taskContext, thrownBy } from '../../support/task-context.ts'

const authority = createAuthority('Authority of the office')
const asked: string[] = []
/** Names as this machine knows them; the proxy knows all of them as itself. */
const known: Record<string, string> = {}
const looked: string[] = []
const task = createHttpRequestRun({
  lookup: async (name) => {
    looked.push(name)
    const address = known[name]
    return address === undefined ? [] : [{ address, family: 4 }]
  },
  evaluate: async () => null,
})
const servers: NetServer[] = []
const sockets = new Set<Socket>()
let [plain, secure, proxy] = [0, 0, 0]
/** What the proxy says, and to whom it demands a password. */
let verdict = 200
let password: string | null = null
let seen = Buffer.alloc(0)

async function listening(server: NetServer): Promise<number> {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function aProxy(): Server {
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connect', (request, client: Socket) => {
    asked.push(String(request.url))
    const sent = request.headers['proxy-authorization']
    const isIn = password === null || sent === `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
    if (!isIn) return client.end('HTTP/1.1 407 Who are you\r\n\r\n')
    if (verdict !== 200) return client.end(`HTTP/1.1 ${verdict} No\r\n\r\n`)
    const port = Number(String(request.url).split(':').at(-1))
    const onward = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.on('data', (chunk: Buffer) => {
        seen = Buffer.concat([seen, chunk])
      })
      client.pipe(onward).pipe(client)
    })
    sockets.add(onward)
    onward.on('error', () => client.destroy())
    return undefined
  })
  return server
}

beforeAll(async () => {
  const answer: Parameters<typeof createServer>[1] = (request, response) => {
    if (request.url === '/away') response.writeHead(307, { location: 'http://inside.example/' }).end()
    else
      response.writeHead(200).end(`${request.headers.host} ${request.headers['proxy-authorization'] ?? ''}`)
  }
  plain = await listening(createServer(answer))
  secure = await listening(createSecureServer(authority.certify('shop.example'), answer))
  proxy = await listening(aProxy())
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})
beforeEach(() => {
  asked.length = 0
  looked.length = 0
  seen = Buffer.alloc(0)
  verdict = 200
  password = null
  for (const name of Object.keys(known)) delete known[name]
  known['shop.example'] = '93.184.216.34'
  known['inside.example'] = '10.0.0.7'
  known['proxy.example'] = '127.0.0.1'
})

const through = async (raw: JsonObject, approvedHosts: readonly string[] = ['proxy.example']) => {
  const parameters = httpRequestSpec.parameters.parse({ proxy: `http://proxy.example:${proxy}`, ...raw })
  return outputOf(await task.execute(parameters, taskContext({ approvedHosts }))) as JsonObject
}

describe('the proxy', () => {
  test('is told the address that was checked, and the server the name', async () => {
    const url = `http://shop.example:${plain}/`
    expect(await through({ url })).toMatchObject({ status: 200, body: `shop.example:${plain} ` })
    expect(asked).toEqual([`93.184.216.34:${plain}`])
  })

  test('sees nothing of what goes over TLS, and vouches for nobody', async () => {
    const url = `https://shop.example:${secure}/`
    const headers = { 'x-note': 'between us' }
    expect(await through({ url, headers, authority: authority.cert })).toMatchObject({ status: 200 })
    expect(seen.length).toBeGreaterThan(100)
    expect(seen.includes('between us')).toBe(false)
    expect(await thrownBy(() => through({ url }))).toMatchObject({ code: 'http_unreachable' })
  })

  test('looks up what its owner approved, which this machine need not know', async () => {
    delete known['shop.example']
    const url = `http://shop.example:${plain}/`
    expect(await thrownBy(() => through({ url }))).toMatchObject({ code: 'http_unreachable' })
    expect(asked).toEqual([])
    expect(await through({ url }, ['proxy.example', 'shop.example'])).toMatchObject({ status: 200 })
    expect(asked).toEqual([`shop.example:${plain}`])
    expect(looked.filter((name) => name === 'shop.example')).toHaveLength(1)
  })

  test('is shown user name and password, which the server never sees', async () => {
    password = 'pass word'
    const url = `http://shop.example:${plain}/`
    const refused = {
      code: 'http_proxy_failed',
      retryable: false,
      message: expect.stringContaining('password'),
    }
    expect(await thrownBy(() => through({ url }))).toMatchObject(refused)
    const signed = await through({ url, proxyUser: 'me', proxyPassword: password })
    expect(signed['body']).toBe(`shop.example:${plain} `)
  })

  test.for<[number, boolean]>([
    [403, false],
    [503, true],
  ])('that answers with %s is told as such', async ([status, retryable]) => {
    verdict = status
    const failure = await thrownBy(() => through({ url: `http://shop.example:${plain}/` }))
    expect(failure).toMatchObject({ code: 'http_proxy_failed', retryable, details: { status } })
  })

  test('that is away is told as such, and trying again can help', async () => {
    const away = { url: 'http://shop.example/', proxy: 'http://proxy.example:1' }
    expect(await thrownBy(() => through(away))).toMatchObject({ code: 'http_proxy_failed', retryable: true })
  })
})

describe('nowhere that is not allowed', () => {
  test.for<[string, string]>([
    ['a private address', 'http://10.0.0.7/'],
    ['a name that leads there', 'http://inside.example/'],
    ['this machine', 'http://127.0.0.1/'],
    ['the address of cloud secrets', 'http://169.254.169.254/latest/meta-data'],
  ])('%s', async ([, url]) => {
    expect(await thrownBy(() => through({ url }))).toMatchObject({ code: 'http_address_denied' })
    expect(asked).toEqual([])
  })

  test('a redirect into the private network', async () => {
    const url = `http://shop.example:${plain}/away`
    expect(await thrownBy(() => through({ url }))).toMatchObject({ code: 'http_address_denied' })
    expect(asked).toEqual([`93.184.216.34:${plain}`])
  })

  test('a proxy of the private network that nobody approved', async () => {
    const url = `http://shop.example:${plain}/`
    expect(await thrownBy(() => through({ url }, []))).toMatchObject({ code: 'http_address_denied' })
    expect(asked).toEqual([])
  })

  test.for([
    'ftp://proxy.example',
    'http://me:secret@proxy.example',
    'http://proxy.example/path',
    'proxy.example',
  ])('%s is no proxy', async (given) => {
    const failure = await thrownBy(() => through({ url: 'http://shop.example/', proxy: given }))
    expect(failure).toMatchObject({ code: 'task_input_invalid' })
    expect((failure as Error).message).not.toContain('secret')
  })
})
