/** Turns of the event loop: what partitions of one store commit in the same one begins together, and shares packets. */

export interface Turn {
  /** Calls at the end of this turn, with everybody else who asked for it. */
  readonly end: (call: () => void) => void
}

export function createTurn(): Turn {
  let calls: (() => void)[] = []
  return {
    end(call) {
      calls.push(call)
      if (calls.length > 1) return
      setImmediate(() => {
        const due = calls
        calls = []
        for (const each of due) each()
      })
    },
  }
}
