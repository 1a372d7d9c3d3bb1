/** What of a card can be seen from how far away. Pure. */

/**
 * `near` is all of it; `mid` the same with larger words, `far` title and state without reasons, gauges and
 * instruments; `farthest` the title, and the state as a colour with a pattern and a shape of its own; `speck` an icon on
 * a colour, for no letter of a card can be read from there: only frames keep their words, which grow.
 */
type ZoomLevel = 'near' | 'mid' | 'far' | 'farthest' | 'speck'

/** Below these the level before them can't be read. */
const limits: readonly (readonly [below: number, level: ZoomLevel])[] = [
  [0.24, 'speck'],
  [0.37, 'farthest'],
  [0.5, 'far'],
  [0.8, 'mid'],
]

/** The level at a zoom of the canvas; 1 is life size. */
export const zoomLevelAt = (zoom: number): ZoomLevel => limits.find(([below]) => zoom < below)?.[1] ?? 'near'
