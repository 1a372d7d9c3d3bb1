/** What of a card is shown at which zoom. */

import { expect, test } from 'vitest'
import { zoomLevelAt, zoomLevelOf } from '../../src-renderer/canvas/zoom-level.ts'

test.for([
  [0.1, 'speck'],
  [0.199, 'speck'],
  [0.2, 'farthest'],
  [0.369, 'farthest'],
  [0.37, 'far'],
  [0.499, 'far'],
  [0.5, 'mid'],
  [0.799, 'mid'],
  [0.8, 'near'],
  [2, 'near'],
] as const)('at a zoom of %s a card is seen from %s', ([zoom, level]) => {
  expect(zoomLevelAt(zoom)).toBe(level)
})

test.for([
  [0.7, 'near', 'near'],
  [0.5, 'near', 'near'],
  [0.9, 'mid', 'mid'],
  // Where words or instruments would be in each other's way they go at once.
  [0.49, 'near', 'far'],
  [0.49, 'mid', 'far'],
  [0.6, 'far', 'mid'],
  [0.3, 'far', 'farthest'],
  [0.7, null, 'mid'],
  [0.9, null, 'near'],
] as const)('at a zoom of %s, moved as %s, a card is shown as from %s', ([zoom, moved, level]) => {
  expect(zoomLevelOf(zoom, moved)).toBe(level)
})
