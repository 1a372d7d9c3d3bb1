/** What another policy would have said about past runs: stricter, milder, or the same. */

import { workflowId as asWorkflowId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { evaluatePolicy } from '../../model/policy/evaluate-policy.ts'
import type { PolicyDecision, PolicyDocument } from '../../model/policy/policy.ts'
import { severityOf } from '../../model/policy/policy.ts'
import type { RunRecord } from '../../model/run.ts'
import type { PolicyDifference, PolicyReplay } from '../../protocol/policy.ts'
import type { Store } from '../../store/store.ts'
import type { Definitions } from '../definitions.ts'
import type { PolicySubjects } from './policy-subjects.ts'
import { isExempt, payloadBytesOf } from './policy-subjects.ts'

export interface PastRuns {
  readonly store: Store
  readonly partition: number
  readonly definitions: Pick<Definitions, 'compiled'>
  readonly subjects: PolicySubjects
}

/** Differences that are told one by one; the counts are of all. */
const differencesMax = 200
const pageSize = 100

/** Asks the policy about the steps of past runs, newest first. Velocity rules count nothing here. */
export async function replayPolicy(
  past: PastRuns,
  policy: PolicyDocument,
  asked: { readonly workflowId: string | null; readonly limit: number },
): Promise<PolicyReplay> {
  const counts = { escalated: 0, relaxed: 0, unchanged: 0 }
  const differences: PolicyDifference[] = []
  let runs = 0
  let steps = 0
  for await (const run of newestRuns(past, asked.workflowId)) {
    if (runs === asked.limit) break
    runs += 1
    for (const told of await answersOf(past, policy, run)) {
      steps += 1
      const change = changeOf(told.before, told.after)
      counts[change] += 1
      if (change !== 'unchanged' && differences.length < differencesMax) differences.push({ ...told, change })
    }
  }
  return { runs, steps, ...counts, differences }
}

const changeOf = (before: PolicyDecision, after: PolicyDecision): keyof typeof noCounts => {
  const difference = severityOf(after) - severityOf(before)
  if (difference === 0) return 'unchanged'
  return difference > 0 ? 'escalated' : 'relaxed'
}

const noCounts = { escalated: 0, relaxed: 0, unchanged: 0 }

async function* newestRuns({ store, partition }: PastRuns, workflowId: string | null) {
  for (let after: RunRecord['id'] | null = null; ; ) {
    const page: readonly RunRecord[] = await store.list(partition, 'runs', {
      filter: {
        statuses: null,
        workflowId: workflowId === null ? null : asWorkflowId(workflowId),
        includeCore: false,
      },
      page: { after, limit: pageSize },
    })
    for (const run of page) if (!isExempt(run, null)) yield run
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize || after === null) return
  }
}

async function answersOf(
  { store, partition, definitions, subjects }: PastRuns,
  policy: PolicyDocument,
  run: RunRecord,
): Promise<readonly Omit<PolicyDifference, 'change'>[]> {
  const workflow = await definitions.compiled(run.definitionHash)
  const records = await store.load(partition, 'invocations', { runId: run.id })
  return records.flatMap((record) => {
    if (isExempt(run, record) || !wasAsked(record)) return []
    const size = record.input === null ? null : payloadBytesOf(record.input)
    const request = subjects.ofStep({ run, workflow }, record, size)
    const { decision, ruleId, reason } = evaluatePolicy(policy, request)
    const { nodeId, taskKind: kind, path } = record
    const told = { runId: run.id, workflowTitle: run.workflowTitle, nodeId, kind, path }
    return [{ ...told, before: decisionOf(record), after: decision, ruleId, reason }]
  })
}

/** What never came to a runner was never asked about. */
const wasAsked = ({ attempt, dispatch, status }: InvocationRecord): boolean =>
  attempt > 0 || (dispatch?.policy ?? null) !== null || status === 'DENIED'

/** What was said about it then; what nobody said anything about was allowed. */
function decisionOf({ dispatch, error, status }: InvocationRecord): PolicyDecision {
  if (dispatch?.approval?.for === 'policy') return 'REQUIRE_APPROVAL'
  const said = dispatch?.policy?.decision
  if (said !== undefined && said !== 'UNAVAILABLE') return said
  return status === 'DENIED' && error?.code.startsWith('safety_') === true ? 'DENY' : 'ALLOW'
}
