/** How far a pull is, in words. Pure. */

import type { PullProgress } from '../../src-engine/protocol/teleport.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'

const bytesPerMegabyte = 1_000_000
const grouped = new Intl.NumberFormat('en')

/** Null before there is anything to tell. */
export function progressWords(progress: PullProgress | null): string {
  if (progress === null) return words.pulling
  const { phase, runs, events, payloads, bytes } = progress
  const before = runs === 0 ? '' : `${fill(runs === 1 ? words.oneRunHere : words.runsHere, { runs })} `
  const megabytes = (bytes / bytesPerMegabyte).toFixed(1)
  const counts = { events: grouped.format(events), payloads: grouped.format(payloads), megabytes }
  return `${before}${fill(phase === 'events' ? words.pullingEvents : words.pullingPayloads, counts)}`
}
