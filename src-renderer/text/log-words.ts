/** Words of the page of logs. */

import type { LogLevel, LogSource } from '../../src-engine/protocol/history.ts'
import type { LogTime } from '../state/logs-store.ts'

export const logWords = {
  page: 'Logs',
  lead: 'What steps printed and what happened, over all runs that are kept, newest first.',
  text: 'Find in logs',
  textHint: 'Words, an id, or a line of a log',
  level: 'How urgent',
  source: 'What is looked through',
  time: 'When',
  from: 'From',
  to: 'To',
  run: 'Run',
  runHint: 'Any run',
  step: 'Step',
  stepHint: 'Any step: title or id',
  runner: 'Runner',
  runnerHint: 'Any runner',
  clear: 'Show everything',
  live: 'Live',
  liveHint: 'What comes is put on top; press to have the list stand still',
  pausedHint: 'The list stands still; press to have what comes put on top',
  list: 'Entries of the log. Arrow keys go from one to the next, Enter shows the run at that moment.',
  loading: 'Looking …',
  empty: 'Nothing was logged yet. Run a workflow, and what it does is told here.',
  none: 'Nothing that was logged fits.',
  noneSoFar: 'Nothing fits as far back as {since}.',
  older: 'Look further back',
  since: 'Looked through back to {since}',
  cut: 'Only the newest {count} are kept in sight: look for less to see older ones.',
  pastedRun: 'The text names the run {run}: its entries are shown.',
  pastedStep: 'The text names the step “{step}” of {run}: its entries are shown.',
  pastedRunner: 'The text names {runner}: what it did is shown.',
  aWholeRun: 'the run',
  noRun: 'the engine',
  unnamed: 'a run that is gone',
  event: 'event',
  columns: { when: 'When', where: 'Where', what: 'What' },
} as const

export const levelWords: Readonly<Record<LogLevel, string>> = {
  debug: 'Detail',
  info: 'Information',
  warn: 'Warning',
  error: 'Error',
}

/** The least that is told. */
export const leastWords: Readonly<Record<LogLevel, string>> = {
  debug: 'Every detail',
  info: 'Without details',
  warn: 'Warnings and errors',
  error: 'Errors only',
}

export const sourceWords: Readonly<Record<LogSource, string>> = {
  all: 'Printed and happened',
  lines: 'What steps printed',
  events: 'What happened',
}

export const logTimeWords: Readonly<Record<LogTime, string>> = {
  any: 'At any time',
  quarter: 'Last 15 minutes',
  hour: 'Last hour',
  today: 'Today',
  week: 'Last 7 days',
  range: 'Between …',
}
