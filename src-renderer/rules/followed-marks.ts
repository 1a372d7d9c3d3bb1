/** What each card has to do with a followed value. Pure. */

import type { FollowedValue } from '../../src-engine/model/following/follow-value.ts'
import type { RunId } from '../../src-engine/model/ids.ts'

/** `here`: the value; `begin`: where it began; `before`: between the two; `reader`: a setting of it reads it. */
export type FollowedRole = 'here' | 'begin' | 'before' | 'reader'

/** By run, by node. */
export type FollowedMarks = ReadonlyMap<RunId, ReadonlyMap<string, FollowedRole>>

/** What says more comes last, and stays. */
const order: readonly FollowedRole[] = ['reader', 'before', 'begin', 'here']

export function followedMarks({ hops, readers }: FollowedValue): FollowedMarks {
  const marks = new Map<RunId, Map<string, FollowedRole>>()
  const mark = (runId: RunId, nodeId: string | null, role: FollowedRole): void => {
    if (nodeId === null) return
    const ofRun = marks.get(runId) ?? new Map<string, FollowedRole>()
    const before = ofRun.get(nodeId)
    if (before === undefined || order.indexOf(before) < order.indexOf(role)) ofRun.set(nodeId, role)
    marks.set(runId, ofRun)
  }
  for (const { place } of readers) mark(place.runId, place.nodeId, 'reader')
  for (const [index, { place, from }] of hops.entries()) {
    mark(place.runId, place.nodeId, index === 0 ? 'here' : from.length === 0 ? 'begin' : 'before')
  }
  return marks
}
