/** What people read about clusters. */

import { safetyText } from '../../src-engine/model/failover-safety.ts'
import type { ClusterCheck, ClusterColour } from '../../src-engine/protocol/clusters.ts'
import { sealStateWords } from './seal-words.ts'

export const colourWords: Readonly<Record<ClusterColour, string>> = {
  blue: 'Blue',
  green: 'Green',
  amber: 'Amber',
  red: 'Red',
  violet: 'Violet',
  grey: 'Grey',
}

export const clusterWords = {
  lead: 'Redis Clusters with runners of their own. Look at one as at this computer: runs, runners, pools, letters.',
  none: 'No cluster yet. Add one to see its runs here, and to start runs that its runners do.',
  name: 'Letters, digits, and . _ -',
  address:
    'redis://host:6379 or rediss://user@host:6379/workspace. The password belongs into the vault: ?password=SECRET_NAME',
  readOnly: 'Look only',
  readOnlyHint: 'Nothing can be started, changed or stopped through it.',
  local: 'This computer',
  back: 'Back to this computer',
  lost: 'It doesn’t answer.',
  removeHint: 'Only the name is forgotten. Nothing on the cluster is touched.',
  fast: 'Fast',
  waiting: 'A replica is missing',
} as const

/** What a check found, in a sentence. */
export function checkWords(check: ClusterCheck): string {
  if (check.kind === 'failed') return `${check.error.message} ${check.error.hint}`
  const runners = check.runners === 1 ? 'One runner works' : `${check.runners} runners work`
  const who = check.runners === 0 ? 'No runner works' : runners
  const isPlain = check.sealing.key === null && check.sealing.problem === null
  const more = [
    check.safety === null ? '' : safetyText(check.safety),
    isPlain ? '' : sealStateWords(check.sealing),
  ]
  return ['It answers.', `${who} there now.`, ...more].filter((text) => text !== '').join(' ')
}
