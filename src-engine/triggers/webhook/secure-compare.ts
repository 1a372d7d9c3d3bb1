/** Comparing what a stranger sent with what only we know. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Whether two texts are equal; takes as long whatever they have in common, and whatever their lengths. */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()

export type HmacAlgorithm = 'sha256' | 'sha1' | 'sha512'
export type HmacEncoding = 'hex' | 'base64'

/** The signature of some bytes, after a text before them. */
export function hmacOf(signed: {
  readonly key: string | Uint8Array
  readonly before?: string
  readonly body: Uint8Array
  readonly algorithm?: HmacAlgorithm
  readonly encoding: HmacEncoding
}): string {
  const hmac = createHmac(signed.algorithm ?? 'sha256', signed.key)
  if (signed.before !== undefined) hmac.update(signed.before, 'utf8')
  return hmac.update(signed.body).digest(signed.encoding)
}
