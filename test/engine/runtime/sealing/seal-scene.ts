/** Machines with vaults of their own on one store in memory; some have the keys, some don't. */

import type { Logger } from '../../../../src-engine/model/ports.ts'
import type { SealParts } from '../../../../src-engine/runtime/sealing/seal-changes.ts'
import type { SealKeys } from '../../../../src-engine/runtime/sealing/seal-keys.ts'
import { createVaultSealKeys } from '../../../../src-engine/runtime/sealing/seal-keys.ts'
import type { SealDesk } from '../../../../src-engine/runtime/sealing/seal-state.ts'
import { createSealDesk } from '../../../../src-engine/runtime/sealing/seal-state.ts'
import { sealedStore } from '../../../../src-engine/runtime/sealing/sealed-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { fakeClock, silentLog } from '../../shell/shell-fixtures.ts'
import { vaultScene } from '../vault/vault-scene.ts'

export interface SealMachine {
  readonly store: Store
  readonly desk: SealDesk
  readonly keys: SealKeys
  readonly parts: SealParts
}

let count = 0
const ids = { next: () => `id${String((count += 1)).padStart(4, '0')}` }

/** A machine that has looked once. */
export async function machineOn(raw: Store, wanted = false, log: Logger = silentLog): Promise<SealMachine> {
  const keys = createVaultSealKeys(vaultScene().vault)
  const clock = fakeClock()
  const desk = createSealDesk({ store: raw, keys, wanted, clock, ids, log })
  await desk.refresh()
  const store = sealedStore(raw, desk)
  return { store, desk, keys, parts: { store, keys, now: () => clock.now(), ids } }
}

/** What `seal export` and `seal import` do. */
export async function handOver(from: SealMachine, to: SealMachine): Promise<void> {
  const ring = await from.keys.read(from.store.info.id)
  if (ring === null) throw new Error('There are no keys to hand over.')
  await to.keys.write(ring)
  await to.desk.refresh()
}
