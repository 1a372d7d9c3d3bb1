/** How much work this runner does at once, and how much of that is taken. */

export interface Slots {
  readonly total: number
  readonly free: () => number
  /** Takes `count` slots; the caller has made sure that they are free. */
  readonly take: (count: number) => void
  readonly give: (count: number) => void
  /** Calls whenever slots became free. */
  readonly onFree: (call: () => void) => void
}

export function createSlots(total: number): Slots {
  let taken = 0
  let listener: () => void = () => {}
  return {
    total,
    free: () => total - taken,
    take: (count) => {
      taken += count
    },
    give: (count) => {
      if (count === 0) return
      taken -= count
      listener()
    },
    onFree: (call) => {
      listener = call
    },
  }
}
