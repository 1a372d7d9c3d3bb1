/** Where one hop of a request really goes: the checked addresses, or a refusal. */

import { isIP } from 'node:net'
import { SagasmithError } from '../../model/errors.ts'
import { hostOfAddress } from '../../model/secret.ts'
import { checkedAddresses, isApproved, refuseByPolicy } from '../reachable-host.ts'
import type { TaskContext } from '../task.ts'
import type { HostAddress, HostLookup } from './host-lookup.ts'

/** Answered by the engine's own echo service, so that samples work without a network. */
const echoHost = 'echo.sagasmith.internal'

export interface Destination {
  /** What is asked for: the address as the workflow sees it. */
  readonly url: URL
  /** Where the connection goes: another address for the echo service. */
  readonly target: URL
  /** The only addresses that may be connected to, resolved once; null for an address in the URL itself, or for the proxy’s. */
  readonly addresses: readonly HostAddress[] | null
}

/** Who looks names up. */
export interface NameLookup {
  readonly lookup: HostLookup
  /** A name that its owner approved is looked up by the proxy, which may know more names than this machine. */
  readonly byProxy?: boolean
}

/**
 * Checks the address of a hop. Throws `task_input_invalid` for what is no web address, `http_unreachable`
 * for an unknown name and `http_address_denied` for one outside the public network that nobody approved.
 */
export async function destinationOf(
  url: URL,
  context: Pick<TaskContext, 'approvedHosts' | 'allowedHosts' | 'echoService'>,
  { lookup, byProxy = false }: NameLookup,
): Promise<Destination> {
  checkForm(url)
  const place = hostOfAddress(url)
  refuseByPolicy(place, context)
  if (url.hostname === echoHost) {
    const target = new URL(`${url.pathname}${url.search}`, await context.echoService())
    return { url, target, addresses: null }
  }
  if (byProxy && isApproved(place, context.approvedHosts)) return { url, target: url, addresses: null }
  const addresses = await checkedAddresses(place, context, lookup)
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
  return { url, target: url, addresses: isAddress ? null : addresses }
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

/** Throws `task_input_invalid` for another protocol, and for an address that holds who asks. */
export function checkForm(url: URL, field = 'url'): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalidAddress(
      `“${url.protocol}” is not a protocol of the web.`,
      'Start the address with https:// or http://.',
      field,
    )
  }
  if (url.username !== '' || url.password !== '') {
    const hint = field === 'url' ? 'Put them under “Sign in” instead.' : 'They have fields of their own.'
    throw invalidAddress('The address holds a user name or password.', hint, field)
  }
}

function invalidAddress(message: string, hint: string, field = 'url'): SagasmithError {
  return new SagasmithError('task_input_invalid', { message, hint, details: { field } })
}
