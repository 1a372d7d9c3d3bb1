/** The step of a place as people call it. */

import type { FollowedRun } from '../../../src-engine/model/following/followed-runs.ts'
import type { ValuePlace } from '../../../src-engine/model/following/value-place.ts'
import { followingWords as words } from '../../text/following-words.ts'

export function stepTitle(run: FollowedRun | undefined, { nodeId, of }: ValuePlace): string {
  if (nodeId === null) return of === 'vars' ? words.variables : words.input
  return run?.graph.nodeById.get(nodeId)?.node.title ?? nodeId
}
