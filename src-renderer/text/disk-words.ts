/** What is said when another program writes to an open file. */

export const diskWords = {
  taken: 'Another program changed the file of “{title}”.',
  oneTaken: 'Its change was taken over.',
  manyTaken: 'Its {count} changes were taken over.',
  undo: 'Undo',
  fileStep: 'Take the file',
  mineStep: 'My changes on the file',
  one: 'Another program changed the file, in one place that you changed too.',
  many: 'Another program changed the file, in {count} places that you changed too.',
  look: 'Look and choose',
  title: '“{title}” was changed here and in its file',
  lead: 'All other changes of both are kept. Nothing is written to the file before you save.',
  mine: 'Yours',
  theirs: 'The file’s',
  gone: 'taken away',
  allMine: 'All of mine',
  allTheirs: 'All of the file’s',
  apply: 'Merge',
  saveAs: 'Save mine elsewhere …',
  whole: 'the whole step',
  parts: {
    nodes: 'Step',
    edges: 'Edge',
    notes: 'Note',
    frames: 'Frame',
    triggers: 'Trigger',
    sagas: 'Group',
  } as Readonly<Record<string, string>>,
  document: 'Workflow',
} as const

/** Where edits can't be kept: a full disk, a folder that may not be written. */
export const drafts = {
  notKept: 'What you draw isn’t kept: it is in this window only.',
  keptAgain: 'What you draw is kept again.',
} as const
