/**
 * A proxy between a step and the web. It is told where to connect to and no more: each request goes through a tunnel of its
 * own, and over https the proxy sees nothing of it.
 */

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { buildConnector } from 'undici'
import { SagasmithError } from '../../model/errors.ts'
import { hostOfAddress } from '../../model/secret.ts'
import { checkedAddresses, refuseByPolicy } from '../reachable-host.ts'
import type { TaskContext } from '../task.ts'
import type { Destination } from './destination.ts'
import { checkForm, webAddress } from './destination.ts'
import type { HostAddress, HostLookup } from './host-lookup.ts'
import { onlyTo } from './host-lookup.ts'
import type { HttpRequestParameters } from './spec.ts'

/** A proxy that may be connected to. */
export interface Proxy {
  readonly url: URL
  /** The only addresses of it that are connected to. */
  readonly addresses: readonly HostAddress[]
  /** What proves who asks; null for nothing. */
  readonly authorization: string | null
}

type Given = Pick<HttpRequestParameters, 'proxy' | 'proxyUser' | 'proxyPassword'>

/**
 * The proxy that a step names; null for none. It is a host like every other: throws what `destinationOf` throws for it, and
 * `secret_host_denied`.
 */
export async function proxyOf(
  { proxy, proxyUser, proxyPassword }: Given,
  context: TaskContext,
  lookup: HostLookup,
): Promise<Proxy | null> {
  if (proxy.trim() === '') return null
  const url = webAddress(proxy.trim())
  checkForm(url, 'proxy')
  if (url.pathname !== '/' || url.search !== '') {
    throw new SagasmithError('task_input_invalid', {
      message: 'The address of the proxy has more than a host and a port.',
      hint: 'Write it such as http://proxy.example:3128.',
      details: { field: 'proxy' },
    })
  }
  const place = hostOfAddress(url)
  refuseByPolicy(place, context)
  context.secrets?.checkHost(url, [proxy, proxyUser, proxyPassword])
  const addresses = await checkedAddresses(place, context, lookup)
  const signsIn = proxyUser !== '' || proxyPassword !== ''
  const proof = Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64')
  return { url, addresses, authorization: signsIn ? `Basic ${proof}` : null }
}

/**
 * Connects through the proxy: to the destination's checked address, or by its name where the proxy is to look that up.
 * `secure` makes TLS of a tunnel.
 */
export function throughProxy(
  proxy: Proxy,
  { url, addresses }: Pick<Destination, 'url' | 'addresses'>,
  secure: buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
    const [first] = addresses ?? []
    const host = first === undefined ? url.hostname : bracketed(first.address)
    tunnel(proxy, `${host}:${port}`).then(
      (socket) => {
        if (url.protocol === 'http:') callback(null, socket as never)
        else secure({ ...options, httpSocket: socket as never }, callback)
      },
      (thrown: unknown) => callback(thrown instanceof Error ? thrown : new Error(String(thrown)), null),
    )
  }
}

const bracketed = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address)

/** A way through the proxy to a place. Throws `http_proxy_failed`. */
async function tunnel(proxy: Proxy, place: string): Promise<Duplex> {
  const { url, addresses, authorization } = proxy
  // Loaded with the first request: most processes never make one.
  const { request: send } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  return new Promise((resolve, reject) => {
    const asked = send({
      method: 'CONNECT',
      path: place,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      agent: false,
      timeout: answerMs,
      headers: { host: place, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
      lookup: onlyTo(addresses),
    })
    asked.once('connect', (answer: IncomingMessage, socket: Duplex, head: Buffer) => {
      const status = answer.statusCode ?? 0
      if (status >= 200 && status < 300) {
        socket.removeAllListeners('timeout')
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
        return
      }
      socket.destroy()
      reject(refused(proxy, status))
    })
    asked.once('timeout', () => asked.destroy(new Error('it did not answer')))
    asked.once('error', (thrown) => reject(unreachable(proxy, thrown)))
    asked.end()
  })
}

const answerMs = 30_000

/** Trying again can help where the proxy is too busy, or doesn't get through. */
const temporaryCodes: ReadonlySet<number> = new Set([408, 425, 429])

function refused({ url }: Proxy, status: number): SagasmithError {
  const signIn = status === 407
  return new SagasmithError('http_proxy_failed', {
    message: signIn
      ? `The proxy ${url.host} did not accept user name and password.`
      : `The proxy ${url.host} did not connect, and answered with ${status}.`,
    details: { proxy: url.host, status },
    retryable: status >= 500 || temporaryCodes.has(status),
  })
}

function unreachable({ url }: Proxy, cause: Error): SagasmithError {
  return new SagasmithError('http_proxy_failed', {
    message: `The proxy ${url.host} could not be reached: ${cause.message}.`,
    details: { proxy: url.host },
    cause,
  })
}
