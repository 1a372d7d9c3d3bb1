/**
 * The key that a step hands to the outside so that a receiver can tell a repetition from a new demand. It
 * is the same in every attempt and after every recovery; running again from a node makes a new one.
 */

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { NodeId, RunId, StoreId } from './ids.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648 base32 in lower case, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((buffer >>> bits) & 31)
      buffer &= (1 << bits) - 1
    }
  }
  return bits === 0 ? text : text + alphabet.charAt((buffer << (5 - bits)) & 31)
}

/** 52 characters; `path` is the loop and map path, whose last part is the index. */
export function idempotencyKeyOf(step: {
  readonly storeId: StoreId
  readonly runId: RunId
  readonly generation: number
  readonly nodeId: NodeId
  readonly path: string
}): string {
  const parts = [step.storeId, step.runId, String(step.generation), step.nodeId, step.path]
  return base32(sha256(utf8ToBytes(JSON.stringify(parts))))
}

/** Bytes of the hash in the key of a compensation. */
const undoKeyBytes = 16

/**
 * The key of what undoes a step: the same for every compensation of it. Made of run, step, topic, kind and
 * place, joined by bars without those at the ends.
 */
export function undoKeyOf(parts: readonly string[]): string {
  const text = parts.join('|').replaceAll(/^\|+|\|+$/g, '')
  return `saga:${bytesToHex(sha256(utf8ToBytes(text)).slice(0, undoKeyBytes))}`
}
