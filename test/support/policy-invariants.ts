/** I38: nothing runs that the policy denied, or asked about and nobody approved; what it holds up is no attempt. */

import { gateStepId } from '../../src-engine/model/engine-steps.ts'
import type { PolicyDocument } from '../../src-engine/model/policy/policy.ts'
import type { Effect } from './effect-sink.ts'
import type { History, RunHistory } from './history.ts'

export interface Governed {
  /** Rules about steps name these by their ids; rules about starts name workflows. */
  readonly policy: PolicyDocument
  /** It counted from before the first start up to this instant. */
  readonly until: number
}

type Rule = PolicyDocument['rules'][number]

/** Of all runs that somebody started. */
export function checkPolicy(
  { runs }: History,
  effects: readonly Effect[],
  governed: Governed,
): readonly string[] {
  const byStep = Map.groupBy(effects, ({ invocationId }) => invocationId)
  return runs.flatMap((run) => [...checkRulings(run), ...checkRan(run, byStep, governed)])
}

/** What a policy does by anything but letting go counts nowhere. */
function checkRulings({ events }: RunHistory): readonly string[] {
  const found: string[] = []
  for (const { body, invocationId: id } of events) {
    if (id === null || body.type !== 'invocation.changed') continue
    const ruling = body.set.dispatch?.policy
    if (ruling === undefined || (ruling.decision !== 'THROTTLE' && ruling.decision !== 'UNAVAILABLE'))
      continue
    const { set, to, from } = body
    if (to === from || to !== 'REROUTED') continue
    const counts = [set.attempt, set.failureCount, set.crashCount].some((count) => count !== undefined)
    if (counts || body.attempt !== null) found.push(`I38 ${id} was held up, and that counts as an attempt`)
  }
  return found
}

function checkRan(
  run: RunHistory,
  byStep: ReadonlyMap<string, readonly Effect[]>,
  { policy: { rules }, until }: Governed,
): readonly string[] {
  const found: string[] = []
  const { workflowId } = run.run
  const start = rules.find(
    ({ match }) => match?.at === 'start' && match.workflows?.includes(workflowId) === true,
  )
  const gates = run.invocations.filter(({ nodeId }) => nodeId === gateStepId)
  for (const { id, nodeId, generation } of run.invocations) {
    // Denied at its start, it asks again when somebody has it go on: the last answer before the step counts.
    const gate = gates.findLast((asked) => asked.generation <= generation)
    const seen = (byStep.get(id) ?? []).filter(({ startedAt }) => startedAt < until)
    if (seen.length === 0) continue
    const rule = rules.find(({ match }) => match?.at !== 'start' && match?.nodes?.includes(nodeId) === true)
    for (const { attempt } of seen) {
      if (start !== undefined && !mayGo(start, () => gate !== undefined && isApproved(run, gate.id, null)))
        found.push(`I38 ${id} ran, but the policy says ${start.decision} to the start of its run`)
      if (rule !== undefined && !mayGo(rule, () => isApproved(run, id, attempt)))
        found.push(`I38 ${id} ran, but the policy says ${rule.decision}`)
    }
  }
  return found
}

function mayGo({ decision, velocity }: Rule, isAgreed: () => boolean): boolean {
  if (velocity !== undefined || decision === 'ALLOW' || decision === 'ALLOW_WITH_CONSTRAINTS') return true
  return decision === 'REQUIRE_APPROVAL' && isAgreed()
}

/** Whether somebody had approved it before this attempt began; null for at any time. */
function isApproved({ events }: RunHistory, id: string, attempt: number | null): boolean {
  let begun = 0
  for (const { invocationId, body } of events) {
    if (invocationId !== id || body.type !== 'invocation.changed') continue
    const approval = body.set.dispatch?.approval
    if (approval?.for === 'policy' && approval.outcome === 'approved') return true
    if (body.to === 'RUNNING' && body.from !== 'RUNNING') begun += 1
    if (attempt !== null && begun >= attempt) return false
  }
  return false
}
