/** Words about results of earlier runs that stand for running a step. */

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
