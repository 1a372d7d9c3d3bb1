/** What people read about two runs side by side. */

export const comparisonWords = {
  title: '{title}: two runs side by side',
  command: 'Compare with another run …',
  mark: 'Compare',
  asking: 'Comparing …',
  canvas: 'What the two runs did',
  after: 'Run B',
  beforeName: 'run A',
  afterName: 'run B',
  which: 'Run A is',
  swap: 'Swap the two runs',
  part: 'Where they part',
  same: 'No difference',
  steps: 'Steps',
  onlyDifferences: 'Only differences',
  count: '{count} of {total} steps differ',
  none: 'This workflow has no other run yet. Run it again, and lay the two side by side.',
  noneLeft: 'Each step did the same in both runs.',
  input: 'Called with',
  output: 'Output',
  state: 'State',
  ways: 'Way out',
  attempts: 'Attempts',
  error: 'Error',
  undo: 'Undone',
  unread: 'Some values couldn’t be read and weren’t compared.',
  more: '… and more',
  close: 'Close',
  absent: 'nothing',
} as const

/** What a mark on a card says. */
export const comparisonMarks = {
  parts: 'They part here',
  changed: 'Differs',
  added: 'Run B only',
  removed: 'Run A only',
} as const
