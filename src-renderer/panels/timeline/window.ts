/** Which part of the timeline is shown, as shares of its scale. Pure. */

export interface Window {
  readonly from: number
  readonly to: number
}

export const wholeWindow: Window = { from: 0, to: 1 }

/** Less of it can't be told apart. */
const least = 0.002

/** More or less of it, with `at` where it was; in the middle where it wasn't shown. */
export function zoomed({ from, to }: Window, at: number, factor: number): Window {
  const width = to - from
  const next = Math.min(1, Math.max(least, width * factor))
  if (next >= 1) return wholeWindow
  const isShown = at >= from && at <= to
  const begin = isShown ? at - ((at - from) / width) * next : at - next / 2
  return moved({ from: begin, to: begin + next })
}

/** Within what there is, as wide as it was. */
export function moved({ from, to }: Window): Window {
  const begin = Math.min(Math.max(0, from), Math.max(0, 1 - (to - from)))
  return { from: begin, to: Math.min(1, begin + to - from) }
}

/** One end somewhere else; the ends keep their order and a distance. */
export function withEnd({ from, to }: Window, end: 'from' | 'to', share: number): Window {
  const next =
    end === 'from'
      ? { from: Math.max(0, Math.min(share, to - least)), to }
      : { from, to: Math.min(1, Math.max(share, from + least)) }
  return next.from === 0 && next.to === 1 ? wholeWindow : next
}

/** Where a share of the whole lies in what is shown; outside of 0 to 1 where it isn't. */
export const within = ({ from, to }: Window, share: number): number => (share - from) / (to - from)
