/** Where the key of a vault comes from. The vault's values have a data key; a provider only wraps that one. */

import type { JsonObject } from '../../model/json.ts'
import type { KeyProviderKind } from '../../model/secret.ts'

/** A wrapped data key as it lies in the vault's file, with whatever its provider needs to unwrap it. */
export type WrappedKey = JsonObject & { readonly provider: KeyProviderKind }

export interface UnwrappedKey {
  readonly dataKey: Buffer
  /** It should be wrapped anew with the next change: what wrapped it has changed. */
  readonly isStale: boolean
}

export interface KeyProvider {
  readonly kind: KeyProviderKind
  /** Throws `vault_unavailable` where it can't protect a key; absent for one that always can. */
  readonly requireWorking?: () => Promise<void>
  /** Wraps a new data key; `about` binds it to its vault. Throws what keeps it from doing so. */
  readonly wrap: (dataKey: Buffer, about: string) => Promise<WrappedKey>
  /**
   * The data key. Throws `vault_locked` while what it takes isn't there, `vault_wrong_key` when that is
   * another one's, and what keeps the provider from working at all.
   */
  readonly unwrap: (wrapped: WrappedKey, about: string) => Promise<UnwrappedKey>
}
