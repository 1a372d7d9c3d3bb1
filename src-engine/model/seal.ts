/** Sealed values as everybody may know them: which key opens them, and what to say to who hasn't it. */

import type { JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Payload } from './payload.ts'
import type { Instant } from './time.ts'

/** `sealed:1:<key>:<base64url>`; what is behind the key's id is nonce, ciphertext and tag. */
export const sealedPrefix = 'sealed:1:'

/** Why a value can't be read here. */
export type SealProblem = 'key-missing' | 'damaged'

export type SealedPayload = Extract<Payload, { kind: 'sealed' }>

/** Whether a text is a sealed one. */
export const isSealedText = (text: string): boolean => text.startsWith(sealedPrefix)

/** The id of the key that a sealed text names; empty for what names none. */
export const sealKeyOf = (token: string): string =>
  isSealedText(token) ? (token.split(':', 3)[2] ?? '') : ''

/** What is shown in the place of a sealed value, and what to do about it. */
export function sealedWords(
  token: string,
  problem: SealProblem = 'key-missing',
): { readonly message: string; readonly hint: string } {
  const key = sealKeyOf(token)
  if (problem === 'damaged') {
    return {
      message: `Sealed with the key ${key}, and changed since, or moved from where it was sealed.`,
      hint: 'Restore it from a backup of the store.',
    }
  }
  return {
    message: `Sealed with the key ${key}, which this machine doesn’t have.`,
    hint: 'On a machine that has it: sagasmith seal export FILE. Here: sagasmith seal import FILE.',
  }
}

/** The register by which a workspace remembers that it seals. */
export const sealRegister = 'sealing'

/** What it remembers. */
export interface SealMark {
  /** The id of the key that new values are sealed with. */
  readonly key: string
  /** Since when it is that one. */
  readonly since: Instant
  /** Whether every partition of the store was told, and takes sealed values only. */
  readonly everywhere: boolean
}

/** The mark in a register's value; null when nothing is sealed. */
export function readSealMark(value: JsonValue | undefined): SealMark | null {
  if (!isJsonObject(value)) return null
  const { key, since, everywhere } = value
  if (typeof key !== 'string' || typeof since !== 'number') return null
  return { key, since, everywhere: everywhere === true }
}

/** What a runner that has a key counts among its capabilities. */
export const sealCapability = (key: string): string => `seal:${key}`
