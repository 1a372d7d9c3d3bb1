/** What the canvas says about itself: keys, menus, finding, frames, layout. */

export const keys = {
  title: 'Keyboard shortcuts',
  search: 'Find a command or a key',
  letters: 'Single letters',
  lettersHint: 'Keys like A or ? without Ctrl. They count while the canvas has the keyboard.',
  press: 'Press keys …',
  pressHint: 'Escape stops.',
  none: 'No keys',
  change: 'Change the keys of {command}',
  taken: '{keys} belongs to “{rival}”.',
  give: 'Take it',
  keep: 'Leave it',
  usual: 'Back to usual',
  usualOf: 'Usual keys of {command}',
  remove: 'Without keys',
  removeOf: 'Take the keys of {command} away',
  changed: 'Changed',
  allUsual: 'All as usual',
  nothing: 'No command fits that.',
  notPossible: 'That key has a fixed meaning. Try another.',
  onCanvas: 'Always on the canvas',
} as const

/** What each menu of the canvas is about. */
export const menuTitle = {
  canvas: 'Canvas',
  node: 'Node',
  nodes: 'Selected nodes',
  edge: 'Edge',
  note: 'Note',
  scope: 'Group',
  frame: 'Frame',
} as const

export const finding = {
  title: 'Find on the canvas',
  placeholder: 'Title, id, value, note …',
  count: '{at} of {of}',
  none: 'Nothing',
  next: 'Next hit',
  previous: 'Previous hit',
  close: 'Close',
} as const

export const lasso = {
  hint: 'Draw around what you want to select. Escape stops.',
} as const

export const frames = {
  title: 'Frame',
  untitled: 'Frame',
  lead: 'What is drawn together. It changes nothing about a run.',
  name: 'Title of the frame',
  color: 'Colour',
  colors: { grey: 'Grey', blue: 'Blue', green: 'Green', amber: 'Amber', red: 'Red', violet: 'Violet' },
  open: 'Open {title}',
  collapse: 'Collapse {title}',
  one: '1 step',
  count: '{count} steps',
  progress: '{done} of {count} steps done',
  members: 'In it',
  added: 'Framed {count}.',
} as const

export const arrange = {
  title: 'Arrange',
  frame: 'Frame them',
  extract: 'Make a sub-workflow',
} as const

export const notes = {
  title: 'Note',
  text: 'Text',
  hint: 'Markdown: # headings, - lists, **bold**, *italic*, `code`.',
  empty: 'Double click to write',
  color: 'Colour of the note',
} as const

export const edges = {
  label: 'Label',
  hint: 'Stands on the line. It changes nothing about a run.',
  guard: 'Taken when',
  otherwise: 'otherwise',
  addGuard: 'Take it only when …',
} as const

export const list = {
  title: 'Steps of the workflow',
  none: 'Nothing is on the canvas yet.',
  leadsTo: 'leads to {after}',
  last: 'leads nowhere',
  off: 'off',
  bypassed: 'bypassed',
  problem: 'has a problem',
  rename: 'Title of the step',
} as const

export const layout = {
  label: 'Tidy layout',
  busy: 'Laying out {count} cards …',
  cancel: 'Stop',
  cancelHint: 'Stop laying out (Esc)',
  cancelled: 'The layout was stopped. Everything is where it was.',
  done: '{count} cards laid out.',
  stayed: '{count} that you placed stay where they are.',
  stayedOne: 'The one that you placed stays where it is.',
  allHeld: 'You placed everything here by hand, so it stays.',
  allHeldHint: 'Select some cards to tidy only those.',
  all: 'Lay out all',
  changed: 'The workflow changed while it was laid out.',
  changedHint: 'Everything is where you left it.',
  again: 'Lay out again',
  failed: 'The layout could not be computed.',
  failedHint: 'Everything is where it was. Select some cards to tidy only those.',
  slow: 'The layout took longer than {seconds} seconds and was stopped.',
} as const

export const far = {
  map: 'Map of the workflow',
  label: 'The whole workflow from far away: {count} steps. The list of steps has them one by one.',
} as const
