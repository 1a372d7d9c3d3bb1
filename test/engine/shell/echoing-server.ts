/** A server that gives back all that it gets, in the forms in which servers do: body, headers, errors, redirects. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EchoingServer {
  readonly address: string
  readonly close: () => void
}

/** The access token that it gives to who signs in. */
export const granted = 'canary-granted.4711'

/**
 * `/500` is answered with that status; `/200/token` with a token, `/400/token` with a refusal that tells what came,
 * and a model says all of it.
 */
export async function openEchoingServer(): Promise<EchoingServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const said = { headers: request.headers, body, coded: Buffer.from(body).toString('base64') }
      const status = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1] ?? 200)
      const isToken = request.url?.endsWith('/token') === true
      const granting =
        status === 200 ? { access_token: granted } : { error_description: JSON.stringify(said) }
      const own = String(request.headers['x-mine'] ?? '')
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-back': own,
        'set-cookie': `a=${own}`,
      })
      const isModel = request.url?.endsWith('/chat/completions') === true
      const answered = { choices: [{ message: { content: JSON.stringify(said) }, finish_reason: 'stop' }] }
      response.end(JSON.stringify({ ...said, ...(isToken ? granting : {}), ...(isModel ? answered : {}) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() }
}
