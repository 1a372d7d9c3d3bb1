/** What comes in a stream is handed on at once when it was quiet before, and else gathered for a while. */

/** Whoever takes things is left in peace for a while afterwards: so many milliseconds for a portion of that size. */
export function inPortions<T>(options: {
  readonly restMs: (count: number) => number
  readonly after: (ms: number, call: () => void) => () => void
  readonly take: (things: readonly T[]) => void
}): { readonly add: (things: readonly T[]) => void; readonly stop: () => void } {
  const { restMs, after, take } = options
  let gathered: T[] = []
  let cancel: (() => void) | null = null
  const rest = (count: number): void => {
    cancel = after(restMs(count), () => {
      cancel = null
      if (gathered.length === 0) return
      const portion = gathered
      gathered = []
      take(portion)
      rest(portion.length)
    })
  }
  return {
    add: (things) => {
      if (cancel !== null) {
        for (const thing of things) gathered.push(thing)
        return
      }
      take(things)
      rest(things.length)
    },
    stop: () => {
      cancel?.()
      cancel = null
      gathered = []
    },
  }
}
