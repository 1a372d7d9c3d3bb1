/** Ticking clocks, one timer for all who look at them; they stand still when nobody does. */

import { useSyncExternalStore } from 'react'
import { createClock } from './clock.ts'
import { goingWords, spanWords } from './time-words.ts'

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

/** How long a run took, or has taken until now; empty for one that has not begun. */
export function useRunTime(
  run: { readonly startedAt: number | null; readonly finishedAt: number | null } | null,
): string {
  const { startedAt = null, finishedAt = null } = run ?? {}
  return useClockWords(startedAt !== null && finishedAt === null, (now) => {
    if (startedAt === null) return ''
    return finishedAt === null ? goingWords(startedAt, now) : spanWords(Math.max(0, finishedAt - startedAt))
  })
}

/** The time now to a second: for what counts down. */
export function useSecondClock(): number {
  return useSyncExternalStore(steady.subscribe, steady.read)
}

/** The time now to a quarter of a minute: for "5 min ago". */
export function useSlowClock(): number {
  return useSyncExternalStore(slow.subscribe, slow.read)
}
