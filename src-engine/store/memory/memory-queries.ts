/** What a memory store answers: plain filters over its collections. */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import type { EventQuery, ListQueries, LoadQueries, Page } from '../store.ts'
import type { Records } from './memory-records.ts'
import { holdersOf } from './memory-records.ts'

type Loaders = {
  readonly [Kind in keyof LoadQueries]: (
    records: Records,
    input: LoadQueries[Kind]['input'],
  ) => LoadQueries[Kind]['output']
}

/** How each kind of record is loaded. */
export const loaders: Loaders = {
  run: ({ runs }, { runId }) => runs.get(runId) ?? null,
  runByRequest: ({ runs }, { requestId }) =>
    [...runs.values()].find((run) => run.requestId === requestId) ?? null,
  invocations: ({ invocations }, { runId }) =>
    [...invocations.values()].filter((item) => item.runId === runId),
  invocation: ({ invocations }, { invocationId }) => invocations.get(invocationId) ?? null,
  attempts: ({ attempts }, { runId, invocationId }) =>
    [...attempts.values()].filter(
      (item) => item.runId === runId && (invocationId === null || item.invocationId === invocationId),
    ),
  workflowVersion: ({ workflowVersions }, { hash }) => workflowVersions.get(hash) ?? null,
  register: ({ registers }, { key }) => registers.get(key) ?? null,
  slotHolders: (records, { key }) => holdersOf(records, key),
}

type Listers = {
  readonly [Kind in keyof ListQueries]: (
    records: Records,
    filter: ListQueries[Kind]['filter'],
  ) => readonly (readonly [id: string, item: ListQueries[Kind]['item']])[]
}

/** Each gives all items that fit, newest first, with the id that a page may end with. */
const listers: Listers = {
  runs: ({ runs }, { statuses, workflowId }) =>
    [...runs]
      .filter(([, run]) => statuses === null || statuses.includes(run.status))
      .filter(([, run]) => workflowId === null || run.workflowId === workflowId)
      .toReversed(),
  runners: ({ runners }) => [...runners].toReversed(),
  workflowVersions: ({ workflowVersions }, { workflowId }) =>
    [...workflowVersions]
      .filter(([, item]) => workflowId === null || item.workflowId === workflowId)
      .toReversed(),
  deadLetters: ({ deadLetters }) => [...deadLetters].toReversed(),
  outbox: ({ outbox }, { dueBefore }) =>
    [...outbox].filter(([, item]) => item.dueAt <= dueBefore).toReversed(),
  registers: ({ registers }, { prefix }) =>
    [...registers].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
}

/** One page of a kind of record. */
export function list<Kind extends keyof ListQueries>(
  records: Records,
  kind: Kind,
  query: { readonly filter: ListQueries[Kind]['filter']; readonly page: Page },
): readonly ListQueries[Kind]['item'][] {
  const found = listers[kind](records, query.filter)
  const { after, limit } = query.page
  const start = after === null ? 0 : found.findIndex(([id]) => id === after) + 1
  if (start === 0 && after !== null) return []
  return found.slice(start, start + limit).map(([, item]) => item)
}

/** The events after a place, oldest first. */
export function readEvents(records: Records, query: EventQuery): readonly EngineEvent[] {
  const { after, runId, until, limit } = query
  const { epoch } = records.head
  return records.events
    .filter((event) => isAfter(event, after))
    .filter((event) => until === null || event.epoch < epoch || event.seq <= until)
    .filter((event) => runId === null || event.runId === runId)
    .slice(0, limit)
}

const isAfter = (event: EngineEvent, { epoch, seq }: PartitionCursor): boolean =>
  event.epoch > epoch || (event.epoch === epoch && event.seq > seq)
