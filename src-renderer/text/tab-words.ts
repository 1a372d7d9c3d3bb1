/** What the tabs of documents say. */

export const tabWords = {
  label: 'Open workflows',
  close: 'Close {title}',
  edited: 'edited',
  untitled: 'Untitled',
  add: 'New workflow',
  unsaved: 'not saved to a file yet',
  kept: '“{title}” was closed with changes that are not saved.',
  keptHint: 'They are kept as a draft.',
  reopen: 'Reopen',
} as const
