/** Words of the timeline. */

import type { Phase } from '../state/phases.ts'

export const timelineWords = {
  legend: 'What the patterns mean',
  fold: 'Fold idle time',
  idle: '{span} in which nothing happened',
  whole: 'Show all of it',
  from: 'Beginning of what is shown',
  to: 'End of what is shown',
  zoomIn: 'Show less, around the playhead',
  zoomOut: 'Show more',
  before: 'Before the run',
  try: 'try {number}',
  more: 'and {count} more',
  stretch: '{status}, {span}',
  overview: 'The whole run',
  rows: 'Steps over time',
  reading: '{percent} % drawn',
} as const

export const phaseWords: Readonly<Record<Exclude<Phase, 'end'>, string>> = {
  queue: 'Queued',
  lease: 'Claimed',
  run: 'Running',
  backoff: 'Backing off',
  wait: 'Waiting',
}
