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
import { runScript, scriptOf } from './script.ts'
import { slotOf } from './slots.ts'
import type { WriteTag } from './tokens.ts'

export interface BlobPlace {
  readonly router: Pick<Router, 'ask'>
  readonly prefix: string
  readonly clock: RedisClock
  readonly nextTag: () => WriteTag
}

/**
 * KEYS: the count of pieces. ARGV: a mark. The count has the mark of who put the blob last behind it, or is `-`
 * while pieces may be missing. Answers whether all of them are there.
 */
const markScript = scriptOf(`#!lua
local count = string.match(redis.call('GET', KEYS[1]) or '', '^%d+')
redis.call('SET', KEYS[1], (count or '-') .. ' ' .. ARGV[1])
return count and 1 or 0
`)

/** KEYS: the count of pieces, the pieces. ARGV: the count as it was seen; who put it again has changed its mark. */
const removeScript = scriptOf(`#!lua
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('UNLINK', unpack(KEYS))
return 1
`)

/** KEYS: the list of blobs. ARGV: name, instant as it was seen. */
const forgetScript = scriptOf(`#!lua
if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1
`)

const piecesMax = Math.ceil(blobBytesMax / redisValueBytesMax)

/** Blobs that can tell whether looking for unused ones is worth it. */
export interface RedisBlobs extends Blobs {
  readonly isAnyOlder: (before: Instant) => Promise<boolean>
}

export function createRedisBlobs({ router, prefix, clock, nextTag }: BlobPlace): RedisBlobs {
  const index = partitionKeys(prefix, 0)
  const keyOf = (name: string, piece: number | 'pieces'): string => `${prefix}:{b${name}}:${piece}`
  const list = index.of(keyNames.blobs)
  /** Whether it went: what is put again meanwhile stays. */
  const removeOlder = async (name: string, before: Instant): Promise<boolean> => {
    const slot = slotOf(`b${name}`)
    const seen = ((await router.ask(slot, ['GET', keyOf(name, 'pieces')])) as string | null) ?? ''
    // Looked at after the mark: who puts it again is listed as young before the mark is changed.
    const putAt = (await router.ask(index.slot, ['ZSCORE', list, name])) as string | null
    if (putAt === null || Number(putAt) >= before) return false
    // Of a blob that is half written nobody knows how far its writer came.
    const keys = Array.from({ length: countOf(seen) ?? piecesMax }, (_, piece) => keyOf(name, piece))
    const removal = { script: removeScript, keys: [keyOf(name, 'pieces'), ...keys], args: [seen] }
    if ((await runScript(router, slot, removal)) !== 1) return false
    await runScript(router, index.slot, { script: forgetScript, keys: [list], args: [name, putAt] })
    return true
  }
  return {
    async put(bytes) {
      const name = nameOf(bytes)
      const slot = slotOf(`b${name}`)
      // Listed first: what a crash leaves half written is swept.
      await router.ask(index.slot, ['ZADD', list, clock.now(), name])
      const pieces = Math.ceil(bytes.byteLength / redisValueBytesMax)
      const tag = nextTag()
      const mark = { script: markScript, keys: [keyOf(name, 'pieces')], args: [tag] }
      if ((await runScript(router, slot, mark)) === 1) return name
      for (let piece = 0; piece < pieces; piece += 1) {
        const part = bytes.subarray(piece * redisValueBytesMax, (piece + 1) * redisValueBytesMax)
        await router.ask(slot, ['SET', keyOf(name, piece), Buffer.from(part)])
      }
      await router.ask(slot, ['SET', keyOf(name, 'pieces'), `${pieces} ${tag}`])
      return name
    },
    async get(name) {
      if (!/^[0-9a-f]{64}$/.test(name)) throw missing(name, 'missing')
      const slot = slotOf(`b${name}`)
      const pieces = countOf(String(await router.ask(slot, ['GET', keyOf(name, 'pieces')])))
      if (pieces === null) throw missing(name, 'missing')
      const parts = await Promise.all(
        Array.from({ length: pieces }, (_, piece) =>
          router.ask(slot, ['GET', keyOf(name, piece)], { encoding: null }),
        ),
      )
      // Asked for as bytes.
      const bytes = Buffer.concat(parts.filter((part) => part !== null) as Buffer[])
      if (hash('sha256', bytes, 'hex') !== name) throw missing(name, 'damaged')
      return bytes
    },
    drop: (names) => dropAll(names, { router, keyOf, listed: { slot: index.slot, list } }),
    async isAnyOlder(before) {
      const count = await router.ask(index.slot, ['ZCOUNT', list, '-inf', `(${before}`])
      return Number(count) > 0
    },
    async sweep(before: Instant, isNamed) {
      const range = ['-inf', `(${before}`, 'BYSCORE'] as const
      const old = (await router.ask(index.slot, ['ZRANGE', list, ...range])) as readonly string[]
      let removed = 0
      for (const name of old) {
        if (isNamed(blobHash(name))) continue
        if (await removeOlder(name, before)) removed += 1
      }
      return removed
    },
  }
}

/** Taken off the list last: what a crash leaves of one is swept. */
async function dropAll(
  names: readonly BlobHash[],
  place: Pick<BlobPlace, 'router'> & {
    readonly keyOf: (name: string, piece: number | 'pieces') => string
    readonly listed: { readonly slot: number; readonly list: string }
  },
): Promise<void> {
  const { router, keyOf, listed } = place
  for (const name of names) {
    const slot = slotOf(`b${name}`)
    const seen = String(await router.ask(slot, ['GET', keyOf(name, 'pieces')]))
    const keys = Array.from({ length: countOf(seen) ?? piecesMax }, (_, piece) => keyOf(name, piece))
    await router.ask(slot, ['UNLINK', keyOf(name, 'pieces'), ...keys])
    await router.ask(listed.slot, ['ZREM', listed.list, name])
  }
}

/** How many pieces there are; null while they are written. */
const countOf = (text: string): number | null => {
  const count = Number.parseInt(text, 10)
  return Number.isNaN(count) ? null : count
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
