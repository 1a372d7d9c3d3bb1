/** What a memory store answers: plain filters over its collections. */

import type { Register } from '../../model/checkpoint.ts'
import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import { isCoreWorkflow } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { placeAfter } from '../../model/packed-group.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import { awaitedSignalOf, blockedKeyOf, blockedKeyOfRun, compareBlocked } from '../blocked.ts'
import type { GroupPage, GroupQuery } from '../group-page.ts'
import { GroupGathering } from '../group-page.ts'
import type { EventQuery, ListQueries, LoadQueries, Page, PermitUse, WorkCount } from '../store.ts'
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
  runCounts: ({ runs }, { workflowId, includeCore }) => {
    const counts = new Map<RunStatus, number>()
    for (const { status, workflowId: of } of runs.values()) {
      if ((workflowId !== null && of !== workflowId) || (!includeCore && isCoreWorkflow(of))) continue
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    return counts
  },
  invocations: ({ invocations }, { runId }) =>
    [...invocations.values()].filter((item) => item.runId === runId),
  invocation: ({ invocations }, { invocationId }) => invocations.get(invocationId) ?? null,
  attempts: ({ attempts }, { runId, invocationId }) =>
    [...attempts.values()].filter(
      (item) => item.runId === runId && (invocationId === null || item.invocationId === invocationId),
    ),
  workflowVersion: ({ workflowVersions }, { hash }) => workflowVersions.get(hash) ?? null,
  register: ({ registers }, { key }) => registers.get(key) ?? null,
  dueRegisters: ({ registers, registerDue }, { upTo, limit }) => {
    let nextAt = Number.POSITIVE_INFINITY
    const come: (readonly [string, Instant])[] = []
    for (const entry of registerDue) {
      if (entry[1] <= upTo) come.push(entry)
      else if (entry[1] < nextAt) nextAt = entry[1]
    }
    come.sort(([a, at], [b, bt]) => at - bt || (a < b ? -1 : 1))
    const due = come.slice(0, limit).flatMap(([key, dueAt]) => {
      const register = registers.get(key)
      return register === undefined ? [] : [{ ...register, dueAt }]
    })
    const next = come[limit]?.[1] ?? nextAt
    return { due, nextAt: next === Number.POSITIVE_INFINITY ? null : next }
  },
  slotHolders: (records, { key, holder }) =>
    holdersOf(records, key).filter((slot) => holder === undefined || slot.holder === holder),
  permitWaiters: ({ invocations, runs }, { key, limit }) => {
    return {
      invocations: [...invocations.values()]
        .filter((item) => isBlockedBy(item, key))
        .sort(compareBlocked)
        .slice(0, limit),
      runs: [...runs.values()]
        .filter((run) => blockedKeyOfRun(run) === key)
        .sort(compareBlocked)
        .slice(0, limit),
    }
  },
  workCounts: ({ invocations }, { what }) => {
    const counts = new Map<string, WorkCount>()
    for (const { status, lease, route, pool } of invocations.values()) {
      const owner = lease?.runnerId ?? null
      if (what === 'owned' ? owner === null : !waits(status)) continue
      const pools = route?.pools ?? [pool]
      const key = JSON.stringify([owner, pools])
      counts.set(key, { owner, pools, count: (counts.get(key)?.count ?? 0) + 1 })
    }
    return [...counts.values()]
  },
  deadLetter: ({ deadLetters }, { id }) => deadLetters.get(id) ?? null,
  runner: ({ runners }, { runnerId }) => runners.get(runnerId) ?? null,
  feedEnd: ({ head: { partition, epoch, seq } }) => ({ partition, epoch, seq }),
}

const waits = (status: InvocationStatus): boolean =>
  invocationMachine.available.has(status) || status === 'CONCURRENCY_CONTROLLED'

type Listers = {
  readonly [Kind in keyof ListQueries]: (
    records: Records,
    filter: ListQueries[Kind]['filter'],
  ) => readonly (readonly [id: string, item: ListQueries[Kind]['item']])[]
}

/** Each gives all items that fit, newest first, with the id that a page may end with. */
const listers: Listers = {
  runs: ({ runs }, { statuses, workflowId, includeCore }) =>
    [...runs]
      .filter(([, run]) => includeCore || !isCoreWorkflow(run.workflowId))
      .filter(([, run]) => statuses === null || statuses.includes(run.status))
      .filter(([, run]) => workflowId === null || run.workflowId === workflowId)
      .toReversed(),
  runners: ({ runners }) => [...runners].toReversed(),
  workflowVersions: ({ workflowVersions }, { workflowId }) =>
    [...workflowVersions]
      .filter(([, item]) => workflowId === null || item.workflowId === workflowId)
      .toReversed(),
  deadLetters: ({ deadLetters }, { reason, workflowId, runId }) =>
    [...deadLetters]
      .filter(([, letter]) => reason === null || letter.reason === reason)
      .filter(([, letter]) => workflowId === null || letter.workflowId === workflowId)
      .filter(([, letter]) => runId === null || letter.runId === runId)
      .toReversed(),
  work: ({ invocations }, { statuses, pool }) =>
    [...invocations]
      .filter(([, item]) => !invocationMachine.final.has(item.status) && statuses.includes(item.status))
      .filter(([, item]) => pool === null || item.pool === pool)
      .sort(byRegistration),
  signalWaiters: ({ invocations }, { name }) =>
    [...invocations].filter(([, item]) => awaitedSignalOf(item) === name).sort(byRegistration),
  permits: (records, { prefix }) =>
    permitKeys(records)
      .filter((key) => key.startsWith(prefix))
      .map((key) => [key, permitUse(records, key)] as const),
  outbox: ({ outbox }, { dueBefore }) =>
    [...outbox].filter(([, item]) => item.dueAt <= dueBefore).toReversed(),
  registers({ registers }, { prefix }) {
    const found: (readonly [string, Register])[] = []
    for (const entry of registers) if (entry[0].startsWith(prefix)) found.push(entry)
    return found.sort((a, b) => (a[0] < b[0] ? -1 : 1))
  },
}

/** Every key that somebody holds a permit of or waits for, by name. */
function permitKeys({ slots, invocations, runs }: Records): readonly string[] {
  const keys = new Set([...slots.values()].map(({ key }) => key))
  for (const item of invocations.values()) {
    const key = blockedKeyOf(item)
    if (key !== null) keys.add(key)
  }
  for (const run of runs.values()) {
    const key = blockedKeyOfRun(run)
    if (key !== null) keys.add(key)
  }
  return [...keys].sort()
}

function permitUse(records: Records, key: string): PermitUse {
  const invocations = [...records.invocations.values()].filter((item) => isBlockedBy(item, key))
  const runs = [...records.runs.values()].filter((run) => blockedKeyOfRun(run) === key)
  return { key, holders: holdersOf(records, key), waiting: invocations.length + runs.length }
}

const isBlockedBy = (record: InvocationRecord, key: string): boolean => blockedKeyOf(record) === key

/** One page of a kind of record. */
export function list<Kind extends keyof ListQueries>(
  records: Records,
  kind: Kind,
  query: { readonly filter: ListQueries[Kind]['filter']; readonly page: Page },
): readonly ListQueries[Kind]['item'][] {
  const found = listers[kind](records, query.filter)
  const { after, limit } = query.page
  const start = after === null ? 0 : startBehind(records, kind, { found: found.map(([id]) => id), after })
  if (start === null) return []
  return found.slice(start, start + limit).map(([, item]) => item)
}

/** What fits the filter no more keeps its place among what does. */
function startBehind(
  records: Records,
  kind: keyof ListQueries,
  at: { readonly found: readonly string[]; readonly after: string },
): number | null {
  const own = at.found.indexOf(at.after)
  if (own !== -1) return own + 1
  if (kind === 'registers' || kind === 'permits') return at.found.filter((key) => key < at.after).length
  const order = wholeOrder(records, kind)
  const place = order.indexOf(at.after)
  if (place === -1) return null
  const before = new Set(order.slice(0, place))
  return at.found.filter((id) => before.has(id)).length
}

/** All ids of a kind in its order, whatever fits a filter; none where what is gone has no place. */
function wholeOrder({ runs, invocations }: Records, kind: keyof ListQueries): readonly string[] {
  if (kind === 'runs') return [...runs.keys()].toReversed()
  if (kind !== 'work' && kind !== 'signalWaiters') return []
  return [...invocations].sort(byRegistration).map(([id]) => id)
}

type Entry = readonly [string, InvocationRecord]

const byRegistration = ([, a]: Entry, [, b]: Entry): number =>
  a.registeredAt - b.registeredAt || (a.id < b.id ? -1 : 1)

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

/** The same in groups, with whatever was committed up to now. */
export function readGroups({ groups, head }: Records, query: GroupQuery): GroupPage {
  const page = new GroupGathering(query)
  // Who follows the feed has read nearly all of it.
  const before = groups.findLastIndex((group) => !isAfter(placeAfter(group), query.after))
  for (let index = before + 1; index < groups.length; index += 1) {
    const group = groups[index]
    if (group !== undefined && !page.add(group)) break
  }
  const { partition, epoch, seq } = head
  return page.page({ partition, epoch, seq })
}

const isAfter = (event: Pick<EngineEvent, 'epoch' | 'seq'>, { epoch, seq }: PartitionCursor): boolean =>
  event.epoch > epoch || (event.epoch === epoch && event.seq > seq)
