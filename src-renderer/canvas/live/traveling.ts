/** How many beads travel over the canvas at once: more would be a swarm that nobody can read. */

import { isBustling } from './bustle.ts'

/** Beyond it, ink alone tells. */
const beadsMax = 40

let traveling = 0

/** Gives back the place when it is called, once; null when there is none, or where so much changes that none is followed. */
export function takeBead(): (() => void) | null {
  if (traveling >= beadsMax || isBustling()) return null
  traveling += 1
  let isHeld = true
  return () => {
    if (isHeld) traveling -= 1
    isHeld = false
  }
}
