/** The keys of workspaces in the vault: one secret per workspace, which no step may name. */

import { SagasmithError } from '../../model/errors.ts'
import type { StoreId } from '../../model/ids.ts'
import type { Vault } from '../vault/vault.ts'
import type { KeyRing } from './key-ring.ts'
import { keyRingText, readKeyRing } from './key-ring.ts'

export interface SealKeys {
  /** Null when this machine has none. Throws what keeps the vault from being opened. */
  readonly read: (store: StoreId) => Promise<KeyRing | null>
  readonly write: (ring: KeyRing) => Promise<void>
  readonly remove: (store: StoreId) => Promise<void>
}

/** Bound to nothing that a step is: it is for the engine alone. */
const engineOnly = { hosts: [], kinds: ['seal'], nodes: [] } as const

/** Those of a vault. */
export function createVaultSealKeys(vault: Pick<Vault, 'list' | 'open' | 'set' | 'remove'>): SealKeys {
  return {
    async read(store) {
      const name = secretNameOf(store)
      // Asked first: a workspace that seals nothing needs no unlocked vault.
      const entries = await vault.list()
      if (!entries.some((entry) => entry.name === name)) return null
      const [opened] = await vault.open([name])
      const ring = opened === undefined ? null : readKeyRing(opened.value)
      if (ring === null || ring.store === store) return ring
      throw new SagasmithError('seal_file_unreadable', {
        message: `The secret ${name} holds the keys of another workspace, ${ring.store}.`,
        details: { name, store, found: ring.store },
      })
    },
    async write(ring) {
      const note = `Keys of the workspace ${ring.store}; see sagasmith seal`
      await vault.set({
        name: secretNameOf(ring.store),
        value: keyRingText(ring),
        kind: 'other',
        note,
        ...engineOnly,
      })
    },
    remove: (store) => vault.remove(secretNameOf(store)),
  }
}

/** All keys of a vault, by their workspaces. Throws what keeps it from being opened. */
export async function vaultKeyRings(vault: Pick<Vault, 'list' | 'open'>): Promise<readonly KeyRing[]> {
  const names = (await vault.list()).map(({ name }) => name).filter((name) => name.startsWith(namePrefix))
  if (names.length === 0) return []
  const opened = await vault.open(names)
  // Somebody else's secret may be called so.
  return opened.flatMap(({ entry, value }) => (entry.kinds?.includes('seal') ? [readKeyRing(value)] : []))
}

const namePrefix = 'SEAL_'

/** What the vault calls them. */
const secretNameOf = (store: StoreId): string =>
  `${namePrefix}${store.replaceAll(/[^A-Za-z0-9]/g, '_').slice(0, 59)}`
