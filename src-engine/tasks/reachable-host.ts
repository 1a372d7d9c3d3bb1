/** Which addresses of a host a step may connect to: the name is resolved once, and all it gives is checked. */

import { isIP } from 'node:net'
import { SagasmithError } from '../model/errors.ts'
import { matchesAny } from '../model/policy/glob.ts'
import type { HostAddress, HostLookup } from './http-request/host-lookup.ts'
import { isPublicAddress } from './http-request/public-address.ts'
import type { TaskContext } from './task.ts'

/** A place on the network; an IPv6 address stands in brackets, as in web addresses. */
export interface HostPort {
  readonly hostname: string
  readonly port: string
}

/** Throws `host_not_allowed` for a place that the policy leaves out. */
export function refuseByPolicy({ hostname, port }: HostPort, { allowedHosts }: AllowedHosts): void {
  if (allowedHosts === null || allowedHosts === undefined) return
  const names = [hostname, `${hostname}:${port}`]
  if (names.some((name) => matchesAny(allowedHosts, name))) return
  throw new SagasmithError('host_not_allowed', {
    message: `The policy doesn’t allow requests to “${hostname}”.`,
    details: { host: hostname, allowed: [...allowedHosts] },
  })
}

type AllowedHosts = Pick<TaskContext, 'allowedHosts'>

/**
 * The only addresses that may be connected to. Throws `http_unreachable` for an unknown name and
 * `http_address_denied` for one outside the public network that nobody approved.
 */
export async function checkedAddresses(
  place: HostPort,
  { approvedHosts }: Pick<TaskContext, 'approvedHosts'>,
  lookup: HostLookup,
): Promise<readonly HostAddress[]> {
  const host = place.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolved(host, lookup) : [{ address: host, family: isIP(host) }]
  if (isApproved(place, approvedHosts)) return addresses
  const refused = addresses.find(({ address }) => !isPublicAddress(address))
  if (refused !== undefined) throw denied(place.hostname, refused.address)
  return addresses
}

/** Where a connection of another protocol than HTTP goes. */
export interface ServerPlace {
  /** As it is written; certificates are checked against it. */
  readonly host: string
  readonly port: number
  /** What is connected to. */
  readonly address: string
}

/**
 * A server by its host and port: within what the policy, the document's owner and the secrets of the attempt
 * allow. Throws as `checkedAddresses` does, and `secret_host_denied`.
 */
export async function serverPlace(
  { host, port }: { readonly host: string; readonly port: number },
  context: Pick<TaskContext, 'approvedHosts' | 'allowedHosts' | 'secrets'>,
  lookup: HostLookup,
): Promise<ServerPlace> {
  const bare = host.trim().toLowerCase()
  const named = isIP(bare) === 6 ? `[${bare}]` : bare
  const url = URL.parse(`https://${named}:${port}`)
  if (url === null || url.username !== '' || url.pathname !== '/' || url.search !== '') {
    throw new SagasmithError('task_input_invalid', {
      message: `“${host}” is not the name of a server.`,
      hint: 'Write its name or address alone, such as db.example.com; the port has a field of its own.',
      details: { field: 'host' },
    })
  }
  const place = { hostname: url.hostname, port: String(port) }
  refuseByPolicy(place, context)
  context.secrets?.checkHost(url)
  const addresses = await checkedAddresses(place, context, lookup)
  // Servers on a machine of one's own often listen on the older family alone.
  const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0]
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, address: chosen?.address ?? bare }
}

/** Approved is `host` for every port, or `host:port` for one. */
export function isApproved({ hostname, port }: HostPort, approvedHosts: readonly string[]): boolean {
  const names = [hostname, `${hostname}:${port}`]
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

function denied(hostname: string, address: string): SagasmithError {
  return new SagasmithError('http_address_denied', {
    message:
      hostname === address
        ? `“${hostname}” is not on the public internet.`
        : `“${hostname}” leads to ${address}, which is not on the public internet.`,
    hint: `If you trust it, add “${hostname}” under “Private hosts” in the workflow’s settings (capabilities.hosts).`,
    details: { host: hostname, address },
  })
}
