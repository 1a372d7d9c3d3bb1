/** What `doctor --cluster` says of operations that failovers took from processes of this data directory. */

import type { StoreId } from '../../model/ids.ts'
import { spanText } from '../../model/summary.ts'
import type { Instant, Millis } from '../../model/time.ts'
import { journalFolder } from '../../store/redis/journal/known-stores.ts'
import { countLeftJournals } from '../../store/redis/journal/orphans.ts'
import { readLosses } from '../clusters/loss-book.ts'
import type { Finding } from './doctor-finding.ts'

/** What is older was dealt with, or nobody minds. */
const recentMs: Millis = 7 * 86_400_000

/** One finding, whatever was found. */
export function journalFinding(folder: string, storeId: StoreId, now: Instant): Finding {
  const losses = readLosses(folder, storeId).filter(({ at }) => now - at < recentMs)
  const sum = (of: 'lost' | 'broughtBack' | 'there' | 'gone'): number =>
    losses.reduce((total, loss) => total + loss[of], 0)
  const left = countLeftJournals(journalFolder(folder, storeId), storeId)
  const waiting =
    left === 0
      ? ''
      : `; ${left === 1 ? 'one process' : `${left} processes`} ended without an end and left a journal`
  const last = losses.at(-1)
  if (last === undefined) {
    const message = `no failover took anything from here in the last week${waiting}`
    const hint = left === 0 ? null : 'The next runner that starts here goes on with it.'
    return { check: 'journal', verdict: 'ok', message, hint }
  }
  const gone = sum('gone')
  const isBad = gone > 0 || losses.some(({ isCut }) => isCut)
  const ago = spanText(Math.max(0, now - last.at))
  const message = `failovers took ${sum('lost')} operations from here in the last week, the last time ${ago} ago: ${sum('broughtBack') + sum('there')} are there again, ${gone} are lost for good${waiting}`
  const newest = losses.findLast(({ words }) => words.length > 0)?.words[0] ?? ''
  const hint = isBad ? `${newest} All are in ${folder} and in the log (store.operation-lost).`.trim() : null
  return { check: 'journal', verdict: isBad ? 'warn' : 'ok', message, hint }
}
