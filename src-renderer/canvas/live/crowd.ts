/**
 * Whether so many steps are at work in sight that nothing turns any more: a turning ring is painted anew for each frame,
 * and among dozens that turn nobody sees one. Colour, ring and words tell the same without it.
 */

const crowdFrom = 25
/** Fewer again than begin it, so that it doesn't come and go with each step. */
const crowdUntil = 15

let turning = 0
let isCrowd = false

/** One more turns, until what is given is called; `tell` hears when a crowd begins or is over. */
export function beginTurning(tell: (isCrowd: boolean) => void = markPage): () => void {
  count(1, tell)
  let isHeld = true
  return () => {
    if (isHeld) count(-1, tell)
    isHeld = false
  }
}

function count(by: 1 | -1, tell: (isCrowd: boolean) => void): void {
  turning += by
  const next = isCrowd ? turning > crowdUntil : turning >= crowdFrom
  if (next === isCrowd) return
  isCrowd = next
  tell(next)
}

/** For the styles of whatever turns. */
function markPage(isOn: boolean): void {
  document.documentElement.toggleAttribute('data-crowd', isOn)
}
