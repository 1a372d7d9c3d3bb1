/** Large payloads in pieces, each under the hash tag of the whole: a value of the server stays small. */

import { hash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import type { BlobHash } from '../../model/ids.ts'
import { blobHash } from '../../model/ids.ts'
import { blobBytesMax, redisValueBytesMax } from '../../model/limits.ts'
import type { Instant } from '../../model/time.ts'
import type { Blobs } from '../blobs.ts'
import { keyNames, partitionKeys } from './layout.ts'
import type { RedisClock } from './redis-options.ts'
import type { Router } from './router.ts'
import { slotOf } from './slots.ts'

export interface BlobPlace {
  readonly router: Router
  readonly prefix: string
  readonly clock: RedisClock
}

/** Blobs that can tell whether looking for unused ones is worth it. */
export interface RedisBlobs extends Blobs {
  readonly isAnyOlder: (before: Instant) => Promise<boolean>
}

export function createRedisBlobs({ router, prefix, clock }: BlobPlace): RedisBlobs {
  const index = partitionKeys(prefix, 0)
  const keyOf = (name: string, piece: number | 'pieces'): string => `${prefix}:{b${name}}:${piece}`
  const remove = async (name: string): Promise<void> => {
    const slot = slotOf(`b${name}`)
    const pieces = Number(await router.ask(slot, ['GET', keyOf(name, 'pieces')]))
    const keys = Array.from({ length: pieces }, (_, piece) => keyOf(name, piece))
    await router.ask(slot, ['UNLINK', keyOf(name, 'pieces'), ...keys])
    await router.ask(index.slot, ['ZREM', index.of(keyNames.blobs), name])
  }
  return {
    async put(bytes) {
      const name = nameOf(bytes)
      const slot = slotOf(`b${name}`)
      // Listed first: what a crash leaves half written is swept.
      await router.ask(index.slot, ['ZADD', index.of(keyNames.blobs), clock.now(), name])
      const pieces = Math.ceil(bytes.byteLength / redisValueBytesMax)
      const known = await router.ask(slot, ['GET', keyOf(name, 'pieces')])
      if (known !== null) return name
      for (let piece = 0; piece < pieces; piece += 1) {
        const part = bytes.subarray(piece * redisValueBytesMax, (piece + 1) * redisValueBytesMax)
        await router.ask(slot, ['SET', keyOf(name, piece), Buffer.from(part)])
      }
      await router.ask(slot, ['SET', keyOf(name, 'pieces'), pieces])
      return name
    },
    async get(name) {
      if (!/^[0-9a-f]{64}$/.test(name)) throw missing(name, 'missing')
      const slot = slotOf(`b${name}`)
      const pieces = await router.ask(slot, ['GET', keyOf(name, 'pieces')])
      if (pieces === null) throw missing(name, 'missing')
      const parts = await Promise.all(
        Array.from({ length: Number(pieces) }, (_, piece) =>
          router.ask(slot, ['GET', keyOf(name, piece)], { encoding: null }),
        ),
      )
      // Asked for as bytes.
      const bytes = Buffer.concat(parts.filter((part) => part !== null) as Buffer[])
      if (hash('sha256', bytes, 'hex') !== name) throw missing(name, 'damaged')
      return bytes
    },
    async isAnyOlder(before) {
      const count = await router.ask(index.slot, ['ZCOUNT', index.of(keyNames.blobs), '-inf', `(${before}`])
      return Number(count) > 0
    },
    async sweep(before: Instant, isNamed) {
      const range = ['-inf', `(${before}`, 'BYSCORE'] as const
      const old = (await router.ask(index.slot, [
        'ZRANGE',
        index.of(keyNames.blobs),
        ...range,
      ])) as readonly string[]
      let removed = 0
      for (const name of old) {
        if (isNamed(blobHash(name))) continue
        // Whoever puts it again is about to name it.
        const putAt = await router.ask(index.slot, ['ZSCORE', index.of(keyNames.blobs), name])
        if (putAt === null || Number(putAt) >= before) continue
        await remove(name)
        removed += 1
      }
      return removed
    },
  }
}

function nameOf(bytes: Uint8Array): BlobHash {
  if (bytes.byteLength > blobBytesMax) {
    throw new SagasmithError('payload_too_large', {
      message: `The data has ${bytes.byteLength} bytes; at most ${blobBytesMax} can be handed on.`,
      details: { bytes: bytes.byteLength, bytesMax: blobBytesMax },
    })
  }
  return blobHash(hash('sha256', bytes, 'hex'))
}

function missing(name: string, how: 'missing' | 'damaged'): SagasmithError {
  const message = `The stored payload ${name.slice(0, 12)}… is ${how}.`
  return new SagasmithError('blob_missing', { message, details: { hash: name } })
}
