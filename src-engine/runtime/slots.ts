/** How much work this runner does at once, and how much of that is taken. */

export interface Slots {
  readonly total: number
  readonly free: () => number
  /** Takes `count` slots; the caller has made sure that they are free, or has one of its own. */
  readonly take: (count: number) => void
  readonly give: (count: number) => void
  /** Gives back what was taken on suspicion and not used: no news for anybody who waits for a slot. */
  readonly putBack: (count: number) => void
  /** Calls whenever slots became free. */
  readonly onFree: (call: () => void) => void
  /** Resolves when every slot is free. */
  readonly allFree: () => Promise<void>
}

export function createSlots(total: number): Slots {
  let taken = 0
  let listener: () => void = () => {}
  const waiting: (() => void)[] = []
  const release = (count: number): void => {
    taken -= count
    if (taken === 0) for (const resolve of waiting.splice(0)) resolve()
  }
  return {
    total,
    free: () => Math.max(0, total - taken),
    take: (count) => {
      taken += count
    },
    give: (count) => {
      if (count === 0) return
      release(count)
      listener()
    },
    putBack: release,
    onFree: (call) => {
      listener = call
    },
    allFree: () => (taken === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
