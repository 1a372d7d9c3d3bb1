/** One lock as a register: who holds it, until when, and the compare-and-set that changes hands. */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { RegisterAge } from '../register-look.ts'
import { expecting, lookAtRegister } from '../register-look.ts'

/** All locks of a store have keys with this beginning. */
const lockPrefix = 'lock/'

export interface LockState {
  /** Names one holding, not one holder; null when it was given back. */
  readonly token: string | null
  readonly owner: string | null
  readonly expiresAt: Instant
  readonly ttlMs: Millis
}

/** What is stored of a lock, with the version to compare with, and the epoch in which it counts. */
export interface StoredLock extends RegisterAge {
  readonly state: LockState | null
}

export interface LockDependencies {
  readonly store: Store
  readonly partition: number
  /** Who locks: the runner's id. */
  readonly owner: string
  readonly clock: Clock
  readonly ids: Ids
}

/** Reads a lock; version 0 when nobody ever took it. */
export async function loadLock(dependencies: LockDependencies, key: string): Promise<StoredLock> {
  const { epoch, version, register } = await lookAtRegister(dependencies, lockPrefix + key)
  return { epoch, version, state: register === null ? null : readState(register.value) }
}

/**
 * Writes a lock if it still is as it was seen. A lock that is given back stays as a register without a token:
 * were it removed, its version would begin again and a stale holder could take it for its own.
 */
export async function writeLock(
  { store, partition, owner, clock, ids }: LockDependencies,
  key: string,
  change: RegisterAge & { readonly state: LockState },
): Promise<boolean> {
  const { token, owner: holder, expiresAt, ttlMs } = change.state
  const register = { key: lockPrefix + key, value: { token, owner: holder, expiresAt, ttlMs } }
  const checkpoint: Checkpoint = {
    partition,
    opId: opId(`lock:${ids.next()}`),
    actor: { kind: 'runner', id: owner },
    at: clock.now(),
    expect: expecting([{ key: register.key, version: change.version, epoch: change.epoch }]),
    writes: { ...noWrites, registers: [register] },
    // A tick every few seconds is no history that anybody wants to read.
    events: [],
  }
  const [answer] = await store.commit(partition, [checkpoint])
  return answer?.kind === 'accepted'
}

/** Null for a value that no lock wrote: it counts as free. */
function readState(value: JsonValue): LockState | null {
  if (!isJsonObject(value)) return null
  const { token, owner, expiresAt, ttlMs } = value
  if (typeof expiresAt !== 'number' || typeof ttlMs !== 'number') return null
  return {
    token: typeof token === 'string' ? token : null,
    owner: typeof owner === 'string' ? owner : null,
    expiresAt,
    ttlMs,
  }
}
