/** What people read about steps and runs that aren’t going on. */

/** Why a step or a run isn’t going on. */
export const waits = {
  held: 'until somebody resumes it',
  pauseAsked: 'Pausing: it stands still as soon as its runner can stop it.',
  runPauseAsked: 'Pausing: steps that are under way end or stand still first. Nothing new begins.',
  runPaused: 'The run is paused. Nothing begins until it is resumed.',
  signal: 'Waits for the signal “{name}”.',
  signalFor: 'Waits for the signal “{name}” for {correlation}.',
  signals: 'Waits for {count} signals “{name}”.',
  call: 'Waits for a web call.',
  calls: 'Waits for {count} web calls.',
  items: 'Its {count} items are under way.',
  turn: 'Turn {turn} is under way.',
  beforeTurn: 'Waits before turn {turn}.',
  join: 'Waits for its other branches.',
  leftTurn: 'Turn {turn} was left; what is under way in it ends first.',
  run: 'Waits for the end of another run.',
  reuse: 'The same work is under way already; its result is used here too.',
  approval: 'Waits until somebody has decided.',
  rollback: 'Is there to undo its step, should the run be undone.',
  permit: 'There is no room: {key} is used up for now.',
} as const

/** Of a run that hasn't begun. */
export const runLine = {
  waits: 'Waits for its turn.',
  place: 'Number {position} of {count} in line.',
  oneRun: 'Not more than 1 run',
  runs: 'Not more than {limit} runs',
  workflow: '{runs} of this workflow at a time (“Runs at a time”).',
  perKey: '{runs} at a time for the same “{per}” (“Runs at a time”).',
  tenant: '{runs} of its tenant at a time.',
  rate: 'As many runs have started as may in this time. It begins at {time} at the latest.',
  show: 'Show the run before it',
} as const
