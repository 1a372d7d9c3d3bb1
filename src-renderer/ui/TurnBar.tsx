/** How the turns of a map or loop fare, as one thin bar: a mark for each, or for a few of them. */

import type { Strip } from '../state/turns.ts'
import { marksOf, shortStrip } from '../state/turns.ts'
import styles from './TurnBar.module.css'

/** More marks than this can't be told apart on a card. */
const marksMax = 48

export function TurnBar({ strip }: { readonly strip: Strip }) {
  return (
    <span className={styles['bar']} aria-hidden data-testid="turn-bar">
      {marksOf(shortStrip(strip, marksMax)).map((mark, index) => (
        // Its place is its identity.
        <i key={index} data-mark={mark} />
      ))}
    </span>
  )
}
