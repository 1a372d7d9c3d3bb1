/**
 * The gate of a run: a step before all others that a policy puts there when it doesn't let the run start at
 * once. What is asked about it is what was asked about the start; once it goes on, the run does.
 */

import type { InvocationRecord, Permit } from '../../model/invocation.ts'
import { newInvocation } from '../../model/new-records.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import { addEvent, addInvocation, changeRun, createDraft, finishDraft, moveInvocation } from '../draft.ts'
import { endedAttempt, unreported } from '../ended-attempt.ts'
import { propagateStart } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { forwardId } from '../run-state.ts'
import { settle } from '../settle.ts'
import { publishing } from '../start-run.ts'
import { applyVerdict } from './apply-verdict.ts'
import type { Verdict } from './verdict.ts'
import { planUnder } from './verdict.ts'

/** Begins the run behind its gate; without a verdict who claims the gate asks for one. */
export function startBehindGate(
  state: RunState,
  context: DecisionContext,
  begun: { readonly version: WorkflowVersion | null; readonly verdict: Verdict | null },
): Decision {
  const draft = createDraft(state, context, true)
  const { run } = state
  addEvent(draft, { invocationId: null, cause: run.cause, body: { type: 'run.created', run } })
  // What is denied has never been under way.
  if (begun.verdict?.kind !== 'denied') changeRun(draft, { startedAt: context.now }, 'RUNNING')
  const gate = registerGate(draft)
  if (begun.verdict !== null) applyVerdict(draft, gate, begun.verdict)
  settle(draft)
  return publishing(finishDraft(draft), begun.version)
}

/** Puts the gate before the run's first steps: who claims it asks. */
export function registerGate(draft: Draft): InvocationRecord {
  const { run, context, state } = draft
  const { gate } = state.workflow
  const record = newInvocation({
    id: forwardId(state, gate.id),
    runId: run.id,
    nodeId: gate.id,
    taskKind: gate.kind,
    generation: run.generation,
    path: '',
    priority: run.priority,
    pool: gate.pool,
    tags: [],
    permits: null,
    notBefore: null,
    route: null,
    registeredAt: context.now,
    cause: { kind: 'start', by: run.id, detail: null },
  })
  addInvocation(draft, record)
  return record
}

/** The gate goes on: it has ended, and the run's first steps begin, under what binds all of the run. */
export function openGate(draft: Draft, running: InvocationRecord, permits: readonly Permit[]): void {
  const bound = running.dispatch?.policy?.constraints?.maxRuntimeMs
  if (bound !== undefined) boundRun(draft, draft.context.now + bound)
  if (permits.length > 0) changeRun(draft, { permits: planUnder(draft.run.permits, permits) })
  moveInvocation(draft, running.id, {
    to: 'SUCCESS',
    set: { output: draft.run.input, ports: [], error: null },
    attempt: endedAttempt(draft, running, { ...unreported, outcome: 'succeeded', error: null }),
  })
  propagateStart(draft)
}

function boundRun(draft: Draft, deadlineAt: number): void {
  const before = draft.run.deadlineAt
  if (before === null || before > deadlineAt) changeRun(draft, { deadlineAt })
}

/** The run with what a policy asks of all of it. */
export const boundedRun = (run: RunRecord, maxRuntimeMs: number | undefined): RunRecord =>
  maxRuntimeMs === undefined
    ? run
    : { ...run, deadlineAt: Math.min(run.deadlineAt ?? Number.MAX_SAFE_INTEGER, run.now + maxRuntimeMs) }
