/** Puts the sealing in front of a store where there is something to seal or to watch for; else leaves it out. */

import type { Store } from '../../store/store.ts'
import type { Vault } from '../vault/vault.ts'
import { createVaultSealKeys } from './seal-keys.ts'
import type { SealDeskInput } from './seal-state.ts'
import { createSealDesk } from './seal-state.ts'
import { sealedStore } from './sealed-store.ts'

/** What a process wants of the workspace it opens. */
export interface SealingWish {
  /** To seal from now on, if it doesn't yet. */
  readonly wanted: boolean
  /** Whether others may have it seal while this process works with it. */
  readonly watches: boolean
}

/** The store itself where nobody seals and nobody could begin to. */
export async function withSealing(
  input: Omit<SealDeskInput, 'keys' | 'wanted'> & SealingWish & { readonly vault: Vault },
): Promise<Store> {
  const { vault, wanted, watches, ...parts } = input
  const desk = createSealDesk({ ...parts, wanted, keys: createVaultSealKeys(vault) })
  await desk.refresh()
  if (desk.state().kind !== 'plain' || watches) return sealedStore(input.store, desk)
  desk.stop()
  return input.store
}
