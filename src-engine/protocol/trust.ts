/** What this computer and the runners of a store say of a definition, and the keys that vouch for some. */

import type { DefinitionHash, RunnerId } from '../model/ids.ts'
import type { TrustPolicy } from '../model/trust.ts'
import type { DocumentTrustApi } from './document-trust.ts'

/** Somebody's word for a definition, as this computer knows them. */
export interface SignatureView {
  /** The public key. */
  readonly key: string
  /** What this computer calls it; null for a key that it doesn't know. */
  readonly name: string | null
  /** Whether its runners believe it. */
  readonly isTrusted: boolean
  /** Whether this computer has the private half. */
  readonly isOwn: boolean
}

/** What a living runner does with a definition, as far as it tells. */
export interface RunnerVerdict {
  readonly runnerId: RunnerId
  readonly host: string
  readonly policy: TrustPolicy
  readonly accepts: boolean
}

export interface TrustView {
  readonly hash: DefinitionHash
  /** What it starts, through every depth; none for one that isn't published on the store. */
  readonly starts: readonly DefinitionHash[]
  /** What the list of this computer says, which its own runners follow. */
  readonly decision: 'approved' | 'revoked' | null
  readonly signatures: readonly SignatureView[]
  readonly runners: readonly RunnerVerdict[]
}

/** A key that vouches. */
export interface KeyView {
  readonly name: string
  /** The public half. */
  readonly key: string
}

/** A key of this computer; without its public half when its file can't be used, and then why. */
export interface OwnKeyView {
  readonly name: string
  readonly key: string | null
  readonly problem: string | null
}

export const trustDecisions = ['approve', 'revoke', 'forget'] as const

/** The methods of `trust.*`. Lists and keys are this computer's, whatever store is asked about. */
export interface TrustApi extends DocumentTrustApi {
  readonly 'trust.definition': {
    readonly input: { readonly hash: DefinitionHash }
    readonly output: TrustView
  }
  /** Everything that was decided here, and all keys. */
  readonly 'trust.list': {
    readonly input: Record<string, never>
    readonly output: {
      readonly approved: readonly DefinitionHash[]
      readonly revoked: readonly DefinitionHash[]
      /** Whose signatures the runners of this computer believe. */
      readonly trusted: readonly KeyView[]
      readonly own: readonly OwnKeyView[]
    }
  }
  /** Has the runners of this computer execute definitions, or not; throws `trust_list_damaged`. */
  readonly 'trust.decide': {
    readonly input: {
      readonly hashes: readonly DefinitionHash[]
      readonly decision: (typeof trustDecisions)[number]
    }
    readonly output: Record<string, never>
  }
  /** Signs published definitions with a key of this computer; throws `signing_key_*`, `workflow_not_found`. */
  readonly 'trust.sign': {
    readonly input: { readonly hashes: readonly DefinitionHash[]; readonly key: string }
    readonly output: Record<string, never>
  }
  /** Makes a key to sign with; throws `signing_key_exists`. */
  readonly 'trust.createKey': { readonly input: { readonly name: string }; readonly output: KeyView }
  /** Has the runners of this computer believe a key's signatures, under a name; with null no more. */
  readonly 'trust.setKey': {
    readonly input: { readonly name: string; readonly key: string | null }
    readonly output: Record<string, never>
  }
}
