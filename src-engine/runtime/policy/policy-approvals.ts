/** What a person is shown when a policy asks for an approval, and whether it was given for exactly that. */

import type { CompiledWorkflow } from '../../core/compile.ts'
import type { RunState } from '../../core/run-state.ts'
import type { ApprovalRequest, ApprovalShown, ApprovalSubject } from '../../model/approval.ts'
import { approvalHash, revisedHash } from '../../model/approval.ts'
import { gateStepId } from '../../model/engine-steps.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import { nodeId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { utf8Bytes } from '../../model/payload.ts'
import type { PolicyAnswer } from '../../model/policy/policy.ts'
import type { PolicyRuling } from '../../model/policy/ruling.ts'
import type { Clock } from '../../model/ports.ts'
import type { RunRecord } from '../../model/run.ts'
import { scopeOf } from '../attempt-scope.ts'
import { workOf } from '../attempt-work.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'

/** What is asked about: a step of a run, or the start of one, which may not be there yet. */
export type AskedStep =
  | { readonly state: RunState; readonly record: InvocationRecord; readonly isGate: boolean }
  | {
      readonly state: null
      readonly record: null
      readonly run: RunRecord
      readonly workflow: CompiledWorkflow
      readonly isGate: true
    }

export interface PolicyApprovals {
  /** How large the parameters of a step are once they are resolved; null where they can't be. */
  readonly payloadBytes: (step: AskedStep) => Promise<number | null>
  readonly requestOf: (
    step: AskedStep,
    of: { readonly ruling: PolicyRuling; readonly answer: PolicyAnswer },
  ) => Promise<ApprovalRequest>
  /** Whether somebody approved exactly this, under the same policy. */
  readonly isApproved: (
    record: InvocationRecord | undefined,
    step: AskedStep,
    of: { readonly ruling: PolicyRuling; readonly approval: ApprovalRequest },
  ) => boolean
}

export type PolicyApprovalsDependencies = Pick<ExecutorDependencies, 'host' | 'payloads'> & {
  readonly clock: Pick<Clock, 'now'>
}

export function createPolicyApprovals(dependencies: PolicyApprovalsDependencies): PolicyApprovals {
  const { payloads, clock } = dependencies
  return {
    payloadBytes: async (step) => {
      const parameters = await parametersOf(dependencies, step)
      return parameters.kind === 'known' ? utf8Bytes(JSON.stringify(parameters.value)) : null
    },
    requestOf: async (step, { ruling, answer }) => {
      const parameters = await parametersOf(dependencies, step)
      const shown = shownOf(step, ruling, { answer, parameters })
      const { approval } = answer
      const now = clock.now()
      return {
        for: 'policy',
        hash: approvalHash(subjectOf(step, parameters), shown),
        shown: await payloads.keep(JSON.stringify(shown)),
        policy: pinnedOf(ruling),
        approvers: approval?.approvers ?? [],
        otherPerson: false,
        pushBack: false,
        onReject: 'deny',
        expiresAt: approval?.deadlineMs === undefined ? null : now + approval.deadlineMs,
        onExpiry: 'reject',
        escalateAt: approval?.escalateAfterMs === undefined ? null : now + approval.escalateAfterMs,
        escalateTo: [],
      }
    },
    isApproved: (record, step, { ruling, approval }) => {
      const given = record?.dispatch?.approval
      if (given === undefined || given.for !== 'policy' || given.outcome !== 'approved') return false
      const pinned = given.policy
      if (pinned === null || pinned['snapshot'] !== ruling.snapshot || pinned['ruleId'] !== ruling.ruleId)
        return false
      // A step that its run's start was asked about, by the same rule: that was the question.
      if (record?.nodeId === gateStepId && !step.isGate) return true
      return given.hash === revisedHash(approval.hash, given.revision)
    },
  }
}

const pinnedOf = ({ ruleId, snapshot, reason, constraints }: PolicyRuling): JsonObject => ({
  ruleId,
  snapshot,
  reason,
  // Constraints are JSON; an interface just has no index signature.
  constraints: constraints === null ? null : { ...constraints },
})

/** The parameters as they would be now, or why nobody knows. */
type Parameters =
  | { readonly kind: 'known'; readonly value: JsonValue }
  | { readonly kind: 'unknown'; readonly message: string }

async function parametersOf(
  { host, payloads }: PolicyApprovalsDependencies,
  step: AskedStep,
): Promise<Parameters> {
  try {
    if (step.state === null || step.isGate) {
      const { input } = step.state === null ? step.run : step.state.run
      return { kind: 'known', value: await payloads.value(input) }
    }
    const { state, record } = step
    const work = workOf(state, { ...record, attempt: record.attempt + 1 })
    const spec = host.specsByKind.get(record.taskKind)
    if (work === null || spec === undefined)
      return { kind: 'unknown', message: 'Nobody here knows its kind.' }
    const resolved = await host.resolver.resolveParameters({
      parameters: work.node.parameters,
      spec,
      scope: scopeOf({ payloads, host }, work),
    })
    return { kind: 'known', value: (resolved ?? null) as JsonValue }
  } catch (thrown) {
    // The attempt will fail of it, and say so; until then it is part of what is shown.
    return { kind: 'unknown', message: recordOfThrown(thrown).message }
  }
}

function subjectOf(step: AskedStep, parameters: Parameters): ApprovalSubject {
  const run = step.state === null ? step.run : step.state.run
  return {
    runId: run.id,
    generation: step.record?.generation ?? run.generation,
    nodeId: nodeOfStep(step),
    path: step.record?.path ?? '',
    definitionHash: run.definitionHash,
    parameters: parameters.kind === 'known' ? parameters.value : null,
  }
}

const nodeOfStep = (step: AskedStep): NodeId => step.record?.nodeId ?? nodeId(gateStepId)

function shownOf(
  step: AskedStep,
  ruling: PolicyRuling,
  { answer, parameters }: { readonly answer: PolicyAnswer; readonly parameters: Parameters },
): ApprovalShown {
  const { document } = step.state === null ? step.workflow : step.state.workflow
  const id = nodeOfStep(step)
  const isUndo = step.record?.role === 'compensation'
  const named = document.nodes[id]?.title ?? id
  const what = step.isGate ? 'Start' : isUndo ? `Undo of ${named}` : named
  const given = parameters.kind === 'known' ? parameters.value : null
  const problem = parameters.kind === 'unknown' ? { problem: parameters.message } : {}
  return {
    title: `${what}: ${document.title}`,
    message: answer.approval?.message ?? ruling.reason,
    details: {
      ...(step.isGate ? { input: given } : { kind: step.record?.taskKind ?? null, parameters: given }),
      ...problem,
      rule: ruling.ruleId,
      constraints: pinnedOf(ruling)['constraints'] ?? null,
    },
    form: null,
  }
}
