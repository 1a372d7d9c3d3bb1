/** One lock as a register: who holds it, until when, and the compare-and-set that changes hands. */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Clock, Ids } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'

/** All locks of a store have keys with this beginning. */
const lockPrefix = 'lock/'

export interface LockState {
  /** Names one holding, not one holder; null when it was given back. */
  readonly token: string | null
  readonly owner: string | null
  readonly expiresAt: Instant
  readonly ttlMs: Millis
}

/** What is stored of a lock, with the version to compare with. */
export interface StoredLock {
  readonly version: number
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
export async function loadLock({ store, partition }: LockDependencies, key: string): Promise<StoredLock> {
  const register = await store.load(partition, 'register', { key: lockPrefix + key })
  return { version: register?.version ?? 0, state: register === null ? null : readState(register.value) }
}

/**
 * Writes a lock if it still has the version. A lock that is given back stays as a register without a token:
 * were it removed, its version would begin again and a stale holder could take it for its own.
 */
export async function writeLock(
  { store, partition, owner, clock, ids }: LockDependencies,
  key: string,
  change: { readonly version: number; readonly state: LockState },
): Promise<boolean> {
  const { token, owner: holder, expiresAt, ttlMs } = change.state
  const register = { key: lockPrefix + key, value: { token, owner: holder, expiresAt, ttlMs } }
  const checkpoint: Checkpoint = {
    partition,
    opId: opId(`lock:${ids.next()}`),
    actor: { kind: 'runner', id: owner },
    at: clock.now(),
    expect: { invocations: [], registers: [{ key: register.key, version: change.version }] },
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
