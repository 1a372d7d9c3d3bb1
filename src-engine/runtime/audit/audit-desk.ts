/** Who decided what, read from the history: there is no second book that could disagree with it. */

import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { RunRecord } from '../../model/run.ts'
import type { AuditEntry, AuditPage, AuditQuery } from '../../protocol/audit.ts'
import type { Store } from '../../store/store.ts'
import type { FoundBack, LookBack } from '../history/look-back.ts'
import { checkpointsOf, lookBack } from '../history/look-back.ts'
import { cursorText, historyEnds, isAfter, placeOf, placesOf, placeText } from '../history/places.ts'
import type { PayloadStore } from '../payload-store.ts'
import { feedStart, partitionOfRun } from '../run-place.ts'
import type { FoundDecision } from './decision-of.ts'
import { decisionOf } from './decision-of.ts'

export interface AuditDesk {
  /** Newest first. */
  readonly list: (query: AuditQuery) => Promise<AuditPage>
}

export interface AuditParts {
  readonly store: Store
  readonly partition: number
  readonly payloads: Pick<PayloadStore, 'value'>
}

type Told = FoundBack<FoundDecision>

export function createAuditDesk(parts: AuditParts): AuditDesk {
  return {
    list: async (query) => {
      const { found, next, since } = await look(parts, query)
      const entries = await Promise.all(found.map((told) => entryOf(parts, told)))
      return { entries, next: next === null ? null : cursorText(next), since }
    },
  }
}

function look(parts: AuditParts, query: AuditQuery): Promise<LookBack<FoundDecision>> {
  const { about, by, before, limit, runId } = query
  const tellOf = (events: readonly EngineEvent[]): FoundDecision | null => {
    const decision = decisionOf(events)
    if (decision === null || (by !== null && decision.by !== by)) return null
    return about === null || about.includes(decision.about) ? decision : null
  }
  return runId === null
    ? ofAll(parts, { before, limit, tellOf })
    : ofRun(parts, runId, { before, limit, tellOf })
}

interface Looked {
  readonly before: string | null
  readonly limit: number
  readonly tellOf: (events: readonly EngineEvent[]) => FoundDecision | null
}

async function ofAll({ store }: AuditParts, looked: Looked): Promise<LookBack<FoundDecision>> {
  const { before, limit: wanted, tellOf } = looked
  const from = before === null ? await historyEnds(store) : placesOf(store, before)
  return lookBack(store, { from, wanted, tellOf })
}

/** A run's own events are found without the others, oldest first. */
async function ofRun({ store }: AuditParts, runId: RunId, looked: Looked): Promise<LookBack<FoundDecision>> {
  const { before, limit, tellOf } = looked
  const [last = null] = before === null ? [] : placesOf(store, before)
  const events: EngineEvent[] = []
  for (let after = feedStart(partitionOfRun(store.info, runId)); ; ) {
    const page = await store.readEvents({ after, runId, until: null, limit: eventBatchMax })
    events.push(...page)
    const newest = page.at(-1)
    if (newest === undefined || page.length < eventBatchMax) break
    after = placeOf(newest)
  }
  const found = checkpointsOf(events).flatMap((checkpoint): readonly Told[] => {
    const [first] = checkpoint
    const newest = checkpoint.at(-1)
    const decision = tellOf(checkpoint)
    if (decision === null || first === undefined || newest === undefined) return []
    return [{ found: decision, at: first.at, place: placeOf(first), end: placeOf(newest) }]
  })
  const wanted = found.reverse().filter(({ end }) => last === null || !isAfter(end, last))
  const next = wanted[limit]
  const page = wanted.slice(0, limit)
  return { found: page, next: next === undefined ? null : [next.end], since: next?.at ?? null }
}

async function entryOf(parts: AuditParts, { found, place }: Told): Promise<AuditEntry> {
  const { at, about, act, by, runId, invocationId, hash } = found
  const [run, step, reason] = await Promise.all([
    runId === null ? null : runOf(parts, runId),
    invocationId === null ? null : stepOf(parts, invocationId),
    reasonOf(parts, found),
  ])
  return {
    id: placeText(place),
    ...{ at, about, act, by, reason, runId, invocationId, hash },
    workflowId: run?.workflowId ?? null,
    workflowTitle: run?.workflowTitle ?? null,
    nodeId: step?.nodeId ?? null,
  }
}

const runOf = ({ store, partition }: AuditParts, runId: RunId): Promise<RunRecord | null> =>
  store.load(partition, 'run', { runId })

const stepOf = (
  { store, partition }: AuditParts,
  invocationId: InvocationId,
): Promise<InvocationRecord | null> => store.load(partition, 'invocation', { invocationId })

/** A comment that can't be read (it is sealed, and this process has no key) is none here. */
async function reasonOf(
  { payloads }: AuditParts,
  { reason, comment }: FoundDecision,
): Promise<string | null> {
  if (comment === null) return reason
  try {
    const said = await payloads.value(comment)
    return typeof said === 'string' ? said : null
  } catch {
    return null
  }
}
