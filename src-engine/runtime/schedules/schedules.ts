/**
 * Schedules: cron expressions that start something. Each is a register with the last slot that was decided,
 * so that every slot is decided exactly once: fired, or skipped with a reason. Whoever fires moves the
 * register in the very checkpoint that starts the work.
 */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { CronSlots } from '../../triggers/cron/cron-slots.ts'
import { readCron } from '../../triggers/cron/cron-slots.ts'
import type { RegisterGuard } from '../register-look.ts'
import { expecting } from '../register-look.ts'

/** All schedules of a store have keys with this beginning. */
const schedulePrefix = 'schedule/'

/** What a firing must do to the register, in the checkpoint that starts the work. */
export interface RegisterMove {
  readonly key: string
  readonly version: number
  readonly value: JsonValue
}

export interface Firing {
  readonly scheduleId: string
  readonly slot: Instant
  /** The slot that fired before this one; null when none has. */
  readonly previous: Instant | null
  readonly move: RegisterMove
  /** The right to fire: a precondition of the checkpoint, beside the move's own. */
  readonly fence: ScheduleRun['fence']
}

/** The run of the chores within which schedules are looked at. */
export interface ScheduleRun {
  /** Refuses what is written after the run was taken from its runner. */
  readonly fence: RegisterGuard
}

export interface Schedule {
  readonly id: string
  readonly expression: string
  /** How many missed slots are made up for, the newest ones; at least 1. */
  readonly catchUpMax: number
  /**
   * Commits the start together with the move. `skip` with a reason when this slot shall not start anything;
   * `lost` when the checkpoint was refused: somebody else was first.
   */
  readonly fire: (firing: Firing) => Promise<FireAnswer>
}

export type FireAnswer =
  | { readonly kind: 'fired' | 'lost' }
  | { readonly kind: 'skip'; readonly reason: string }

export interface Schedules {
  /** Makes a schedule known. A new one, or one with another expression, begins with the next slot. */
  readonly register: (schedule: Schedule) => Promise<void>
  /** Decides every slot up to now that nobody has decided. Only within a run of the chores. */
  readonly evaluate: (run: ScheduleRun) => Promise<void>
  /** Learns what others decided. */
  readonly refresh: () => Promise<void>
  /** When the next slot of any of them is due; null when there is none. */
  readonly nextAt: () => Instant | null
}

export interface SchedulesDependencies {
  readonly store: Store
  readonly partition: number
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
}

interface ScheduleState {
  readonly expression: string
  /** Every slot up to here is decided. */
  readonly decidedUpTo: Instant
  readonly lastFired: Instant | null
  readonly lastSkip: JsonObject | null
}

interface Known {
  readonly schedule: Schedule
  readonly slots: CronSlots
  decidedUpTo: Instant
  /** The slot after `decidedUpTo`, as far as it was asked for: reading a cron expression takes its time. */
  next: { readonly after: Instant; readonly at: Instant | null } | null
}

/** The next slot that nobody has decided. */
function nextSlotOf(one: Known): Instant | null {
  if (one.next?.after !== one.decidedUpTo) {
    one.next = { after: one.decidedUpTo, at: one.slots.next(one.decidedUpTo) }
  }
  return one.next.at
}

/** More missed slots than this are skipped in one piece. */
const slotsPerTurnMax = 10_000
const racesMax = 5

/** The schedules of one engine. */
export function createSchedules(dependencies: SchedulesDependencies): Schedules {
  const known = new Map<string, Known>()
  return {
    register: async (schedule) => {
      const slots = readCron(schedule.expression)
      const decidedUpTo = await registerOne(dependencies, schedule)
      known.set(schedule.id, { schedule, slots, decidedUpTo, next: null })
    },
    evaluate: async (run) => {
      // Callers from outside of these types too: who has no run has no right to fire.
      if ((run as ScheduleRun | undefined)?.fence === undefined) throw withoutRun()
      for (const one of known.values()) await evaluateOne(dependencies, one, run)
    },
    refresh: async () => {
      for (const one of known.values()) {
        const { state } = await loadState(dependencies, one.schedule.id)
        if (state !== null) one.decidedUpTo = state.decidedUpTo
      }
    },
    nextAt: () => {
      let next: Instant | null = null
      for (const one of known.values()) {
        const at = nextSlotOf(one)
        if (at !== null && (next === null || at < next)) next = at
      }
      return next
    },
  }
}

const withoutRun = (): SagasmithError =>
  new SagasmithError('internal', {
    message: 'Schedules were looked at outside of a run of the chores.',
    hint: 'Open a start record first; two runners must not look at the same time.',
  })

async function registerOne(dependencies: SchedulesDependencies, schedule: Schedule): Promise<Instant> {
  for (let races = 0; ; races += 1) {
    const { version, state } = await loadState(dependencies, schedule.id)
    if (state?.expression === schedule.expression) return state.decidedUpTo
    const now = dependencies.clock.now()
    const fresh: ScheduleState = {
      expression: schedule.expression,
      decidedUpTo: Math.max(now, state?.decidedUpTo ?? now),
      lastFired: state?.lastFired ?? null,
      lastSkip: state?.lastSkip ?? null,
    }
    if ((await commitMove(dependencies, moveOf(schedule.id, version, fresh))) || races === racesMax)
      return fresh.decidedUpTo
  }
}

/** Decides what is due, oldest first; what is too much to make up for is skipped first. */
async function evaluateOne(
  dependencies: SchedulesDependencies,
  one: Known,
  { fence }: ScheduleRun,
): Promise<void> {
  const { schedule, slots } = one
  for (let races = 0; races <= racesMax; ) {
    const { version, state } = await loadState(dependencies, schedule.id)
    if (state === null) return
    one.decidedUpTo = state.decidedUpTo
    const next = nextSlotOf(one)
    if (next === null || next > dependencies.clock.now()) return
    const due = slots.between(state.decidedUpTo, dependencies.clock.now(), slotsPerTurnMax)
    const surplus = due.length === slotsPerTurnMax ? due.length : due.length - schedule.catchUpMax
    const slot = due[Math.max(0, surplus > 0 ? surplus - 1 : 0)]
    if (slot === undefined) return
    const answer: FireAnswer =
      surplus > 0
        ? { kind: 'skip', reason: `missed:${surplus}` }
        : await schedule.fire({
            scheduleId: schedule.id,
            slot,
            previous: state.lastFired,
            move: moveOf(schedule.id, version, { ...state, decidedUpTo: slot, lastFired: slot }),
            fence,
          })
    const isDecided = await settle(dependencies, { one, version, state, slot, answer, fence })
    if (!isDecided) races += 1
  }
}

async function settle(
  dependencies: SchedulesDependencies,
  decided: {
    readonly one: Known
    readonly version: number
    readonly state: ScheduleState
    readonly slot: Instant
    readonly answer: FireAnswer
    readonly fence: ScheduleRun['fence']
  },
): Promise<boolean> {
  const { one, version, state, slot, answer, fence } = decided
  if (answer.kind === 'skip') {
    const { id } = one.schedule
    const lastSkip = { from: state.decidedUpTo, to: slot, reason: answer.reason }
    const skipped = await commitMove(
      dependencies,
      moveOf(id, version, { ...state, decidedUpTo: slot, lastSkip }),
      fence,
    )
    if (skipped) dependencies.log.info('schedule.skipped', { scheduleId: id, ...lastSkip })
    if (!skipped) return false
  }
  if (answer.kind === 'lost') return false
  one.decidedUpTo = slot
  return true
}

const moveOf = (id: string, version: number, state: ScheduleState): RegisterMove => ({
  key: schedulePrefix + id,
  version,
  value: { ...state },
})

async function loadState(
  { store, partition }: SchedulesDependencies,
  id: string,
): Promise<{ readonly version: number; readonly state: ScheduleState | null }> {
  const register = await store.load(partition, 'register', { key: schedulePrefix + id })
  if (register === null) return { version: 0, state: null }
  return { version: register.version, state: readState(register.value) }
}

function readState(value: JsonValue): ScheduleState | null {
  if (!isJsonObject(value)) return null
  const { expression, decidedUpTo, lastFired, lastSkip } = value
  if (typeof expression !== 'string' || typeof decidedUpTo !== 'number') return null
  return {
    expression,
    decidedUpTo,
    lastFired: typeof lastFired === 'number' ? lastFired : null,
    lastSkip: isJsonObject(lastSkip) ? lastSkip : null,
  }
}

async function commitMove(
  { store, partition, clock, ids }: SchedulesDependencies,
  { key, version, value }: RegisterMove,
  fence: ScheduleRun['fence'] | null = null,
): Promise<boolean> {
  const checkpoint: Checkpoint = {
    partition,
    opId: opId(`schedule:${ids.next()}`),
    actor: { kind: 'timer', id: null },
    at: clock.now(),
    expect: expecting(fence === null ? [{ key, version }] : [{ key, version }, fence]),
    writes: { ...noWrites, registers: [{ key, value }] },
    events: [],
  }
  const [answer] = await store.commit(partition, [checkpoint])
  return answer?.kind === 'accepted'
}
