/** Words of the last runs of a workflow as a picture. */

export const ghostWords = {
  command: 'Show or hide what the last runs did',
  title: 'The last {runs} runs',
  titleOne: 'The last run',
  since: 'since {time}',
  usual: 'usually {span}',
  went: '{count} succeeded',
  other: '{count} did not',
  none: 'No run of this workflow has ended yet. What they do will be drawn here: how often, how long, where they fail.',
  loading: 'Reading the last runs …',
  close: 'Hide the last runs',
  reached: 'in {runs} of {all} runs',
  never: 'not once',
  failed: 'failed in {runs}',
  retried: 'tried again in {runs}',
  took: 'half of the time within {median}, 95 of 100 within {p95}',
  lastFailure: 'Show the last failure ({code})',
  way: 'gone in {runs} of {all} runs',
} as const
