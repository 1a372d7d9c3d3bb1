/** The inbox: what waits for a person across all runs, and how they decide it. */

import type { SaidApproval } from '../../core/approvals/decide.ts'
import { decideApproval } from '../../core/approvals/decide.ts'
import type { ApprovalWait } from '../../model/approval.ts'
import { outcomeOfAnswer } from '../../model/approval.ts'
import { SagasmithError } from '../../model/errors.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonObject } from '../../model/json.ts'
import { pageSizeMax, taskOutputBytesMax } from '../../model/limits.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import { validateInput } from '../../model/validate-input.ts'
import type { InputOf, OutputOf } from '../../protocol/api.ts'
import type { DecidedView, InboxCounts, InboxEntry } from '../../protocol/approvals.ts'
import type { EngineParts } from '../engine-parts.ts'
import { surelyThere } from '../surely-there.ts'
import type { ApprovalDesk } from './approval-desk.ts'
import { createInboxFeed } from './inbox-feed.ts'
import { decidedView, entryOf, shownOf } from './inbox-views.ts'
import { startersOf } from './starters.ts'

type DeskParts = Pick<EngineParts, 'dependencies' | 'definitions' | 'payloads' | 'runner' | 'claimer'>

/** More would be read by nobody; the counts say that there are at least as many. */
const inboxMax = 10_000

export function createApprovalDesk(parts: DeskParts): ApprovalDesk {
  const counts = async (): Promise<InboxCounts> => countsOf(await waiting(parts))
  const feed = createInboxFeed(parts.dependencies)
  return {
    list: (request) => list(parts, request),
    show: async (request) => {
      const { run, record } = await known(parts, request)
      const entry = await entryOf(parts, run, record)
      if (entry !== null) return { entry }
      throw new SagasmithError('approval_not_found', { details: { ...request } })
    },
    decide: (request) => decide(parts, request),
    watch: async (request) => ({ ...(await feed.next(request)), counts: await counts() }),
  }
}

/** All that waits for somebody, longest waiting first. */
async function waiting({ dependencies }: DeskParts): Promise<readonly InvocationRecord[]> {
  const { store, partition } = dependencies
  const filter = { statuses: ['APPROVAL_REQUIRED'], pool: null } as const
  const found: InvocationRecord[] = []
  for (let after: string | null = null; found.length < inboxMax; ) {
    const page: readonly InvocationRecord[] = await store.list(partition, 'work', {
      filter,
      page: { after, limit: pageSizeMax },
    })
    found.push(...page)
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax) break
  }
  return found.sort((a, b) => since(a) - since(b) || (a.id < b.id ? -1 : 1))
}

const since = ({ wait, registeredAt }: InvocationRecord): number =>
  wait?.kind === 'approval' ? wait.requestedAt : registeredAt

function countsOf(records: readonly InvocationRecord[]): InboxCounts {
  const waits = records.flatMap(({ wait }) => (wait?.kind === 'approval' ? [wait] : []))
  return {
    approvals: waits.length,
    effects: records.length - waits.length,
    escalated: waits.filter(({ escalatedAt }) => escalatedAt !== null).length,
  }
}

async function list(
  parts: DeskParts,
  { runId, approver, after, limit }: InputOf<'approvals.list'>,
): Promise<OutputOf<'approvals.list'>> {
  const all = (await waiting(parts)).filter((record) => runId === null || record.runId === runId)
  const meant = all.filter((record) => approver === null || maySay(record, approver))
  const start = after === null ? 0 : meant.findIndex(({ id }) => id === after) + 1
  const page = meant.slice(start, start + limit)
  const entries: InboxEntry[] = []
  for (const record of page) {
    const { run } = await known(parts, { runId: record.runId, invocationId: record.id })
    const entry = await entryOf(parts, run, record)
    if (entry !== null) entries.push(entry)
  }
  const last = page.at(-1)
  const next = last !== undefined && start + limit < meant.length ? last.id : null
  return { entries, counts: countsOf(all), next }
}

const maySay = ({ wait }: InvocationRecord, name: string): boolean =>
  wait?.kind !== 'approval' || wait.approvers.length === 0 || wait.approvers.includes(name)

async function known(
  { dependencies }: DeskParts,
  { runId, invocationId }: InputOf<'approvals.show'>,
): Promise<{ readonly run: RunRecord; readonly record: InvocationRecord }> {
  const { store, partition } = dependencies
  const run = await store.load(partition, 'run', { runId })
  if (run === null) throw new SagasmithError('run_not_found', { details: { runId } })
  const record = await store.load(partition, 'invocation', { invocationId })
  if (record !== null && record.runId === runId) return { run, record }
  throw new SagasmithError('invocation_not_found', { details: { runId, invocationId } })
}

async function decide(
  parts: DeskParts,
  request: InputOf<'approvals.decide'> & { readonly by: string },
): Promise<OutputOf<'approvals.decide'>> {
  const { dependencies, runner, claimer } = parts
  const { runId, invocationId, hash, answer, by } = request
  const said = await saidOf(parts, request)
  dependencies.executor.failpoints('approval.before-commit')
  const decision = await dependencies.book.decide(runId, (state) => {
    const context = runner.context({
      actor: 'operator',
      cause: { kind: 'approval', by, detail: outcomeOfAnswer[answer] },
      opId: opId(`approval:${invocationId}:${hash}:${answer}:${by}`),
      runId,
      claims: false,
    })
    return decideApproval(state, context, said)
  })
  dependencies.executor.failpoints('approval.after-commit')
  claimer.poke()
  // What somebody else wrote, or this one whose answer was lost, may be on one server alone yet.
  const { record } = await surelyThere(dependencies.store, runId, {
    look: () => known(parts, request),
    isThere: () => decision === null,
  })
  const decided = await decidedView(parts.payloads, record)
  if (decided !== null) return { result: decision === null ? 'already' : 'decided', decided }
  throw new SagasmithError('approval_not_found', { details: { runId, invocationId } })
}

async function saidOf(
  parts: DeskParts,
  request: InputOf<'approvals.decide'> & { readonly by: string },
): Promise<SaidApproval> {
  const { dependencies, payloads } = parts
  const { invocationId, hash, answer, by, comment } = request
  const { run, record } = await known(parts, request)
  const otherPerson = dependencies.settings.approvalOtherPerson
  const isForAnybody = !otherPerson && record.wait?.kind === 'approval' && !record.wait.otherPerson
  const values = await filledIn(parts, record, request)
  const at = dependencies.clock.now()
  const output = { decision: outcomeOfAnswer[answer], by, at, comment, values } satisfies DecidedOutput
  const kept = async (value: unknown): Promise<Payload | null> =>
    value === null ? null : payloads.keep(JSON.stringify(value), taskOutputBytesMax)
  return {
    ...{ id: invocationId, hash, answer, by, commentText: comment },
    comment: await kept(comment),
    values: await kept(values),
    output: await payloads.keep(JSON.stringify(output), taskOutputBytesMax),
    starters: isForAnybody ? [] : await startersOf(dependencies, run),
    otherPerson,
  }
}

/** What a step that asked hands on. */
interface DecidedOutput extends Omit<DecidedView, 'outcome'> {
  readonly decision: DecidedView['outcome']
}

/** With the form's defaults; only an approval fills anything in. Throws `approval_form_invalid`. */
async function filledIn(
  { payloads }: DeskParts,
  { wait, nodeId }: InvocationRecord,
  { answer, values, hash }: InputOf<'approvals.decide'>,
): Promise<JsonObject | null> {
  if (answer !== 'approve' || wait?.kind !== 'approval' || wait.hash !== hash) return values
  const { form } = await shownOf(payloads, wait satisfies ApprovalWait)
  if (form === null) return values
  const checked = validateInput(form, values ?? {})
  const [first] = checked.problems
  // A form of anything but an object has nowhere to put what is filled in.
  if (first === undefined) return checked.value as JsonObject
  throw new SagasmithError('approval_form_invalid', {
    message: `What was filled in for “${nodeId}” doesn’t fit: ${first.message}`,
    details: { nodeId, problems: checked.problems.map((problem) => ({ ...problem })) },
  })
}
