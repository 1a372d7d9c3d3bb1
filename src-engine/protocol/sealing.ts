/** What can be asked and said about the keys that seal a workspace's values. Keys themselves are never said. */

import type { StoreId } from '../model/ids.ts'
import type { Instant } from '../model/time.ts'

export interface SealView {
  readonly workspace: StoreId
  /** The key that the workspace seals with; null while it seals nothing. */
  readonly key: string | null
  /** Since when it is that one. */
  readonly since: Instant | null
  /** Those that this machine has, oldest first. */
  readonly keys: readonly { readonly id: string; readonly createdAt: Instant }[]
  /** What keeps this machine from working there; null when nothing does. */
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string } | null
}

/** The keys of one workspace in the vault, as everybody may know them. */
export interface SealRing {
  readonly workspace: StoreId
  /** The one that new values are sealed with, as far as this machine was told. */
  readonly current: string
  /** Oldest first. */
  readonly keys: readonly { readonly id: string; readonly createdAt: Instant }[]
}

/** A file on the machine of the engine, and what protects it; null for a file that its owner alone may read. */
export interface SealFile {
  readonly path: string
  readonly passphrase: string | null
}

/** The methods of `seal.*`. */
export interface SealApi {
  readonly 'seal.state': { readonly input: Record<string, never>; readonly output: SealView }
  /** The keys that this machine has, of whichever workspaces. Throws `vault_…`. */
  readonly 'seal.keys': {
    readonly input: Record<string, never>
    readonly output: { readonly rings: readonly SealRing[] }
  }
  /** Has the workspace seal from now on. Throws `seal_key_missing`, `seal_restart_needed`, `vault_…`. */
  readonly 'seal.begin': { readonly input: Record<string, never>; readonly output: SealView }
  /** Seals new values with another key; with `prepare`, only makes it, to be handed on first. */
  readonly 'seal.rotate': { readonly input: { readonly prepare: boolean }; readonly output: SealView }
  /** Writes all keys of the workspace to a new file. */
  readonly 'seal.export': { readonly input: SealFile; readonly output: { readonly workspace: StoreId } }
  /** Takes the keys of a file, of whichever workspace they are. */
  readonly 'seal.import': {
    readonly input: SealFile
    readonly output: { readonly workspace: StoreId; readonly keys: readonly string[] }
  }
  /** Forgets a key on this machine: what it sealed can't be read here any more. Throws `seal_key_in_use`. */
  readonly 'seal.remove': { readonly input: { readonly key: string }; readonly output: SealView }
}
