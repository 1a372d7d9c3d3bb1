/** What publishing on this computer says, and what it means for runs in flight. */

export const publishWords = {
  title: 'Publish “{title}” on this computer',
  flight: 'Runs in flight',
  none: 'No run of it is in flight.',
  allUnaffected: '{count} in flight: none comes to a step that changes.',
  oneUnaffected: 'One in flight: it comes to no step that changes.',
  some: '{count} in flight: {unaffected} unaffected, {touched} still to come to steps that change.',
  oneTouched: 'One in flight: it is still to come to steps that change.',
  stay: 'Each ends as it began. Only runs that start from now on have the new version.',
  more: 'more than {count}',
  run: 'Run {id}',
  changed: '{title} as it was',
  removed: '{title}, which goes',
  open: 'Show this run',
  cancel: 'Cancel',
  publish: 'Publish',
} as const
