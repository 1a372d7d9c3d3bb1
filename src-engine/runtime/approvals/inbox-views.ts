/** Entries of the inbox as people see them. */

import type { ApprovalDecision, ApprovalShown, ApprovalWait } from '../../model/approval.ts'
import { approvalAnswers } from '../../model/approval.ts'
import { errorRecord } from '../../model/errors.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { ApprovalView, DecidedView, InboxEntry, InboxPlace } from '../../protocol/approvals.ts'
import type { Definitions } from '../definitions.ts'
import type { PayloadStore } from '../payload-store.ts'
import { starterOf } from './starters.ts'

interface ViewParts {
  readonly definitions: Definitions
  readonly payloads: PayloadStore
}

/** Null for a step that asks nobody, and never did. */
export async function entryOf(
  parts: ViewParts,
  run: RunRecord,
  record: InvocationRecord,
): Promise<InboxEntry | null> {
  const { status, wait, dispatch, error, registeredAt } = record
  const decision = dispatch?.approval ?? null
  if (status === 'APPROVAL_REQUIRED' && wait === null) {
    return {
      ...(await placeOf(parts, run, record)),
      kind: 'effect',
      error: error ?? errorRecord('indeterminate_effect'),
      requestedAt: record.startedAt ?? registeredAt,
      ways: ['run-again', 'take-as-done', 'fail'],
    }
  }
  if (status === 'APPROVAL_REQUIRED' && wait?.kind === 'approval')
    return waitingView(parts, { run, record, wait })
  return decision === null ? null : decidedEntry(parts, { run, record, decision })
}

/** What a person sees of a question. */
export async function shownOf(
  payloads: PayloadStore,
  { shown }: Pick<ApprovalWait, 'shown'>,
): Promise<ApprovalShown> {
  // Written as such by who asks.
  return (await payloads.value(shown)) as unknown as ApprovalShown
}

/** Null while nobody decided. */
export async function decidedView(
  payloads: PayloadStore,
  { dispatch }: InvocationRecord,
): Promise<DecidedView | null> {
  const decision = dispatch?.approval
  if (decision === undefined) return null
  const { outcome, by, at, comment, values } = decision
  return {
    ...{ outcome, by, at },
    comment: comment === null ? null : ((await payloads.value(comment)) as string),
    values: values === null ? null : ((await payloads.value(values)) as JsonObject),
  }
}

interface Seen {
  readonly run: RunRecord
  readonly record: InvocationRecord
}

async function waitingView(
  parts: ViewParts,
  { run, record, wait }: Seen & { readonly wait: ApprovalWait },
): Promise<ApprovalView> {
  const { hash, revision, approvers, otherPerson, pushBack, requestedAt, policy } = wait
  const { expiresAt, onExpiry, escalateAt, escalatedAt } = wait
  const { title, message, details, form } = await shownOf(parts.payloads, wait)
  const isPaused = record.dispatch !== null && record.dispatch.pauseRequestedAt !== null
  return {
    ...(await placeOf(parts, run, record)),
    ...{ kind: 'approval', for: wait.for, hash, revision, title, message, details, form },
    ...{ approvers, otherPerson, requestedAt, expiresAt, onExpiry, escalateAt, escalatedAt, policy },
    notices: wait.notices ?? [],
    answers: approvalAnswers.filter((answer) => pushBack || answer !== 'push-back'),
    blocked: isPaused ? 'paused' : run.cancelRequestedAt === null ? null : 'cancelling',
    decided: null,
  }
}

async function decidedEntry(
  parts: ViewParts,
  { run, record, decision }: Seen & { readonly decision: ApprovalDecision },
): Promise<ApprovalView> {
  const { hash, revision, at, policy } = decision
  const { title, message, details, form } = await shownOf(parts.payloads, decision)
  return {
    ...(await placeOf(parts, run, record)),
    ...{ kind: 'approval', for: decision.for, hash, revision, title, message, details, form, policy },
    ...{ approvers: [], otherPerson: false, answers: [], blocked: null },
    ...{ requestedAt: at, expiresAt: null, onExpiry: 'reject', escalateAt: null, escalatedAt: null },
    notices: [],
    decided: await decidedView(parts.payloads, record),
  }
}

async function placeOf(
  { definitions }: ViewParts,
  run: RunRecord,
  record: InvocationRecord,
): Promise<InboxPlace> {
  const { workflowId, workflowTitle, definitionHash, tenant } = run
  const { runId, id, nodeId, taskKind, path } = record
  return {
    ...{ runId, invocationId: id, nodeId, taskKind, path },
    ...{ workflowId, workflowTitle, definitionHash, tenant },
    nodeTitle: await titleOf(definitions, run, nodeId),
    startedBy: starterOf(run),
  }
}

/** A definition that can't be read here must not keep anybody from deciding. */
async function titleOf(definitions: Definitions, run: RunRecord, node: string): Promise<string> {
  try {
    const { document } = await definitions.compiled(run.definitionHash)
    return titleIn(document, node) ?? node
  } catch {
    return node
  }
}

const titleIn = ({ nodes }: WorkflowDocument, node: string): string | undefined =>
  Object.entries(nodes).find(([id]) => id === node)?.[1].title
