/**
 * What of a lane is drawn: the stretches that lie in the shown part, and of those that would lie on one spot the last. A
 * step in a loop has tens of thousands of them, and a page has room for some hundreds. Pure.
 */

import type { Instant } from '../../../src-engine/model/time.ts'
import type { Stretch } from '../../state/timeline-rows.ts'
import type { TimeView } from './time-scale.ts'
import { within } from './window.ts'

/** A stretch and where it lies in the shown part, from 0 to 1. */
export interface DrawnStretch {
  readonly stretch: Stretch
  readonly from: number
  readonly to: number
}

/** As a share of what is shown. A stretch is never drawn narrower: the next one would cover it but for this. */
const spot = 0.001
/** So many are drawn however close they lie: each can be pointed at. */
const fewMax = 400

export function drawnStretches(
  stretches: readonly Stretch[],
  { scale, shown }: TimeView,
  end: Instant,
): readonly DrawnStretch[] {
  const drawn: DrawnStretch[] = []
  const first = firstFrom(stretches, scale.instantAt(shown.from))
  const last = scale.instantAt(shown.to)
  const isCrowded = (stretches[first + fewMax]?.from ?? Number.POSITIVE_INFINITY) <= last
  for (let index = first; index < stretches.length; index += 1) {
    const stretch = stretches[index]
    if (stretch === undefined || stretch.from > last) break
    const from = within(shown, scale.shareOf(stretch.from))
    const to = within(shown, scale.shareOf(stretch.to ?? end))
    if (to < 0 || from > 1) continue
    const before = drawn.at(-1)
    const isCovering = isCrowded && before !== undefined && to - before.from < spot
    if (isCovering) drawn[drawn.length - 1] = { stretch, from: before.from, to }
    else drawn.push({ stretch, from, to })
  }
  return drawn
}

/** The first stretch that isn't over by then: they follow each other. */
function firstFrom(stretches: readonly Stretch[], instant: Instant): number {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const to = stretches[middle]?.to ?? null
    if (to !== null && to < instant) low = middle + 1
    else high = middle
  }
  return low
}
