/** What people read when secrets stand in what they hand over, or are missing from what they were given. */

export const exportWords = {
  title: 'Secrets in this workflow',
  lead: (count: number) =>
    count === 1
      ? 'A secret stands in it in plain text. Whoever gets the file can read it.'
      : `${count} secrets stand in it in plain text. Whoever gets the file can read them.`,
  list: 'What was found',
  workflow: 'Workflow',
  becomes: 'becomes',
  leftOut: 'is left out',
  slots:
    'Only the names are handed over. Where the file is opened, each is matched with a secret of the vault there.',
  here: 'Your workflow stays as it is. To keep a secret out of it for good, open its field and press the key beside it.',
  asItIs: 'Export as it is',
  without: 'Export without secrets',
} as const

export const matchWords = {
  title: 'Match secrets with the vault',
  told: (count: number) =>
    count === 1
      ? 'It names a secret that is not in your vault'
      : `It names ${count} secrets that are not in your vault`,
  choose: 'Match …',
  lead: 'This workflow names secrets that are not in your vault. Choose which of yours take their place, or add them.',
  none: 'Every secret that this workflow names is in your vault.',
  noVault: 'The vault can’t be used now: open the page Secrets to see why.',
  stays: 'Not yet',
  secretFor: (name: string) => `Secret for ${name}`,
  add: 'Add …',
  addFor: (name: string) => `Add ${name} to the vault`,
  use: 'Use these',
  close: 'Close',
} as const
