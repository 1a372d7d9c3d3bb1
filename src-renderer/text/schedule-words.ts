/** What the designer says about a month of schedules. */

export const schedules = {
  page: 'Schedules',
  lead: 'What starts on each day, before it has come.',
  none: 'No schedule is on. The triggers of a workflow act once it is published.',
  earlier: 'The month before',
  later: 'The month after',
  month: 'The month {month}',
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  months: [
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
    ...['August', 'September', 'October', 'November', 'December'],
  ],
  start: '1 start',
  starts: '{count} starts',
  atOnce: '{count} at once',
  waits: '{count} wait, up to {span}',
  skipped: '{count} skipped: the run before goes on',
  forward: 'clocks go forward',
  back: 'clocks go back',
  moved: 'moved: {names}',
  missing: 'not this month: {names}',
  columns: { schedule: 'Schedule', words: 'When', starts: 'Starts', takes: 'Takes' },
  unknown: 'not known yet',
  counted: 'Comes too often to look at each slot: waits and peaks don’t know of it.',
} as const
