/** Which definitions a runner executes: all, those its owner approved, or those that a trusted key signed. */

import { z } from 'zod'
import type { DefinitionHash } from './ids.ts'
import { definitionHash } from './ids.ts'
import type { JsonValue } from './json.ts'

/** From the most trusting to the strictest that needs no look at each definition. */
export const trustPolicies = ['all', 'approved', 'signed'] as const

export type TrustPolicy = (typeof trustPolicies)[number]

/** A hash as people write it. */
export const definitionHashPattern = /^w\d+_[0-9a-f]{64}$/

/** `ed25519:` and the 32 bytes of the key as base64url. */
export const publicKeyPattern = /^ed25519:[A-Za-z0-9_-]{43}$/

/** Names of keys, and of their files. */
export const keyNamePattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/

/** Somebody's word for a definition. */
export interface DefinitionSignature {
  /** The public half of the key that made it. */
  readonly key: string
  /** Ed25519, as base64url. */
  readonly signature: string
}

/** What a person trusts on one machine. */
export interface TrustList {
  readonly approved: readonly DefinitionHash[]
  /** Executed under no policy but `all`, whoever signed them. */
  readonly revoked: readonly DefinitionHash[]
  /** Public keys. */
  readonly keys: readonly string[]
}

/** What a runner tells others about what it would execute; a few for a look, not the truth. */
export interface RunnerTrust {
  readonly policy: TrustPolicy
  readonly definitions: readonly DefinitionHash[]
  /** Whether it trusts more than these. */
  readonly more: boolean
}

/** Begins the names of registers with signatures. */
export const signaturesPrefix = 'signatures/'

/** The register with the signatures of a definition. */
export const signaturesRegister = (hash: DefinitionHash): string => `${signaturesPrefix}${hash}`

/** The definition that a register has the signatures of; null for another register. */
export function signedDefinition(register: string): DefinitionHash | null {
  const hash = register.slice(signaturesPrefix.length)
  const fits = register.startsWith(signaturesPrefix) && definitionHashPattern.test(hash)
  return fits ? definitionHash(hash) : null
}

/** What is signed: its first line keeps the signature from meaning anything else. */
export const signedText = (hash: DefinitionHash): string => `sagasmith definition signature 1\n${hash}\n`

/** More of one definition are kept by nobody. */
export const signaturesMax = 32

/** What a signature looks like. */
export const definitionSignature = z.object({
  key: z.string().regex(publicKeyPattern),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
})

/** The signatures of a register; anything that is none is left out, for anybody may have written it. */
export function readSignatures(value: JsonValue | undefined): readonly DefinitionSignature[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, signaturesMax).flatMap((item) => {
    const read = definitionSignature.safeParse(item)
    return read.success ? [read.data] : []
  })
}
