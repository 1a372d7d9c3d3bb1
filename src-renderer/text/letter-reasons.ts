/** Reasons of dead letters that are no errors of their own: what happened, and what to do about it. */

interface ReasonWords {
  readonly title: string
  readonly hint: string
}

const room = 'Make room, raise the limit, or allow the step more time until it begins; then replay it.'

/** By reason code. */
export const letterReasons: Readonly<Record<string, ReasonWords>> = {
  output_quarantined_async: {
    title: 'The output policy took the result back after it had been handed on.',
    hint: 'Look at it under Quarantine, and at the steps that had begun to work with it; then release or discard it.',
  },
  quarantine_failed: {
    title: 'The result should be held back, but could not be.',
    hint: 'Whoever may see the run sees the result. Look at it now; the engine’s log says what went wrong.',
  },
  dispatch_timeout: {
    title: 'No runner began the step in time.',
    hint: 'See under Runners and Pools whether somebody can do it, then replay it.',
  },
  running_timeout: {
    title: 'The step ran longer than any may.',
    hint: 'Give it a timeout of its own, or make its work smaller; then replay it.',
  },
  no_workers: {
    title: 'No runner that can do the step was there in time.',
    hint: 'Start a runner with what the step asks for: its pools, labels and kinds decide.',
  },
  no_pool_mapping: {
    title: 'No pool takes the step’s topic.',
    hint: 'Map its topic to a pool under Pools, then replay it.',
  },
  pool_overloaded: {
    title: 'Every runner of its pools was full until its time was over.',
    hint: 'Start more runners for these pools, then replay it.',
  },
  no_slot: {
    title: 'Every runner that may do the step was busy until its time was over.',
    hint: 'Start more runners, or give them more slots; then replay it.',
  },
  concurrency_limit: { title: 'Others had its place until its time was over.', hint: room },
  tenant_limit: { title: 'Its tenant had used all its places until its time was over.', hint: room },
  pool_limit: { title: 'Its pool had used all its places until its time was over.', hint: room },
  workflow_limit: { title: 'Runs of its workflow had all the places until its time was over.', hint: room },
  policy_limit: {
    title: 'What the policy lets run at once had all the places until its time was over.',
    hint: room,
  },
  rate_limit: { title: 'Its rate limit was used up until its time was over.', hint: room },
  safety_throttled: {
    title: 'The policy put it off until its time was over.',
    hint: 'Replay it later, or have the policy changed.',
  },
  not_trusted: {
    title: 'No runner trusts the version that it is of.',
    hint: 'Approve or sign the version under Trust, then replay it.',
  },
}
