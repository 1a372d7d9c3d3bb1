/**
 * Which partition a run lives in: a number that everybody computes alike from its id, so that nothing has to
 * be looked up. A partition is what a store can change atomically.
 */

import type { RunId } from './ids.ts'
import { runId } from './ids.ts'

/** Where what belongs to no run lives: registers, pools, the runs that a register's move starts. */
export const homePartition = 0

/** An id that names its partition: for runs that begin in one checkpoint with something that has its own. */
const namedPattern = /~p(\d{1,4})$/

/** The end of an id of a run that must live in the home partition. */
export const atHome = `~p${homePartition}`

/** 0 to `count - 1`. The same for the same id and count, for ever: it decides where data is looked for. */
export function partitionOf(id: RunId, count: number): number {
  if (count <= 1) return homePartition
  // Hardly any does, and each step asks several times.
  const named = id.includes('~') ? namedPattern.exec(id)?.[1] : undefined
  return (named === undefined ? hashOf(id) : Number(named)) % count
}

/**
 * The partitions of ids that begin alike, by their ends: what `partitionOf` says of both together. Whoever looks for an
 * id that lives somewhere asks for hundreds of them, so what they share is gone through once.
 */
export function partitionsByEnd(start: string, count: number): (end: string) => number {
  const shared = hashOnto(hashBasis, start)
  // Only the whole id tells whether it names its partition.
  const mayName = count <= 1 || start.includes('~')
  return (end) =>
    mayName || end.includes('~')
      ? partitionOf(runId(start + end), count)
      : mixed(hashOnto(shared, end)) % count
}

/** FNV-1a of the UTF-16 units, with its bits mixed once more: ids that count up would fill in turn otherwise. */
const hashOf = (text: string): number => mixed(hashOnto(hashBasis, text))

const hashBasis = 0x811c9dc5

function hashOnto(before: number, text: string): number {
  let hash = before
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> 0
}
