/**
 * The keys of a workspace. Whoever has the newest has all before it, for a ring is always handed on whole; so
 * nobody works with half of a run's values.
 */

import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import { storeId } from '../../model/ids.ts'
import type { Instant } from '../../model/time.ts'

export interface SealKey {
  /** Made of the key itself, so that the same key has the same name everywhere. */
  readonly id: string
  readonly bytes: Buffer
  readonly createdAt: Instant
}

export interface KeyRing {
  readonly store: StoreId
  /** Makes names of values that the store compares; never changes, or equal values would differ. */
  readonly namingKey: Buffer
  /** The id of the key that new values are sealed with, where the store doesn't say. */
  readonly current: string
  /** Oldest first. */
  readonly keys: readonly SealKey[]
}

const keyBytes = 32

const encodedKey = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine(({ length }) => length === keyBytes)

const ringSchema = z.object({
  version: z.literal(1),
  store: z.string().min(1),
  namingKey: encodedKey,
  current: z.string().min(1),
  keys: z.array(z.object({ key: encodedKey, createdAt: z.int() })).min(1),
})

/** A ring with one key. */
export function newKeyRing(store: StoreId, at: Instant): KeyRing {
  const key = newSealKey(at)
  return { store, namingKey: randomBytes(keyBytes), current: key.id, keys: [key] }
}

/** A key that nobody has yet. */
export function newSealKey(at: Instant): SealKey {
  return sealKey(randomBytes(keyBytes), at)
}

const sealKey = (bytes: Buffer, createdAt: Instant): SealKey => ({
  id: createHash('sha256').update('sagasmith-seal-key-1 ').update(bytes).digest('hex').slice(0, 12),
  bytes,
  createdAt,
})

/** The ring as the vault keeps it and a file hands it on. */
export function keyRingText({ store, namingKey, current, keys }: KeyRing): string {
  return JSON.stringify({
    version: 1,
    store,
    namingKey: namingKey.toString('base64'),
    current,
    keys: keys.map(({ bytes, createdAt }) => ({ key: bytes.toString('base64'), createdAt })),
  })
}

/** The ring in such a text. Throws `seal_file_unreadable`; nothing of the text is told. */
export function readKeyRing(text: string): KeyRing {
  try {
    const { store, namingKey, current, keys } = ringSchema.parse(JSON.parse(text))
    const read = keys.map(({ key, createdAt }) => sealKey(key, createdAt))
    if (read.some(({ id }) => id === current)) {
      return { store: storeId(store), namingKey, current, keys: read }
    }
  } catch {
    // What the parser says could quote a key.
  }
  throw new SagasmithError('seal_file_unreadable')
}

/** Both together: the first one's choice of the current key, and the keys of both. */
export function mergedKeyRings(first: KeyRing, second: KeyRing): KeyRing {
  const known = new Set(first.keys.map(({ id }) => id))
  const keys = [...first.keys, ...second.keys.filter(({ id }) => !known.has(id))]
  return { ...first, keys: keys.sort((a, b) => a.createdAt - b.createdAt) }
}
