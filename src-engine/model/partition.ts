/**
 * Which partition a run lives in: a number that everybody computes alike from its id, so that nothing has to
 * be looked up. A partition is what a store can change atomically.
 */

import type { RunId } from './ids.ts'

/** Where what belongs to no run lives: registers, pools, the runs that a register's move starts. */
export const homePartition = 0

/** An id that names its partition: for runs that begin in one checkpoint with something that has its own. */
const namedPattern = /~p(\d{1,4})$/

/** The end of an id of a run that must live in the home partition. */
export const atHome = `~p${homePartition}`

/** 0 to `count - 1`. The same for the same id and count, for ever: it decides where data is looked for. */
export function partitionOf(id: RunId, count: number): number {
  if (count <= 1) return homePartition
  const named = namedPattern.exec(id)?.[1]
  return (named === undefined ? hashOf(id) : Number(named)) % count
}

/** FNV-1a of the UTF-16 units, with its bits mixed once more: ids that count up would fill in turn otherwise. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
