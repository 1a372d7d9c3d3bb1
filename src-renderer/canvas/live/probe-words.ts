/** What an edge says of what went along it. Pure. */

import { live } from '../../text/live-words.ts'
import { fill } from '../../text/messages.ts'

export interface Probe {
  /** Whether it is kept in sight. */
  readonly isKept: boolean
  /** What went along last, in short; null for nothing. */
  readonly peek: string | null
  readonly times: number
}

export function probeWords({ isKept, peek, times }: Probe): string {
  const often = times === 1 ? live.once : fill(live.times, { times })
  return fill(isKept ? live.unfreeze : live.freeze, { peek: peek ?? live.nothing, often })
}
