/** How a server proves who it is: by a certificate for the name that was asked for. */

import { isIP } from 'node:net'
import type { ServerPlace } from './reachable-host.ts'

export interface TlsOptions {
  readonly rejectUnauthorized: true
  readonly ca?: string
  readonly servername?: string
  readonly host: string
}

/** An authority of one's own takes the place of the known ones. */
export function tlsOptions(authority: string, { host }: Pick<ServerPlace, 'host'>): TlsOptions {
  return {
    rejectUnauthorized: true,
    // Names of hosts are sent; addresses may not be, and are checked all the same.
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authority.trim() === '' ? {} : { ca: authority }),
  }
}
