/**
 * Locks between processes. Two kinds: a hold keeps everybody from repeating a tick until it expires and is
 * never given back; a renewed lock covers work, is renewed at a third of its time, and fences the work with
 * an aborted signal when it can no longer be sure of itself.
 *
 * A lock only saves work: what must not happen twice is refused by versions and fences in the store.
 */

import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { RegisterAge } from '../register-look.ts'
import type { LockDependencies, StoredLock } from './lock-register.ts'
import { loadLock, writeLock } from './lock-register.ts'

export interface HeldLock {
  readonly key: string
  /** Aborted when the lock is lost or can't be renewed: stop, and write nothing more. */
  readonly signal: AbortSignal
  /** Gives it back, if it is still held. Legal twice. */
  readonly release: () => Promise<void>
}

export interface Locks {
  /**
   * Takes the right to one turn; false while somebody's turn has not expired. Who holds it may take the next
   * one after `everyMs`, the whole time when absent.
   */
  readonly hold: (key: string, ttlMs: Millis, everyMs?: Millis) => Promise<boolean>
  /** Takes a lock and keeps it until it is released; null while somebody else has it. */
  readonly acquire: (key: string, ttlMs: Millis) => Promise<HeldLock | null>
  /**
   * Does work under a lock, once it is free: a busy one is asked for again after a pause. The signal is that
   * of the lock. Throws `lock_busy` when somebody has it for longer than its time.
   */
  readonly within: <Answer>(
    key: string,
    ttlMs: Millis,
    work: (signal: AbortSignal) => Promise<Answer>,
  ) => Promise<Answer>
}

export interface LocksDependencies extends LockDependencies {
  readonly log: Logger
  /** Failed renewals in a row after which the work is abandoned. */
  readonly strikesMax: number
  /** The pause after a lock was found busy. */
  readonly retryDelayMs: Millis
}

/** Renewal is due when this part of the time has passed. */
const renewalShare = 1 / 3
/** Within one renewal; who is refused looks again whether it still is the holder. */
const renewalTries = 2

/** What was seen of a lock, and since when on a clock that doesn't jump. */
interface Sighting extends RegisterAge {
  readonly since: Millis
}

/** The locks of one runner. */
export function createLocks(dependencies: LocksDependencies): Locks {
  const { clock, ids, owner } = dependencies
  const sightings = new Map<string, Sighting>()
  /** The turns that this runner took last. */
  const turns = new Map<string, Pick<Taken, 'token' | 'takenAt'>>()
  const isOwn = (key: string, { state }: StoredLock, everyMs: Millis): boolean => {
    const last = turns.get(key)
    const isLast = last !== undefined && state?.token === last.token
    return isLast && clock.monotonic() - last.takenAt >= everyMs
  }
  const isFree = (key: string, { epoch, version, state }: StoredLock): boolean => {
    if (state === null || state.token === null || state.expiresAt <= clock.now()) return true
    // A wall clock that jumped may have written an expiry far ahead: unchanged for its whole time, it is over.
    const seen = sightings.get(key)
    if (seen?.version === version && seen.epoch === epoch)
      return clock.monotonic() - seen.since >= state.ttlMs
    sightings.set(key, { epoch, version, since: clock.monotonic() })
    return false
  }
  const take = async (key: string, ttlMs: Millis, everyMs = ttlMs): Promise<string | null> => {
    const stored = await loadLock(dependencies, key)
    if (!isOwn(key, stored, everyMs) && !isFree(key, stored)) return null
    sightings.delete(key)
    const token = ids.next()
    const state = { token, owner, expiresAt: clock.now() + ttlMs, ttlMs }
    return (await writeLock(dependencies, key, { ...stored, state })) ? token : null
  }
  const acquire = async (key: string, ttlMs: Millis): Promise<HeldLock | null> => {
    const takenAt = clock.monotonic()
    const token = await take(key, ttlMs)
    if (token === null) return null
    dependencies.log.debug('lock.taken', { key, waitedMs: clock.monotonic() - takenAt })
    return keep(dependencies, { key, ttlMs, token, takenAt })
  }
  return {
    hold: async (key, ttlMs, everyMs) => {
      const takenAt = clock.monotonic()
      const token = await take(key, ttlMs, everyMs)
      if (token !== null) turns.set(key, { token, takenAt })
      return token !== null
    },
    acquire,
    within: async (key, ttlMs, work) => {
      const lock = await acquireInTime(dependencies, () => acquire(key, ttlMs), { key, ttlMs })
      try {
        return await work(lock.signal)
      } finally {
        await lock.release()
      }
    },
  }
}

/** Of one that died its time is over by then; one that goes on for longer isn't waited for. */
async function acquireInTime(
  { clock, retryDelayMs }: LocksDependencies,
  acquire: () => Promise<HeldLock | null>,
  { key, ttlMs }: { readonly key: string; readonly ttlMs: Millis },
): Promise<HeldLock> {
  const pauseMs = Math.max(1, retryDelayMs)
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = await acquire()
    if (lock !== null) return lock
    if (waitedMs > ttlMs) throw new SagasmithError('lock_busy', { details: { key } })
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
  }
}

interface Taken {
  readonly key: string
  readonly ttlMs: Millis
  readonly token: string
  /** When the taking began, on the clock that doesn't jump. */
  readonly takenAt: Millis
}

function keep(dependencies: LocksDependencies, taken: Taken): HeldLock {
  const { clock, log, strikesMax } = dependencies
  const { key, ttlMs } = taken
  const controller = new AbortController()
  let strikes = 0
  let sureUntil = taken.takenAt + ttlMs
  let released = false
  let cancel: () => void = () => {}
  const abandon = (reason: string): void => {
    cancel()
    log.warn('lock.abandoned', { key, reason })
    controller.abort(new Error(`The lock ${key} was abandoned: ${reason}.`))
  }
  const renew = async (): Promise<void> => {
    const begun = clock.monotonic()
    const answer = await renewOnce(dependencies, taken)
    if (released) return
    if (answer === 'lost') return abandon('somebody else has it')
    strikes = answer === 'renewed' ? 0 : strikes + 1
    // Late is not lost: as long as the token is there, nobody else had the lock in between.
    if (answer === 'renewed') sureUntil = begun + ttlMs
    if (strikes >= strikesMax) return abandon(`${strikes} renewals failed`)
    if (clock.monotonic() >= sureUntil) return abandon('it expired before it could be renewed')
    later()
  }
  const later = (): void => {
    cancel = clock.after(ttlMs * renewalShare, () => void renew())
  }
  later()
  return {
    key,
    signal: controller.signal,
    release: async () => {
      // What was abandoned may be somebody else's by now; it expires by itself.
      if (released || controller.signal.aborted) return
      released = true
      cancel()
      await giveBack(dependencies, taken)
    },
  }
}

async function renewOnce(
  dependencies: LocksDependencies,
  { key, ttlMs, token }: Taken,
): Promise<'renewed' | 'lost' | 'failed'> {
  const { clock, owner, log } = dependencies
  try {
    for (let tries = 0; tries < renewalTries; tries += 1) {
      const stored = await loadLock(dependencies, key)
      if (stored.state?.token !== token) return 'lost'
      const state = { token, owner, expiresAt: clock.now() + ttlMs, ttlMs }
      if (await writeLock(dependencies, key, { ...stored, state })) return 'renewed'
      // Somebody has it by now, or a failover has others lead it, which may know it as ours.
    }
    return 'failed'
  } catch (thrown) {
    log.warn('lock.renewal-failed', { key, error: recordOfThrown(thrown).message })
    return 'failed'
  }
}

async function giveBack(dependencies: LocksDependencies, { key, ttlMs, token }: Taken): Promise<void> {
  try {
    const stored = await loadLock(dependencies, key)
    if (stored.state?.token !== token) return
    const state = { token: null, owner: null, expiresAt: dependencies.clock.now(), ttlMs }
    await writeLock(dependencies, key, { ...stored, state })
  } catch (thrown) {
    // It expires by itself.
    dependencies.log.warn('lock.release-failed', { key, error: recordOfThrown(thrown).message })
  }
}
