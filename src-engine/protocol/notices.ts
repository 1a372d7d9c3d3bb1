/** What a person who looks at something else is told by a notice of their system. Pure, for every shell alike. */

import type { EngineEvent } from '../model/event.ts'
import type { RunId } from '../model/ids.ts'
import { isCoreWorkflow } from '../model/ids.ts'
import type { RunRecord } from '../model/run.ts'
import type { RunStatus } from '../model/run-status.ts'
import { hasComeToRest } from '../model/run-status.ts'
import type { InboxEntry } from './approvals.ts'
import type { DeepLink } from './deep-link.ts'

/** Which runs a person is told of; what waits for a decision is always told. */
export type RunNotices = 'none' | 'failed' | 'ended'

/** One notice. */
export interface Notice {
  /** All that it tells; each is called the same whoever tells it, and whatever else is told with it. */
  readonly news: readonly string[]
  readonly title: string
  readonly body: string
  /** What a click shows. */
  readonly leadsTo: DeepLink
}

/** Systems cut longer texts anyway. */
const bodyLengthMax = 300
/** Of more that came at once, each is no news of its own. */
export const newsMax = 50

/** What runs end as that somebody should know of. */
const failures: ReadonlySet<RunStatus> = new Set([
  'FAILED',
  'TIMED_OUT',
  'DENIED',
  'COMPENSATED',
  'COMPENSATION_FAILED',
])

/** Whether an event may bring an entry of the inbox or take one away. */
export function touchesInbox({ body }: Pick<EngineEvent, 'body'>): boolean {
  if (body.type === 'run.changed')
    return body.to === 'PAUSED' || body.from === 'PAUSED' || typeof body.set.finishedAt === 'number'
  if (body.type !== 'invocation.changed') return false
  // While it waits, it may be put more urgently or be asked about anew.
  return body.to === 'APPROVAL_REQUIRED' || body.from === 'APPROVAL_REQUIRED'
}

/** What steps and runs end as that need a person. */
const letterSteps: ReadonlySet<string> = new Set(['FAILED', 'TIMEOUT', 'DENIED', 'OUTPUT_QUARANTINED'])
/** Also those that change whether a letter's run can go on. */
const letterRuns: ReadonlySet<string> = new Set([
  ...['FAILED', 'TIMED_OUT', 'DENIED', 'CANCELLED'],
  ...['COMPENSATING', 'COMPENSATION_FAILED'],
])

/** Whether an event may bring a letter, take one away, or change what can be done about one. Pure. */
export function touchesLetters({ cause, body }: Pick<EngineEvent, 'cause' | 'body'>): boolean {
  if (cause.kind.startsWith('dlq.')) return true
  // Going on settles the letters of what begins anew.
  if (body.type === 'run.changed' && body.set.generation !== undefined) return true
  if (body.type === 'run.changed') return letterRuns.has(body.to) || body.from === 'COMPENSATION_FAILED'
  if (body.type !== 'invocation.changed') return false
  // What is released takes its letter away.
  return letterSteps.has(body.to) || body.from === 'OUTPUT_QUARANTINED'
}

/**
 * Whether an event says something to who looks at all runs at once: that there is a run or how it fares, what needs a
 * person, what a store came back from. That a step goes its usual way is its own run's news.
 */
export function touchesOverview(event: Pick<EngineEvent, 'cause' | 'body'>): boolean {
  const { type } = event.body
  if (type === 'run.created' || type === 'run.changed' || type === 'epoch.changed') return true
  return touchesInbox(event) || touchesLetters(event)
}

/** What is asked now and wasn't before: new, asked about anew, or put more urgently. */
export function freshOf(before: readonly InboxEntry[], now: readonly InboxEntry[]): readonly InboxEntry[] {
  const known = new Set(before.map(keyOf))
  return now.filter((entry) => !known.has(keyOf(entry)))
}

const keyOf = (entry: InboxEntry): string =>
  entry.kind === 'effect'
    ? entry.invocationId
    : `${entry.invocationId} ${entry.revision} ${entry.escalatedAt === null ? '' : 'urgent'}`

/** What an entry is about, in one line. */
export const titleOfEntry = (entry: InboxEntry): string =>
  entry.kind === 'approval' && entry.title !== '' ? entry.title : entry.nodeTitle

/** One notice for all that came at once; null for nothing. */
export function decisionNotice(fresh: readonly InboxEntry[]): Notice | null {
  const [first] = fresh
  if (first === undefined) return null
  const more = fresh.length === 1 ? '' : ` (+${fresh.length - 1})`
  return {
    news: fresh.slice(0, newsMax).map((entry) => `decision ${keyOf(entry)}`),
    title: 'Sagasmith needs a decision',
    body: `${first.workflowTitle}: ${titleOfEntry(first)}${more}`.slice(0, bodyLengthMax),
    leadsTo: { kind: 'page', page: 'inbox' },
  }
}

/** The runs that came to rest with these events and that a person is to be told of, if they are runs of their own. */
export function runsToTell(events: readonly EngineEvent[], which: RunNotices): readonly RunId[] {
  const told = new Set<RunId>()
  for (const { runId, body } of events) {
    if (which === 'none' || runId === null || body.type !== 'run.changed' || body.from === body.to) continue
    if (failures.has(body.to) || (which === 'ended' && hasComeToRest(body.to))) told.add(runId)
  }
  return [...told]
}

/** One notice for all runs that ended at once; null when all are parts of others, or chores of the engine. */
export function runNotice(runs: readonly RunRecord[]): Notice | null {
  const own = runs.filter(
    ({ parentRunId, workflowId }) => parentRunId === null && !isCoreWorkflow(workflowId),
  )
  const [first] = own
  if (first === undefined) return null
  const more = own.length === 1 ? '' : ` (+${own.length - 1})`
  return {
    news: own.slice(0, newsMax).map(({ id, generation, status }) => `run ${id} ${generation} ${status}`),
    title: `${first.workflowTitle} ${endWords[first.status] ?? 'ended'}${more}`,
    body: (first.error?.message ?? '').slice(0, bodyLengthMax),
    leadsTo: { kind: 'run', runId: first.id, nodeId: null },
  }
}

const endWords: Partial<Record<RunStatus, string>> = {
  SUCCEEDED: 'is done',
  FAILED: 'failed',
  TIMED_OUT: 'ran out of time',
  DENIED: 'was denied',
  CANCELLED: 'was cancelled',
  COMPENSATED: 'failed, and was undone',
  COMPENSATION_FAILED: 'failed, and undoing it needs you',
  ABANDONED: 'was given up',
}
