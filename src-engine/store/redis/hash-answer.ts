/** Answers of the server as what they are: pairs that come flat, records with their places. */

import type { InvocationRecord } from '../../model/invocation.ts'

/** Fields and values of a hash, which come one after the other. */
export function pairsOf(answer: unknown): readonly (readonly [field: string, value: string])[] {
  const flat = answer as readonly string[]
  const pairs: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < flat.length; index += 2) {
    pairs.push([flat[index] ?? '', flat[index + 1] ?? ''])
  }
  return pairs
}

/** A value with its place in the order of making. */
export interface Placed<Item> {
  readonly place: number
  readonly item: Item
}

/** Reads `place value`. */
export function placed<Item>(text: string): Placed<Item> {
  const end = text.indexOf(' ')
  // What a store wrote is what it reads.
  return { place: Number(text.slice(0, end)), item: JSON.parse(text.slice(end + 1)) as Item }
}

/** Newest first; texts of places are of one length for some centuries. */
export const newestFirst = <Item>(a: Placed<Item>, b: Placed<Item>): number => b.place - a.place

/** The record with the expiry that renewals have moved: the sorted set tells it. */
export function withExpiry(record: InvocationRecord, expiresAt: number | null | undefined): InvocationRecord {
  if (record.lease === null || expiresAt === null || expiresAt === undefined) return record
  return { ...record, lease: { ...record.lease, expiresAt } }
}
