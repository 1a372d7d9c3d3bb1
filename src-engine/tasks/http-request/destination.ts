/** Where one hop of a request really goes: the checked addresses, or a refusal. */

import { isIP } from 'node:net'
import { SagasmithError } from '../../model/errors.ts'
import { matchesAny } from '../../model/policy/glob.ts'
import type { TaskContext } from '../task.ts'
import type { HostAddress, HostLookup } from './host-lookup.ts'
import { isPublicAddress } from './public-address.ts'

/** Answered by the engine's own echo service, so that samples work without a network. */
const echoHost = 'echo.sagasmith.internal'

export interface Destination {
  /** What is asked for: the address as the workflow sees it. */
  readonly url: URL
  /** Where the connection goes: another address for the echo service. */
  readonly target: URL
  /** The only addresses that may be connected to, resolved once; null for an address in the URL itself. */
  readonly addresses: readonly HostAddress[] | null
}

/**
 * Checks the address of a hop. Throws `task_input_invalid` for what is no web address, `http_unreachable`
 * for an unknown name and `http_address_denied` for one outside the public network that nobody approved.
 */
export async function destinationOf(
  url: URL,
  context: Pick<TaskContext, 'approvedHosts' | 'allowedHosts' | 'echoService'>,
  lookup: HostLookup,
): Promise<Destination> {
  checkForm(url)
  refuseHost(url, context.allowedHosts ?? null)
  if (url.hostname === echoHost) {
    const target = new URL(`${url.pathname}${url.search}`, await context.echoService())
    return { url, target, addresses: null }
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolved(host, lookup) : [{ address: host, family: isIP(host) }]
  if (!isApproved(url, context.approvedHosts)) {
    const refused = addresses.find(({ address }) => !isPublicAddress(address))
    if (refused !== undefined) throw denied(url, refused.address)
  }
  return { url, target: url, addresses: isIP(host) === 0 ? addresses : null }
}

/** The URL of a text. Throws `task_input_invalid`. */
export function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url !== null) return url
  throw invalidAddress(
    `“${text}” is not a web address.`,
    'Write it in full, such as https://example.com/orders.',
  )
}

function checkForm(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidAddress(
      `“${url.protocol}” is not a protocol of the web.`,
      'Start the address with https:// or http://.',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidAddress('The address holds a user name or password.', 'Put them under “Sign in” instead.')
  }
}

function invalidAddress(message: string, hint: string): SagasmithError {
  return new SagasmithError('task_input_invalid', { message, hint, details: { field: 'url' } })
}

/** What the policy bounds goes nowhere else, redirects included. */
function refuseHost(url: URL, allowedHosts: readonly string[] | null): void {
  if (allowedHosts === null) return
  const names = [url.hostname, `${url.hostname}:${portOf(url)}`]
  if (names.some((name) => matchesAny(allowedHosts, name))) return
  throw new SagasmithError('host_not_allowed', {
    message: `The policy doesn’t allow requests to “${url.hostname}”.`,
    details: { host: url.hostname, allowed: [...allowedHosts] },
  })
}

const portOf = (url: URL): string => (url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port)

/** Approved is `host` for every port, or `host:port` for one. */
function isApproved(url: URL, approvedHosts: readonly string[]): boolean {
  const names = [url.hostname, `${url.hostname}:${portOf(url)}`]
  return approvedHosts.some((approved) => names.includes(approved.trim().toLowerCase()))
}

async function resolved(host: string, lookup: HostLookup): Promise<readonly HostAddress[]> {
  try {
    const addresses = await lookup(host)
    if (addresses.length > 0) return addresses
  } catch (thrown) {
    throw unknownHost(host, thrown)
  }
  throw unknownHost(host, null)
}

function unknownHost(host: string, cause: unknown): SagasmithError {
  return new SagasmithError('http_unreachable', {
    message: `There is no address for the host “${host}”.`,
    details: { host },
    cause,
  })
}

function denied(url: URL, address: string): SagasmithError {
  return new SagasmithError('http_address_denied', {
    message: `“${url.hostname}” leads to ${address}, which is not on the public internet.`,
    hint: `If you trust it, add “${url.hostname}” to the hosts in the workflow’s capability list.`,
    details: { host: url.hostname, address },
  })
}
