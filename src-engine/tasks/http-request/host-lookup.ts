/** Names to addresses, through the system's resolver. */

import { lookup } from 'node:dns/promises'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name; rejects with the resolver's error when there are none. */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>

/** The system's resolver. */
export const systemLookup: HostLookup = (hostname) => lookup(hostname, { all: true, verbatim: true })
