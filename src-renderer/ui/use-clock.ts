/** Ticking clocks, one timer for all who look at them; they stand still when nobody does. */

import { useSyncExternalStore } from 'react'
import type { RunTimes } from '../../src-engine/model/run-time.ts'
import { createClock } from './clock.ts'
import { isNow, runTime, shownAt } from './time-words.ts'

const ticking = (tickMs: number) =>
  createClock({
    now: () => Date.now(),
    everyTick: (call) => {
      const timer = setInterval(call, tickMs)
      return () => clearInterval(timer)
    },
  })

const fast = ticking(100)
const steady = ticking(1_000)
const slow = ticking(15_000)

/** What counts how long something takes stands still while nobody knows whether it goes on. */
export function holdClocks(isHeld: boolean): void {
  for (const clock of [fast, steady]) clock.hold(isHeld)
}

const idle = (): (() => void) => () => undefined

/** The time now, kept up to date while `isTicking`: for what counts seconds. */
export function useClock(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? fast.subscribe : idle, fast.read)
}

/** What is said of the time while `isTicking`: who says it is drawn again only when the words are others. */
export function useClockWords(isTicking: boolean, wordsAt: (now: number) => string): string {
  return useSyncExternalStore(isTicking ? fast.subscribe : idle, () => wordsAt(fast.read()))
}

/** How long a run took, or has taken until now, or until the moment that is looked at; empty for one that has not begun. */
export function useRunTime(run: RunTimes | null, until = Number.POSITIVE_INFINITY): string {
  const isGoing = run !== null && run.startedAt !== null && run.finishedAt === null
  return useClockWords(isGoing && isNow(until), (now) =>
    run === null ? '' : runTime(run, shownAt(now, until)),
  )
}

/** The time now to a second: for what counts down. */
export function useSecondClock(): number {
  return useSyncExternalStore(steady.subscribe, steady.read)
}

/** The time now to a quarter of a minute: for "5 min ago". */
export function useSlowClock(): number {
  return useSyncExternalStore(slow.subscribe, slow.read)
}
