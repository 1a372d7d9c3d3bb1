/** The keys of a map's items, as its record has them: what people know an item by. */

import type { InvocationRecord } from './invocation.ts'
import type { Payload } from './payload.ts'

/** Lists that were read already: each item of a map looks into the same one. */
const read = new WeakMap<Payload, readonly string[]>()

/** In the order of the items; null for a map without keys, and where these are stored elsewhere. */
export function itemKeysOf({ dispatch }: Pick<InvocationRecord, 'dispatch'>): readonly string[] | null {
  const payload = dispatch?.keys ?? null
  if (payload?.kind !== 'inline') return null
  let keys = read.get(payload)
  if (keys === undefined) {
    // Written by the map's attempt as a list of texts.
    keys = JSON.parse(payload.json) as readonly string[]
    read.set(payload, keys)
  }
  return keys
}
