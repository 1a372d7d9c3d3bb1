/** What each runner did, try by try: read off the events that ended tries, and off what is owned now. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import { nodeIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { pageSizeMax } from '../../model/limits.ts'
import { homePartition } from '../../model/partition.ts'
import type { Instant } from '../../model/time.ts'
import type {
  HistoryTitles,
  RunnerAttempt,
  RunnerAttemptsPage,
  RunnerAttemptsQuery,
} from '../../protocol/history.ts'
import type { Store } from '../../store/store.ts'
import { lookBack } from './look-back.ts'
import { lookOn } from './look-on.ts'
import { cursorText, historyEnds, placesOf, placeText } from './places.ts'
import { createTitles } from './titles.ts'

/** Begun, and not ended: what is claimed and hasn't begun is no try yet. */
const begun: readonly InvocationStatus[] = [...invocationMachine.owned].filter(
  (status) => status !== 'PENDING',
)

type Told = Omit<RunnerAttempt, keyof HistoryTitles>

export async function readRunnerAttempts(
  store: Store,
  query: RunnerAttemptsQuery,
  now: Instant,
): Promise<RunnerAttemptsPage> {
  const [found, atWork] = await Promise.all([
    query.after === null ? backwards(store, query) : onwards(store, query, query.after),
    query.before === null ? attemptsAtWork(store, query) : [],
  ])
  const titles = createTitles(store)
  const titled = (told: readonly Told[]): Promise<readonly RunnerAttempt[]> =>
    titles.on(told, query.includeCore === true)
  return { ...found, attempts: await titled(found.attempts), atWork: await titled(atWork), now }
}

type Found = Omit<RunnerAttemptsPage, 'attempts' | 'atWork' | 'now'> & { readonly attempts: readonly Told[] }

async function backwards(store: Store, query: RunnerAttemptsQuery): Promise<Found> {
  const { before, since: notBefore, limit: wanted } = query
  const ends = await historyEnds(store)
  const tellOf = (events: readonly EngineEvent[]): readonly Told[] | null => {
    const told = events.flatMap((event) => attemptsOf(event, query))
    return told.length === 0 ? null : told
  }
  const { found, next, since } = await lookBack(store, {
    from: before === null ? ends : placesOf(store, before),
    sizeOf: ({ length }) => length,
    ...{ wanted, tellOf, notBefore },
  })
  return {
    attempts: found.flatMap((one) => one.found.toReversed()),
    next: next === null ? null : cursorText(next),
    since,
    cursor: cursorText(ends),
    more: false,
  }
}

async function onwards(store: Store, query: RunnerAttemptsQuery, after: string): Promise<Found> {
  const { events, places, more } = await lookOn(store, placesOf(store, after), null)
  const attempts = events.flatMap((event) => attemptsOf(event, query))
  const newestFirst = attempts.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))
  return { attempts: newestFirst, next: null, since: null, cursor: cursorText(places), more }
}

function attemptsOf(event: EngineEvent, { runnerId }: RunnerAttemptsQuery): readonly Told[] {
  const { body } = event
  if (body.type !== 'invocation.changed' || body.attempt === null) return []
  if (runnerId !== null && body.attempt.runnerId !== runnerId) return []
  return [endedAttempt(body.attempt, event)]
}

const endedAttempt = (attempt: AttemptRecord, place: PartitionCursor): Told => ({
  id: placeText(place),
  ...placeOfStep(attempt),
  runnerId: attempt.runnerId,
  number: attempt.number,
  startedAt: attempt.startedAt,
  endedAt: attempt.endedAt,
  outcome: attempt.outcome,
  seq: place.seq,
  problem: attempt.error?.message ?? null,
})

const placeOfStep = ({ runId, invocationId }: Pick<AttemptRecord, 'runId' | 'invocationId'>) => ({
  runId,
  invocationId,
  nodeId: nodeIdOf(invocationId),
})

async function attemptsAtWork(store: Store, query: RunnerAttemptsQuery): Promise<readonly Told[]> {
  const page = { after: null, limit: pageSizeMax }
  const owned = await store.list(homePartition, 'work', { filter: { statuses: begun, pool: null }, page })
  const told = owned.flatMap(attemptAtWork)
  const wanted = told.filter(({ runnerId }) => query.runnerId === null || runnerId === query.runnerId)
  return wanted.toSorted((a, b) => a.startedAt - b.startedAt)
}

function attemptAtWork(record: InvocationRecord): readonly Told[] {
  const { id, lease, startedAt, attempt: number, runId } = record
  if (lease === null || startedAt === null) return []
  const place = { ...placeOfStep({ runId, invocationId: id }), nodeId: record.nodeId }
  const open = { endedAt: null, outcome: null, seq: null, problem: null }
  return [{ id, ...place, runnerId: lease.runnerId, number, startedAt, ...open }]
}
