/** Words about tasks that people make. */

export const taskWords = {
  title: 'Save as a task',
  lead: 'A step set up like this one, under a name of its own: in the palette at once, for every workflow here. Retries, timeouts and how it is undone stay with each step.',
  name: 'Title',
  kind: 'Kind',
  kindHint: 'What workflows call it. It can’t be changed later without changing them.',
  kindTaken: 'There is a task of this kind. Saving asks before it is replaced.',
  description: 'Description',
  descriptionHint: 'One sentence for the palette and the form.',
  icon: 'Icon',
  category: 'Category',
  open: 'What each step can still be told',
  openHint: 'What isn’t ticked is the same wherever the task is used.',
  notSet: 'not set',
  plainSecret: 'Holds a secret in plain text, which no file may: it stays open, and its value stays here.',
  reads: 'Reads what is around this step: where it is open, it begins empty elsewhere.',
  readsFixed: 'Reads what is around this step, which other workflows don’t have.',
  byFields: 'Ask for what “{title}” gets, field by field',
  preview: 'Its form',
  noFields: 'It has no fields: every step of it does the same.',
  becomes: 'This step becomes one of it',
  becomesEdit: 'Use “{title}”',
  save: 'Save task',
  taken: 'There is a custom task “{kind}” already. Workflows that use it change with it.',
  replace: 'Replace it',
  otherName: 'Choose another name',
  test: 'Test the task',
  passed: 'passed',
  failed: 'failed',
  saved: '“{title}” is a task now.',
  savedHint: 'It is in the palette, and in {path}.',
} as const

/** The parts of a task's contract. */
export const contractParts = {
  mock: 'It has a mock:',
  output: 'The mock is what its output says.',
  compensate: 'Its undo takes what the mock gave:',
} as const
