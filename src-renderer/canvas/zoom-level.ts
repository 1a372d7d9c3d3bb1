/** What of a card can be seen from how far away. Pure. */

/**
 * `near` is all of it; `mid` the same with larger words, `far` title and state without reasons, gauges and
 * instruments; `farthest` the title, and the state as a colour with a pattern and a shape of its own; `speck` an icon on
 * a colour, for no letter of a card can be read from there: only frames keep their words, which grow.
 */
export type ZoomLevel = 'near' | 'mid' | 'far' | 'farthest' | 'speck'

/** Below these the level before them can't be read. */
const limits: readonly (readonly [below: number, level: ZoomLevel])[] = [
  [0.2, 'speck'],
  [0.37, 'farthest'],
  [0.5, 'far'],
  [0.8, 'mid'],
]

/** The level at a zoom of the canvas; 1 is life size. */
export const zoomLevelAt = (zoom: number): ZoomLevel => limits.find(([below]) => zoom < below)?.[1] ?? 'near'

/**
 * The level that is shown, where `moved` is the one that was shown while a hand still moves the canvas, or null at rest. Words of
 * half the size grow once the hand is still: every card would be laid out anew, in one frame, each time a hand goes by that size.
 */
export function zoomLevelOf(zoom: number, moved: ZoomLevel | null): ZoomLevel {
  const level = zoomLevelAt(zoom)
  return moved !== null && hasAllWords(moved) && hasAllWords(level) ? moved : level
}

const hasAllWords = (level: ZoomLevel): boolean => level === 'near' || level === 'mid'
