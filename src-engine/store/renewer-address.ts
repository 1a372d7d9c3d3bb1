/** Where a store's leases can be renewed from elsewhere. */

import type { RedisRenewerAddress } from './redis/renewer-address.ts'

/** Where the data is, as plain data: it is handed to another thread. */
export type RenewerAddress = { readonly kind: 'sqlite'; readonly file: string } | RedisRenewerAddress
