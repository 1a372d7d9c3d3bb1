/** Long work in short slices: between them the page draws and answers. */

import type { Ambient } from './services.ts'

/** With what else a frame needs, half of one at 60 a second. */
const sliceMsUsual = 8

/**
 * Takes step after step until there are none, and leaves the page to itself when a slice is over; the first slice is
 * worked at once. Returns the way to give it up.
 */
export function inSlices<Step, Result>(
  ambient: Pick<Ambient, 'now' | 'after'>,
  work: {
    /** Longer than usual for what people wait for; half of a frame when absent. */
    readonly sliceMs?: number
    readonly steps: Iterator<Step, Result>
    readonly take?: (step: Step) => void
    readonly done: (result: Result) => void
  },
): () => void {
  const { sliceMs = sliceMsUsual } = work
  let cancel = (): void => undefined
  const slice = (): void => {
    const until = ambient.now() + sliceMs
    for (;;) {
      const next = work.steps.next()
      if (next.done === true) return work.done(next.value)
      work.take?.(next.value)
      if (ambient.now() >= until) break
    }
    cancel = ambient.after(0, slice)
  }
  slice()
  return () => cancel()
}
