/** Ids of new runs: random ones, of which one is taken that lives where the store wants new runs. */

import type { RunId } from '../../model/ids.ts'
import { runId } from '../../model/ids.ts'
import { partitionsByEnd } from '../../model/partition.ts'
import type { Ids } from '../../model/ports.ts'
import type { Store } from '../../store/store.ts'
import { partitionOfRun } from '../run-place.ts'

const letters = '0123456789abcdefghjkmnpqrstvwxyz'
/**
 * Of an id, its last characters are tried in all forms; what stands before them is enough to be nobody else's. They are
 * enough for a store of some thousands of partitions, of which one is wanted.
 */
const tailLength = 3
const triesMax = letters.length ** tailLength

/** An id that no run has. */
export function newRunId({ info, beginIn }: Pick<Store, 'info' | 'beginIn'>, ids: Ids): RunId {
  const first = runId(`run_${ids.next()}`)
  const wanted = beginIn?.()
  if (wanted === undefined || wanted.size === 0 || wanted.has(partitionOfRun(info, first))) return first
  const head = first.slice(0, -tailLength)
  const partitionOfTail = partitionsByEnd(head, info.partitions.length)
  for (let tries = 0; tries < triesMax; tries += 1) {
    const tail = letters.charAt(tries >> 10) + letters.charAt((tries >> 5) & 31) + letters.charAt(tries & 31)
    if (wanted.has(partitionOfTail(tail))) return runId(head + tail)
  }
  // None of them lives there: any place is right, only some are better.
  return first
}
