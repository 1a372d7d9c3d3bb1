/** Words about what a step gives: what of it is kept, and what follows from it. */

export const reusedResult = {
  title: 'From an earlier run',
  when: 'It gave this {when}; nothing ran now.',
  open: 'Open that run',
} as const

/** What the settings come to. */
export const cacheSummary = {
  always: 'always runs',
  upTo: 'up to {span} old',
  by: 'up to {span} old, by {key}',
} as const

/** Why a run ended after a step. */
export const stoppedAfter = {
  /** Above the canvas. */
  banner: 'The run ended after “{title}”, because this is true: {condition}',
  show: 'Show the step',
  never: 'never',
  after: 'the run ends if {condition}',
  as: { succeeded: '', failed: ', as failed', cancelled: ', as cancelled' },
} as const

/** What is taken out of the output. */
export const redaction = {
  nothing: 'all of it is kept',
  one: 'without {path}',
  some: 'without {count} places',
} as const

/** What of the output stays once the run is over. */
export const keeping = {
  summary: 'its shape stays after the run',
  none: 'nothing stays after the run',
} as const

/** In the place of a value that has gone. */
export const notKept = {
  why: 'Not kept: the settings of the step say that it goes when the run is over.',
  shape: 'Its shape stays:',
  until: 'Here until the run is over.',
} as const

/** Items of a map that were done before the run went on. */
export const takenItems = { title: 'Kept items', count: '{count}, as they were done before' } as const

/** A schema of what a step gave. */
export const learning = {
  label: 'Learn from the run',
  hint: 'Writes a schema that everything fits which the step gave in the run that is shown.',
} as const
