/**
 * Has a step's kind tell people of its question. Its parameters are resolved anew from the definition that the run is bound
 * to, and its secrets are opened for this alone: neither is ever kept.
 */

import type { RunState } from '../../core/run-state.ts'
import type { ApprovalOccasion, ApprovalWait } from '../../model/approval.ts'
import type { ErrorRecord } from '../../model/errors.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import { idempotencyKeyOf } from '../../model/idempotency-key.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import { deepLinkOf } from '../../protocol/deep-link.ts'
import type { TaskTelling, TellingContext, ToldApproval } from '../../tasks/task.ts'
import { scopeOf } from '../attempt-scope.ts'
import type { AttemptWork } from '../attempt-work.ts'
import { workOf } from '../attempt-work.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'
import { openSecrets, redactedError } from '../vault/attempt-secrets.ts'
import { MarkedParameters } from '../vault/marked-parameters.ts'
import type { Redactor } from '../vault/redactor.ts'
import { shownOf } from './inbox-views.ts'

/** A question, and what people are told of it. */
export interface Asked {
  readonly state: RunState
  readonly record: InvocationRecord
  readonly wait: ApprovalWait
  readonly occasion: ApprovalOccasion
}

/** What became of it: who was to be told, who of them wasn't though others were, and why nobody was. */
export interface TellingEnd {
  readonly to: string
  readonly missed: readonly string[]
  readonly error: ErrorRecord | null
}

type Means = Pick<ExecutorDependencies, 'host' | 'payloads' | 'clock' | 'info'>

/** Never rejects. */
export async function tellAsked(means: Means, asked: Asked, signal: AbortSignal): Promise<TellingEnd> {
  let to = ''
  let redactor: Redactor | null = null
  try {
    const { work, telling } = tellerOf(means, asked)
    const resolved: unknown = await resolvedFor(means, work)
    const marked = resolved instanceof MarkedParameters ? resolved : null
    to = telling.whom((marked?.references() ?? resolved) as never, asked.occasion)
    const { run, record } = work
    const use = { workflowId: run.workflowId, nodeId: record.nodeId, taskKind: record.taskKind }
    const secrets = marked === null ? null : await openSecrets(means.host.secrets, marked, use)
    redactor = secrets?.redactor ?? null
    const told = toldOf(asked, run, await shownOf(means.payloads, asked.wait))
    const context: TellingContext = {
      idempotencyKey: keyOf(means, asked),
      signal,
      approvedHosts: work.approvedHosts,
      allowedHosts: record.dispatch?.policy?.constraints?.hosts ?? null,
      secrets: secrets?.guard ?? null,
      clock: means.clock,
    }
    const missed = await telling.tell((secrets?.parameters ?? resolved) as never, told, context)
    return { to, missed, error: null }
  } catch (thrown) {
    const error = recordOfThrown(thrown)
    return { to, missed: [], error: redactor === null ? error : redactedError(error, redactor) }
  }
}

function tellerOf(
  { host }: Means,
  { state, record }: Asked,
): { readonly work: AttemptWork; readonly telling: TaskTelling } {
  const work = workOf(state, record)
  const telling = host.runOf(record.taskKind)?.telling
  if (work !== null && telling !== undefined) return { work, telling }
  throw new SagasmithError('task_kind_unknown', {
    message: `This runner doesn’t know how “${record.taskKind}” tells people.`,
    details: { kind: record.taskKind },
  })
}

function resolvedFor(means: Means, work: AttemptWork): unknown {
  const spec = means.host.specsByKind.get(work.record.taskKind)
  if (spec === undefined) throw new SagasmithError('task_kind_unknown')
  const { parameters } = work.node
  return means.host.resolver.resolveParameters({
    parameters,
    spec,
    scope: scopeOf(means, work),
    marksSecrets: true,
  })
}

function toldOf(
  { record, wait, occasion }: Asked,
  { id: runId, workflowTitle }: RunRecord,
  { title, message }: ToldApproval['shown'],
): ToldApproval {
  const { nodeId } = record
  const { approvers, expiresAt, onExpiry } = wait
  // It names no cluster: those are called otherwise on another machine.
  const link = deepLinkOf({ kind: 'run', runId, nodeId })
  const shown = { title, message }
  return { occasion, shown, runId, nodeId, workflowTitle, approvers, expiresAt, onExpiry, link }
}

/** The same after every recovery, and another one for each occasion and each time that it is asked. */
function keyOf({ info }: Means, { record, wait, occasion }: Asked): string {
  const { runId, generation, nodeId, path } = record
  const step = idempotencyKeyOf({ storeId: info.id, runId, generation, nodeId, path })
  return `${step}:${wait.revision}:${occasion}`
}
