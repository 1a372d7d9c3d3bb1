/** Words of where a value comes from and who reads it. */

import type { Hop } from '../../src-engine/model/following/follow-value.ts'
import { originWords } from '../../src-engine/model/following/origin-words.ts'

export const followingWords = {
  tab: 'Value',
  follow: 'Follow this value',
  command: 'Follow what the selected step gave',
  none: 'Follow a value to see where it comes from and who reads it: choose “Follow this value” beside any value of a run, or press Shift+Enter on it.',
  back: 'Back to the value before',
  loading: 'Following …',
  origin: 'Where it comes from',
  readers: 'Who reads it',
  noReaders: 'No setting of a step that ran reads it.',
  isCut: 'There is more than this, which isn’t followed.',
  above: 'see above',
  unknown: 'not known here',
  onwards: 'Follow from here',
  look: 'Show the step',
  input: 'Input of the run',
  variables: 'Variables',
  otherRun: 'in {run}',
  turn: 'at {turn}',
  by: 'by {expression}',
} as const

/** What a card on the way of the value says. */
export const followedRoleWords = {
  here: 'the value',
  before: 'on its way',
  begin: 'begins here',
  reader: 'reads it',
} as const

export const hopWords: Readonly<Record<Hop['how'], string>> = {
  copied: 'taken over',
  made: 'made of what follows',
  ...originWords,
}
