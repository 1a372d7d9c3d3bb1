/**
 * AES-256-GCM with its bounds: a fresh nonce per sealing, the whole tag, and associated data that says what
 * was sealed, so that a sealed value can't be put in another one's place.
 */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Base64, as it lies in a file. */
export interface Sealed {
  readonly nonce: string
  /** The ciphertext with its tag behind it. */
  readonly data: string
}

/** Bytes of a key. */
export const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** A new key. */
export const newKey = (): Buffer => randomBytes(keyBytes)

/** Seals bytes; `about` must be the same text when they are opened. */
export function seal(plain: Buffer, key: Buffer, about: string): Sealed {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(about, 'utf8'))
  const data = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return { nonce: nonce.toString('base64'), data: data.toString('base64') }
}

/** The bytes; null when the key is another one, or anything about them was changed. */
export function unseal({ nonce, data }: Sealed, key: Buffer, about: string): Buffer | null {
  const bytes = Buffer.from(data, 'base64')
  const iv = Buffer.from(nonce, 'base64')
  if (bytes.length < tagBytes || iv.length !== nonceBytes || key.length !== keyBytes) return null
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(about, 'utf8'))
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - tagBytes)), decipher.final()])
  } catch {
    // Node tells a wrong tag by throwing, and nothing else of it.
    return null
  }
}
