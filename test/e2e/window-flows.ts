/**
 * Specs of `browser/` that are played in the desktop app's window too: one or two for each thing that the designer
 * does. The others take a server apart, want a keyring that the stand-in hasn't, or are the same page in both shells.
 */
export const windowFlows: readonly string[] = [
  // Drawing and editing.
  'canvas',
  'frames',
  'keys',
  'extract',
  'tabs',
  'history',
  'disk',
  'custom-tasks',
  'publish',
  // Data, expressions, debugging.
  'step-data',
  'debugging',
  'run-on-mocks',
  'tests',
  'restricted',
  // A run, live and afterwards.
  'again',
  'bulk',
  'compare',
  'crash',
  'follow-value',
  'ghosts',
  'map-deck',
  'rewind',
  'runs-page',
  'timeline',
  'why',
]
