/**
 * Who may do the periodic chores now: a cycle is cut into one slot per active runner, in order of age. A
 * pure function of the runners and the time, so every runner comes to the same answer without asking.
 *
 * The answer only elects. What keeps two from working at once is the start record (runtime/atomic-service).
 */

import type { RunnerId } from '../../model/ids.ts'
import type { Instant, Millis } from '../../model/time.ts'

/** A runner that lives and may do chores. */
export interface ActiveRunner {
  readonly id: RunnerId
  /** When it was first seen; never changes. */
  readonly createdAt: Instant
}

export interface AtomicServiceInputs {
  readonly runnerId: RunnerId
  /** In the order of `byAge`. */
  readonly activeRunners: readonly ActiveRunner[]
  readonly now: Instant
  readonly intervalMs: Millis
  readonly marginMs: Millis
  readonly stabilizationMs: Millis
  /** A later start within the own window is refused; only a value in (0, 1) has an effect. */
  readonly maxStartSlotFraction: number
}

export const atomicServiceReasons = [
  'ASSIGNED',
  'NO_STABLE_RUNNERS',
  'NOT_ASSIGNED_SLOT',
  'SLOT_WINDOW_INVALID',
  'SCHEDULED_RUNNER_IN_GRACE',
  'LATE_START',
] as const

export type AtomicServiceReason = (typeof atomicServiceReasons)[number]

/** What the holder of a slot is about to do. */
export interface AtomicServiceRun {
  readonly id: string
  readonly runnerId: RunnerId
  readonly cycleStart: Instant
  readonly slotStart: Instant
  readonly slotEnd: Instant
  readonly startedAt: Instant
}

export interface AtomicServiceClaim {
  readonly reason: AtomicServiceReason
  /** Null as long as nobody is active. */
  readonly cycleStart: Instant | null
  /** Whose slot it is now. */
  readonly assignedRunnerId: RunnerId | null
  /** Place of the caller among the active runners, from 0; null when it isn't one of them. */
  readonly position: number | null
  readonly runnerCount: number
  /** The caller's own window in this cycle: from here up to, not including, `slotEnd`. */
  readonly slotStart: Instant | null
  readonly slotEnd: Instant | null
  /** Whether the slot that is on now is the caller's. */
  readonly isOwnerNow: boolean
  /** What may start; null for every reason but ASSIGNED. */
  readonly run: AtomicServiceRun | null
  /** Why nothing may start, in words. */
  readonly skipMessage: string | null
  /** The part of the own window that has passed, from 0 to 1; null outside of it. */
  readonly lateFraction: number | null
}

/** Oldest first; of the same age the smaller id first. */
export function byAge(a: ActiveRunner, b: ActiveRunner): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Decides for one runner at one instant. The steps and their order are pynenc's. */
export function decideAtomicServiceClaim(inputs: AtomicServiceInputs): AtomicServiceClaim {
  const { activeRunners, now, intervalMs } = inputs
  const runnerCount = activeRunners.length
  if (runnerCount === 0)
    return { ...nothing, reason: 'NO_STABLE_RUNNERS', skipMessage: 'No runner is active.' }
  const cycleStart = Math.floor(now / intervalMs) * intervalMs
  const slotMs = intervalMs / runnerCount
  const assigned = activeRunners[assignedPosition(now - cycleStart, slotMs, runnerCount)]
  const position = activeRunners.findIndex(({ id }) => id === inputs.runnerId)
  const shared = { ...nothing, cycleStart, runnerCount, assignedRunnerId: assigned?.id ?? null }
  if (assigned === undefined || position === -1)
    return {
      ...shared,
      reason: 'NOT_ASSIGNED_SLOT',
      skipMessage: 'This runner is not among the active ones.',
    }
  const window = windowOf(inputs, { cycleStart, position })
  const own = { ...shared, position, isOwnerNow: assigned.id === inputs.runnerId }
  if (window === null)
    return { ...own, reason: 'SLOT_WINDOW_INVALID', skipMessage: 'The margin leaves nothing of the slot.' }
  return decideInWindow(inputs, assigned, { ...own, slotStart: window.start, slotEnd: window.end })
}

/** The margin that leaves at least half of the slot: with it no number of runners makes slots impossible. */
export function effectiveMarginMs(intervalMs: Millis, marginMs: Millis, runnerCount: number): Millis {
  return Math.min(marginMs, intervalMs / Math.max(1, runnerCount) / 2)
}

/**
 * The next instant, not before `now`, at which the runner's own window begins; null when it isn't among the
 * active runners or has no window.
 */
export function nextSlotStart(inputs: AtomicServiceInputs): Instant | null {
  const { activeRunners, now, intervalMs } = inputs
  const position = activeRunners.findIndex(({ id }) => id === inputs.runnerId)
  if (position === -1) return null
  const cycleStart = Math.floor(now / intervalMs) * intervalMs
  const window = windowOf(inputs, { cycleStart, position })
  if (window === null) return null
  return window.start >= now ? window.start : window.start + intervalMs
}

const nothing: AtomicServiceClaim = {
  reason: 'NO_STABLE_RUNNERS',
  cycleStart: null,
  assignedRunnerId: null,
  position: null,
  runnerCount: 0,
  slotStart: null,
  slotEnd: null,
  isOwnerNow: false,
  run: null,
  skipMessage: null,
  lateFraction: null,
}

const assignedPosition = (offsetMs: Millis, slotMs: Millis, runnerCount: number): number =>
  runnerCount === 1 ? 0 : Math.min(Math.floor(offsetMs / slotMs), runnerCount - 1)

/** A single runner has the whole cycle and needs no margin. */
function windowOf(
  { activeRunners, intervalMs, marginMs }: AtomicServiceInputs,
  place: { readonly cycleStart: Instant; readonly position: number },
): { readonly start: Instant; readonly end: Instant } | null {
  const count = activeRunners.length
  if (count === 1) return { start: place.cycleStart, end: place.cycleStart + intervalMs }
  const slotMs = intervalMs / count
  if (slotMs - marginMs <= 0) return null
  // The product, not a sum of slots: neighbours must compute the same border.
  const start = place.cycleStart + (place.position * intervalMs) / count
  return { start, end: start + slotMs - marginMs }
}

interface OwnWindow extends AtomicServiceClaim {
  readonly cycleStart: Instant
  readonly slotStart: Instant
  readonly slotEnd: Instant
}

function decideInWindow(
  inputs: AtomicServiceInputs,
  assigned: ActiveRunner,
  own: OwnWindow,
): AtomicServiceClaim {
  const { now, stabilizationMs, maxStartSlotFraction, runnerId } = inputs
  if (now - assigned.createdAt < stabilizationMs) {
    const skipMessage = `${assigned.id} holds the slot but is too young to use it.`
    return { ...own, reason: 'SCHEDULED_RUNNER_IN_GRACE', skipMessage }
  }
  const { slotStart, slotEnd, cycleStart } = own
  if (own.runnerCount > 1 && (now < slotStart || now >= slotEnd))
    return { ...own, reason: 'NOT_ASSIGNED_SLOT', skipMessage: 'It is not this runner’s slot.' }
  const lateFraction = (now - slotStart) / (slotEnd - slotStart)
  const hasLimit = maxStartSlotFraction > 0 && maxStartSlotFraction < 1
  if (hasLimit && lateFraction > maxStartSlotFraction) {
    const percent = Math.round(lateFraction * 100)
    return { ...own, lateFraction, reason: 'LATE_START', skipMessage: `${percent} % of the slot has passed.` }
  }
  const run = { id: `${runnerId}@${slotStart}`, runnerId, cycleStart, slotStart, slotEnd, startedAt: now }
  return { ...own, lateFraction, reason: 'ASSIGNED', run }
}
