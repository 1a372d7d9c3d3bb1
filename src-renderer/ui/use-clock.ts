/** One ticking clock for everything that counts seconds; it stands still when nobody looks. */

import { useSyncExternalStore } from 'react'

const tickMs = 100
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null
let now = Date.now()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const call of listeners) call()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

const idle = (): (() => void) => () => undefined

/** The time now, kept up to date while `isTicking`. */
export function useClock(isTicking: boolean): number {
  return useSyncExternalStore(isTicking ? subscribe : idle, () => now)
}
