/** Sums over texts that can be added to and taken from: of many texts, without going through them again. */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Four numbers of 32 bits. */
export type TextSum = readonly [number, number, number, number]

export const emptySum: TextSum = [0, 0, 0, 0]

/** The sum with a text more, or with one less that is in it. Their order doesn't matter. */
export function withText(sum: TextSum, text: string, sign: 1 | -1): TextSum {
  const bytes = sha256(utf8ToBytes(text))
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const at = (place: 0 | 1 | 2 | 3): number => (sum[place] + sign * view.getUint32(4 * place)) >>> 0
  return [at(0), at(1), at(2), at(3)]
}

/** A sum and a text as one short text: others give another one. */
export const sumName = (sum: TextSum, text: string): string =>
  bytesToHex(sha256(utf8ToBytes(`${sum.join(' ')} ${text}`)))
