/**
 * AES-256-GCM for values of one workspace. Each run has keys of its own, derived from the workspace's key, and
 * the place of a value is authenticated: what is copied elsewhere doesn't open.
 *
 * The nonce is made of the value and its place (as in SIV). So the same value at the same place of the same run
 * gives the same text, which makes a checkpoint that is sent twice the same one, and no two values ever meet
 * under one nonce.
 */

import type { KeyObject } from 'node:crypto'
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { sealedPrefix, sealKeyOf } from '../../model/seal.ts'
import type { KeyRing, SealKey } from './key-ring.ts'

/** Where a value stands. */
export interface SealPlace {
  /** The run, or what else has keys of its own. */
  readonly scope: string
  /** The place in it. */
  readonly path: string
}

export interface ValueCipher {
  /** The key of new values. */
  readonly keyId: string
  readonly seal: (place: SealPlace, plain: string) => string
  /** The text, or why it can't be read. */
  readonly open: (place: SealPlace, token: string) => Opened
  readonly sealBytes: (plain: Uint8Array) => Uint8Array
  /** Bytes that were never sealed are given back as they are; null for those that can't be opened. */
  readonly openBytes: (bytes: Uint8Array) => Uint8Array | 'key-missing' | 'damaged'
  /** 128 bits that only who has the ring can make of a text, the same for equal texts for ever. */
  readonly nameOf: (text: string) => string
  readonly has: (keyId: string) => boolean
}

export type Opened =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'key-missing' | 'damaged' }

const algorithm = 'aes-256-gcm'
const keyLength = 32
const nonceLength = 12
const tagLength = 16
const saltLength = 16
/** Runs whose keys are kept at hand. */
const scopesMax = 4_096
/** No payload begins so: payloads are JSON. */
const blobMagic = Buffer.from('\0SGSEAL1', 'latin1')

interface ScopeKeys {
  readonly sealing: KeyObject
  readonly nonces: KeyObject
}

/** Seals with the named key of the ring, and opens with all of them. */
export function createValueCipher(ring: KeyRing, keyId: string): ValueCipher {
  const keyOf = (id: string): SealKey | undefined => ring.keys.find((key) => key.id === id)
  const current = keyOf(keyId)
  if (current === undefined) throw new Error(`Broken invariant: the ring has no key ${keyId}`)
  const scopeKeys = createScopeKeys(ring)
  return {
    keyId,
    has: (id) => keyOf(id) !== undefined,
    seal(place, plain) {
      const { sealing, nonces } = scopeKeys(current, place.scope)
      const about = aboutPlace(ring, place)
      const nonce = createHmac('sha256', nonces).update(about).update('\0').update(plain).digest()
      const sealed = encrypt(Buffer.from(plain, 'utf8'), {
        key: sealing,
        nonce: nonce.subarray(0, nonceLength),
        about,
      })
      return `${sealedPrefix}${keyId}:${sealed.toString('base64url')}`
    },
    open(place, token) {
      const key = keyOf(sealKeyOf(token))
      if (key === undefined) return { ok: false, problem: 'key-missing' }
      const bytes = Buffer.from(token.slice(sealedPrefix.length + key.id.length + 1), 'base64url')
      const opened = decrypt(bytes, scopeKeys(key, place.scope).sealing, aboutPlace(ring, place))
      return opened === null ? { ok: false, problem: 'damaged' } : { ok: true, text: opened.toString('utf8') }
    },
    sealBytes(plain) {
      const head = Buffer.concat([blobMagic, Buffer.from(keyId, 'latin1'), randomBytes(saltLength)])
      const key = blobKey(ring, current, head)
      return Buffer.concat([head, encrypt(plain, { key, nonce: randomBytes(nonceLength), about: head })])
    },
    openBytes(bytes) {
      if (!isSealedBlob(bytes)) return bytes
      const headLength = blobMagic.length + keyId.length + saltLength
      const head = Buffer.from(bytes.subarray(0, headLength))
      const key = keyOf(head.toString('latin1', blobMagic.length, blobMagic.length + keyId.length))
      if (key === undefined) return 'key-missing'
      return decrypt(bytes.subarray(headLength), blobKey(ring, key, head), head) ?? 'damaged'
    },
    nameOf: (text) => createHmac('sha256', ring.namingKey).update(text).digest('hex').slice(0, 32),
  }
}

/** Whether the bytes of a blob are sealed. */
export const isSealedBlob = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, blobMagic.length)).equals(blobMagic)

const aboutPlace = ({ store }: KeyRing, { scope, path }: SealPlace): Buffer =>
  Buffer.from(JSON.stringify([store, scope, path]), 'utf8')

/** A blob's own key: its salt is random, so its nonce meets no other one. */
const blobKey = ({ store }: KeyRing, { bytes }: SealKey, head: Buffer): KeyObject =>
  createSecretKey(
    new Uint8Array(hkdfSync('sha256', bytes, head, `sagasmith-seal-1 blob ${store}`, keyLength)),
  )

function createScopeKeys({ store }: KeyRing): (key: SealKey, scope: string) => ScopeKeys {
  const known = new Map<string, ScopeKeys>()
  return ({ id, bytes }, scope) => {
    const name = `${id} ${scope}`
    const found = known.get(name)
    if (found !== undefined) return found
    const derived = Buffer.from(
      hkdfSync('sha256', bytes, store, `sagasmith-seal-1 values ${scope}`, 2 * keyLength),
    )
    const made = {
      sealing: createSecretKey(derived.subarray(0, keyLength)),
      nonces: createSecretKey(derived.subarray(keyLength)),
    }
    for (const oldest of known.keys()) {
      if (known.size < scopesMax) break
      known.delete(oldest)
    }
    known.set(name, made)
    return made
  }
}

/** Nonce, ciphertext, tag. */
function encrypt(
  plain: Uint8Array,
  { key, nonce, about }: { readonly key: KeyObject; readonly nonce: Buffer; readonly about: Buffer },
): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  cipher.setAAD(about)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Null when anything about the bytes, the key or what they are about is another. */
function decrypt(bytes: Uint8Array, key: KeyObject, about: Buffer): Buffer | null {
  if (bytes.byteLength < nonceLength + tagLength) return null
  const end = bytes.byteLength - tagLength
  const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  cipher.setAAD(about)
  cipher.setAuthTag(bytes.subarray(end))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(nonceLength, end)), cipher.final()])
  } catch {
    return null
  }
}
