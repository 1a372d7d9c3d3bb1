/** The words of the page of runs. */

import type { RunBeginning, RunTime } from '../../src-engine/protocol/run-search.ts'

export const runListWords = {
  page: 'Runs',
  loading: 'Looking …',
  empty: 'No runs yet. Press Run to start the first one.',
  none: 'No run fits.',
  noneSoFar: 'None of the runs that were looked at fits. There are older ones.',
  clear: 'Show all runs',
  older: 'Older runs',
  newOne: '1 new run',
  newMany: '{count} new runs',
  text: 'Find runs',
  textHint: 'Id, title, tag, trigger, or a line of a log',
  error: 'Error code',
  errorHint: 'Any error code',
  anyWorkflow: 'Any workflow',
  workflow: 'Of which workflow',
  time: 'When they were created',
  origin: 'How they began',
  states: 'How many runs there are in each state',
  views: 'Saved views',
  all: 'All runs',
  save: 'Save as a view',
  link: 'Copy a link to this view',
  linked: 'Link copied.',
  linkedWithoutText: 'Link copied, without the text that is looked for.',
  viewName: 'Name of the view',
  saveIt: 'Save',
  leaveIt: 'Leave it',
  edit: 'Rename, move or delete this view',
  forward: 'Move to the front',
  back: 'Move to the end',
  remove: 'Delete the view',
  command: 'Runs: {view}',
  mark: 'Mark the run of {title}',
  left: 'Fits the filter no more',
  whole: 'the runs that are shown on this page, and all older ones that fit',
  columns: {
    status: 'Status',
    workflow: 'Workflow',
    began: 'Began by',
    created: 'Created',
    took: 'Took',
    steps: 'Steps',
    error: 'What failed',
  },
} as const

export const timeWords: Readonly<Record<RunTime | 'any', string>> = {
  any: 'Any time',
  hour: 'Last hour',
  today: 'Today',
  week: 'Last 7 days',
  older: 'More than 10 min ago',
}

export const beginningWords: Readonly<Record<RunBeginning | 'any', string>> = {
  any: 'Begun by anything',
  manual: 'By hand',
  trigger: 'Trigger',
  step: 'Another run',
  rerun: 'Rerun',
  retry: 'Retry',
  fork: 'Fork',
}
