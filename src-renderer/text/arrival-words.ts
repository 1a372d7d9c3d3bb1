/** What people read when they take in a workflow whose id is known here. */

export const arrivalWords = {
  title: 'This workflow is here already',
  saved: '“{title}” in {path} has the same id.',
  unsaved: '“{title}” has the same id.',
  copy: 'As a copy it gets an id of its own: it has nothing to do with the one that is here.',
  same: 'As the same workflow it takes that one’s place once it is published: its triggers start what you see then, and the steps that call it do, too.',
  takeCopy: 'Open as a copy',
  takeSame: 'Open as the same workflow',
  copied: '{title} (copy)',
} as const
