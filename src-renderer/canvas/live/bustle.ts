/**
 * Whether so many cards in sight change their state at once that no movement between two states can be followed: it would
 * be over before it is seen, and only keeps the page busy. Colours, shapes and words change at once then, and nothing flows,
 * turns or travels until it is calmer.
 */

import { useEffect, useRef } from 'react'
import { useDesigner } from '../../state/context.ts'
import type { Ambient } from '../../state/services.ts'

/** Changes are counted for so long. */
const spanMs = 1_000
/** More than a person can follow: a change for every other frame. */
const bustleFrom = 30
/** Fewer again than begin it, so that it doesn't come and go. */
const bustleUntil = 12

/** Counts changes, and tells when a bustle begins or is over. */
export function countBustle(tell: (isBustle: boolean) => void) {
  let count = 0
  let isBustle = false
  let isCounting = false
  const become = (next: boolean): void => {
    if (next === isBustle) return
    isBustle = next
    tell(next)
  }
  const note = (after: Ambient['after']): void => {
    count += 1
    if (count >= bustleFrom) become(true)
    if (isCounting) return
    isCounting = true
    after(spanMs, () => endSpan(after))
  }
  const endSpan = (after: Ambient['after']): void => {
    if (count <= bustleUntil) become(false)
    count = 0
    isCounting = isBustle
    if (isCounting) after(spanMs, () => endSpan(after))
  }
  return { note, isOn: () => isBustle }
}

/** Of all cards of the page; the styles hear of it by a mark on the page. */
const cards = countBustle((isOn) => void document.documentElement.toggleAttribute('data-bustle', isOn))

/** Whether there is one now: what moves by itself doesn't begin to. */
export const isBustling = cards.isOn

/** Counts each change of what a card shows; that it comes into view is none. */
export function useCountedChange(shown: string): void {
  const designer = useDesigner()
  const before = useRef(shown)
  useEffect(() => {
    if (before.current === shown) return
    before.current = shown
    cards.note(designer.ambient.after)
  }, [designer, shown])
}
