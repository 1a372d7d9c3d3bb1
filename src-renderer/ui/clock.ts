/** A clock with one timer for all who look at it. It stands still when nobody does, and while it is held. Pure. */

interface ClockParts {
  readonly now: () => number
  /** Calls once in each `tickMs`; gives the way to end it. */
  readonly everyTick: (call: () => void) => () => void
}

export function createClock({ now: read, everyTick }: ClockParts) {
  const listeners = new Set<() => void>()
  let stop: (() => void) | null = null
  let isHeld = false
  let now = read()
  const tick = (): void => {
    if (isHeld) return
    now = read()
    for (const call of listeners) call()
  }
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    if (stop === null) {
      if (!isHeld) now = read()
      stop = everyTick(tick)
    }
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      stop?.()
      stop = null
    }
  }
  const hold = (isToBe: boolean): void => {
    // It was perhaps not looked at: what is held is the moment since when it is.
    if (isToBe && !isHeld) now = read()
    isHeld = isToBe
    tick()
  }
  return { subscribe, read: () => now, hold }
}
