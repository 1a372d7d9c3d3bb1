/** What of a card is shown at which zoom. */

import { expect, test } from 'vitest'
import { zoomLevelAt } from '../../src-renderer/canvas/zoom-level.ts'

test.for([
  [0.1, 'speck'],
  [0.239, 'speck'],
  [0.24, 'farthest'],
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
