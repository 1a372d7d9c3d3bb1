/** The colour of a state, for the part of a card that is drawn in it: the card itself hands none down. */

import type { CSSProperties } from 'react'
import type { Tone } from '../status/status-style.ts'

/** One object for each tone, so that what is drawn again in the same one writes no style. */
const known = new Map<Tone, CSSProperties>()

/** What `var(--tone)` means from here on. */
export function inTone(tone: Tone): CSSProperties {
  const style = known.get(tone) ?? ({ '--tone': `var(--tone-${tone})` } as CSSProperties)
  known.set(tone, style)
  return style
}
