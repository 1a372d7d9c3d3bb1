/** Names to addresses, through the system's resolver. */

import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name; rejects with the resolver's error when there are none. */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>

/** The system's resolver. */
export const systemLookup: HostLookup = (hostname) => lookup(hostname, { all: true, verbatim: true })

/** Gives a connection these addresses, whatever it asks for: they were checked. */
export const onlyTo =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_name, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family ?? 0)
  }
