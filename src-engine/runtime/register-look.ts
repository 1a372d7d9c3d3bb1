/**
 * A look at a register, and what may be built on it. A version counts only in the epoch in which it was seen: a
 * partition whose server failed over gives lost versions anew, and an old value must not pass for a new one of the
 * same number.
 */

import type { Checkpoint, Register } from '../model/checkpoint.ts'
import type { Store } from '../store/store.ts'

/** How old what was seen is; version 0 for a register that isn't there. */
export interface RegisterAge {
  readonly epoch: number
  readonly version: number
}

export interface RegisterLook extends RegisterAge {
  readonly register: Register | null
}

/** Where registers are looked at. */
export interface RegisterPlace {
  readonly store: Store
  readonly partition: number
}

/** As much of a place as a look takes. */
interface LookPlace {
  readonly store: Pick<Store, 'info' | 'load'>
  readonly partition: number
}

/** Asked before a look: of a failover in between, what is read counts as older than it is, and is refused or read again. */
export const epochOfLook = ({ store, partition }: LookPlace): number => store.info.epochs[partition] ?? 0

/** Reads a register. */
export async function lookAtRegister(place: LookPlace, key: string): Promise<RegisterLook> {
  const { store, partition } = place
  const epoch = epochOfLook(place)
  const register = await store.load(partition, 'register', { key })
  return { epoch, version: register?.version ?? 0, register }
}

/** Older than whatever can be seen. */
export const neverSeen: RegisterAge = { epoch: -1, version: -1 }

/** Whether it may tell something else than what is known; after a failover anything may, also with a lower version. */
export const isNewer = (seen: RegisterAge, known: RegisterAge): boolean =>
  seen.epoch > known.epoch || (seen.epoch === known.epoch && seen.version > known.version)

/** Whether something was written between the two looks. */
export const isOther = (seen: RegisterAge, known: RegisterAge): boolean =>
  seen.epoch !== known.epoch || seen.version !== known.version

/** A precondition: the register is as it was. */
export interface RegisterGuard {
  readonly key: string
  readonly version: number
  /** In which it was looked at; absent where only the version counts. */
  readonly epoch?: number
}

/** What a checkpoint expects that has no other preconditions than these. */
export const expecting = (guards: readonly RegisterGuard[]): Checkpoint['expect'] => ({
  ...boundTo(guards),
  invocations: [],
  registers: guards.map(({ key, version }) => ({ key, version })),
})

/** What a checkpoint with these among its preconditions expects of its partition. */
export function boundTo(guards: readonly RegisterGuard[]): { readonly epoch?: number } {
  const epochs = guards.flatMap(({ epoch }) => epoch ?? [])
  // Of several, the oldest is that which may not be so any more.
  return epochs.length === 0 ? {} : { epoch: Math.min(...epochs) }
}
