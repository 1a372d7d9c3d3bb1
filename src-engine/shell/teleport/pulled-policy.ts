/** What another policy would have said about past runs, the pulled ones among them. */

import { noPolicy, policyJson } from '../../model/policy/policy.ts'
import type { PolicyReplay } from '../../protocol/policy.ts'
import type { Handlers } from '../handlers/contract.ts'
import type { PulledRuns } from './pulled-runs.ts'

/** Differences that are told one by one, as of this machine's own runs. */
const differencesMax = 200

/** Runs of this machine first, then those that were pulled, up to the limit. */
export function replayWithPulled(handlers: Handlers, pulled: PulledRuns): Handlers['policy.replay'] {
  return async (asked) => {
    let all = await handlers['policy.replay'](asked)
    const readers = await pulled.readers().catch(() => [])
    if (readers.length === 0) return all
    // What counts here is asked, whatever counted where they ran.
    const policy = asked.policy ?? policyJson((await handlers['policy.get']({})).policy ?? noPolicy)
    for (const { deps } of readers) {
      const limit = asked.limit - all.runs
      if (limit < 1) break
      all = together(all, await deps.handlers['policy.replay']({ ...asked, policy, limit }))
    }
    return all
  }
}

const together = (one: PolicyReplay, other: PolicyReplay): PolicyReplay => ({
  runs: one.runs + other.runs,
  steps: one.steps + other.steps,
  escalated: one.escalated + other.escalated,
  relaxed: one.relaxed + other.relaxed,
  unchanged: one.unchanged + other.unchanged,
  differences: [...one.differences, ...other.differences].slice(0, differencesMax),
})
