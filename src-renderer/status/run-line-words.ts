/** Why a run hasn't begun, for people: its place in line and the limit that it meets, not the limit's key. Pure. */

import type { WhyWaiting } from '../../src-engine/protocol/why-waiting.ts'
import { fill } from '../text/messages.ts'
import { runLine as words } from '../text/waits.ts'
import { clockWords } from '../ui/time-words.ts'
import { withClocks } from './wait-words.ts'

export interface RunLineWords {
  readonly place: string
  readonly limit: string
  /** A run that is before it, to be looked at; null where none is known. */
  readonly holder: string | null
}

/** What the engine answered, in the words of the workflow, which may count runs `per` the value of an expression. */
export function runLineWords({ code, message, until, permit }: WhyWaiting, per: string): RunLineWords {
  if (permit === null) return { place: words.waits, limit: withClocks(message), holder: null }
  const { position, waiting, limit, holders } = permit
  return {
    place: fill(words.place, { position, count: waiting }),
    limit: limitWords(code, { limit, until, per }) ?? withClocks(message),
    holder: holders.find((holder) => holder.startsWith('run_')) ?? null,
  }
}

interface Limit {
  readonly limit: number
  readonly until: number | null
  /** Empty where all runs count together. */
  readonly per: string
}

function limitWords(code: string, { limit, until, per }: Limit): string | null {
  const runs = limit === 1 ? words.oneRun : fill(words.runs, { limit })
  if (code === 'workflow_limit') return fill(per === '' ? words.workflow : words.perKey, { runs, per })
  if (code === 'tenant_limit') return fill(words.tenant, { runs })
  if (code === 'rate_limit' && until !== null) return fill(words.rate, { time: clockWords(until) })
  return null
}
