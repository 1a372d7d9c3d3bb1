/** How long the claims of the shown run still last, as far as its engine was asked. */

import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import type { LeaseLeft } from '../../src-engine/protocol/watching.ts'

export interface KnownLease extends LeaseLeft {
  /** When the answer came, on the page's clock. */
  readonly at: number
  /** The longest that was ever left of it: what a renewal brings it back to. */
  readonly fullMs: number
}

export interface LeasesState {
  readonly byId: ReadonlyMap<string, KnownLease>
  readonly setLeases: (leases: readonly LeaseLeft[], at: number) => void
}

export type LeasesStore = StoreApi<LeasesState>

/** None known. */
export function createLeasesStore(): LeasesStore {
  return createStore<LeasesState>((set, get) => ({
    byId: new Map(),
    setLeases: (leases, at) => {
      const before = get().byId
      const next = leases.map((lease) => {
        const known = before.get(lease.invocationId)
        // Another owner's claim is another one.
        const full = known?.runnerId === lease.runnerId ? known.fullMs : 0
        return [lease.invocationId, { ...lease, at, fullMs: Math.max(full, lease.leftMs) }] as const
      })
      set({ byId: new Map(next) })
    },
  }))
}
