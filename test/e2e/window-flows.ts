/**
 * Specs of `browser/` that are played in the desktop app's window too: one or two for each thing that the designer
 * does; tests of them that are marked `browserAlone` are not. The others take a server apart, follow addresses or choose
 * files as browsers do (`desktop/` has what the app does instead), or want a keyring that the stand-in hasn't.
 */
export const windowFlows: readonly string[] = [
  // The first five minutes.
  'samples',
  // Drawing and editing.
  'canvas',
  'editing',
  'list',
  'layout',
  'frames',
  'drop',
  'keys',
  'extract',
  'history',
  'disk',
  'custom-tasks',
  'publish',
  'navigation',
  // Data, expressions, debugging.
  'step-data',
  'mapping',
  'debugging',
  'run-on-mocks',
  'presets',
  // A run, live and afterwards.
  'again',
  'bulk',
  'compare',
  'crash',
  'follow-value',
  'ghosts',
  'map-deck',
  'rewind',
  'timeline',
  'aside',
  'why',
  'durability',
  'signal',
  'flow-steps',
  'step-settings',
  'line-end',
  'family',
  'rollback',
  // What is asked of people, and what they steer.
  'inbox',
  'dead-letters',
  'control',
  'pools',
  'trigger-records',
  'trigger-forms',
  'circuit',
  // What leaves, what comes from elsewhere.
  'restricted',
  'export-secrets',
  'code',
  // Tasks of one's own.
  'save-task',
  'code-task',
  'task-versions',
]
