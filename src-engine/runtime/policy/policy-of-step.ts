/** What a policy says of a step before it is run: asked of the evaluator that decides about it then. */

import { compileWorkflow } from '../../core/compile.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { NodeId } from '../../model/ids.ts'
import { invocationIdOf, runId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { newInvocation, newRun } from '../../model/new-records.ts'
import { evaluatePolicy, noCounts, ruleMatches } from '../../model/policy/evaluate-policy.ts'
import type { PolicyDecision, PolicyDocument, PolicyRequest, PolicyRule } from '../../model/policy/policy.ts'
import { parseDocument } from '../../model/read-document.ts'
import type { RunRecord } from '../../model/run.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { PolicyOfStep } from '../../protocol/policy.ts'
import type { PolicySubjects } from './policy-subjects.ts'

export interface OfStepParts {
  readonly specsByKind: ReadonlyMap<string, TaskSpec>
  readonly subjects: PolicySubjects
}

type Said = Omit<PolicyOfStep, 'unreadable' | 'isRemoteAsked'>

/** Throws what keeps the document from being read, and `invocation_not_found` for a step that it hasn't. */
export function policyOfStep(
  parts: OfStepParts,
  policy: PolicyDocument,
  given: { readonly document: JsonObject; readonly nodeId: NodeId },
): Said {
  const request = requestOf(parts, given)
  const { decision, ruleId, reason, constraints, approval } = evaluatePolicy(policy, request, noCounts)
  const deciding = policy.rules.findIndex(({ id }) => id === ruleId)
  // What comes before the rule that decides, and may decide in its place.
  const before = (deciding === -1 ? policy.rules : policy.rules.slice(0, deciding)).filter(
    ({ enabled }) => enabled !== false,
  )
  return {
    decision,
    ruleId,
    ruleTitle: policy.rules[deciding]?.title ?? null,
    reason: ruleId === null && decision === 'ALLOW' ? '' : reason,
    constraints,
    approval,
    beyond: before.flatMap((rule) => {
      const { id, velocity } = rule
      if (velocity === undefined || !ruleMatches(rule, request)) return []
      const { max, windowMs } = velocity
      return [{ ruleId: id, decision: decisionOf(policy, rule, request), max, windowMs }]
    }),
    larger: before.flatMap((rule) => {
      const bytes = rule.match?.payloadBytesOver
      if (bytes === undefined || rule.velocity !== undefined) return []
      const large = { ...request, payloadBytes: bytes + 1 }
      if (!ruleMatches(rule, large)) return []
      return [{ ruleId: rule.id, decision: decisionOf(policy, rule, large), bytes }]
    }),
  }
}

/** What the rule decides once it is its turn. */
function decisionOf(policy: PolicyDocument, rule: PolicyRule, request: PolicyRequest): PolicyDecision {
  const { velocity: _counted, ...always } = rule
  return evaluatePolicy({ ...policy, rules: [always] }, request, noCounts).decision
}

/** The step as a run of the document would ask about it; what its run has beside it isn't known. */
function requestOf(
  { specsByKind, subjects }: OfStepParts,
  { document, nodeId }: { readonly document: JsonObject; readonly nodeId: NodeId },
): PolicyRequest {
  const parsed = parseDocument(document)
  if (!parsed.ok) throw parsed.error
  const workflow = compileWorkflow(parsed.value.document, specsByKind)
  const node = workflow.nodeById.get(nodeId)
  if (node === undefined) {
    throw new SagasmithError('invocation_not_found', {
      message: `The document has no step “${nodeId}” that is run.`,
      details: { nodeId },
    })
  }
  const { id: workflowId, title } = parsed.value.document
  const run: RunRecord = newRun({
    id: runId('run_asked'),
    workflowId,
    workflowTitle: title,
    definitionHash: '' as RunRecord['definitionHash'],
    input: { kind: 'inline', json: 'null' },
    now: 0,
    seed: 'asked',
  })
  const record = newInvocation({
    id: invocationIdOf({ runId: run.id, generation: 0, nodeId, path: '', role: 'forward' }),
    runId: run.id,
    nodeId,
    taskKind: node.kind,
    pool: node.pool,
    registeredAt: 0,
    cause: { kind: 'upstream', by: null, detail: null },
  })
  return subjects.ofStep({ run, workflow }, record, null)
}
