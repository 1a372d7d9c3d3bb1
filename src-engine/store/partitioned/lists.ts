/**
 * Lists over partitions. What people page through comes in one order over all of them; what services sweep
 * through comes partition by partition.
 */

import type { DeadLetter, OutboxRecord } from '../../model/checkpoint.ts'
import { invocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RawStore } from '../raw-store.ts'
import type { ListQueries, Page, PermitUse } from '../store.ts'
import { holdersAtHome } from './home-permits.ts'
import { createMergedPages } from './merged-pages.ts'
import type { Reach } from './reach.ts'
import type { Routes } from './routes.ts'

type Lists = {
  readonly [Kind in keyof ListQueries]: (
    partition: number,
    query: { readonly filter: ListQueries[Kind]['filter']; readonly page: Page },
  ) => Promise<readonly ListQueries[Kind]['item'][]>
}

export function createLists(raw: RawStore, routes: Routes, reach: Reach): Lists {
  const runs = createMergedPages<ListQueries['runs']['filter'], RunRecord>({
    partitions: routes.partitions,
    reach,
    read: (partition, query) => raw.list(partition, 'runs', query),
    isThere: async (partition, { id }) => (await raw.load(partition, 'run', { runId: id })) !== null,
    compare: (a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1),
  })
  const deadLetters = createMergedPages<ListQueries['deadLetters']['filter'], DeadLetter>({
    partitions: routes.partitions,
    reach,
    read: (partition, query) => raw.list(partition, 'deadLetters', query),
    isThere: async (partition, { id }) => (await raw.load(partition, 'deadLetter', { id })) !== null,
    compare: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
  })
  const outbox = createMergedPages<ListQueries['outbox']['filter'], OutboxRecord>({
    partitions: routes.partitions,
    reach,
    read: (partition, query) => raw.list(partition, 'outbox', query),
    isThere: async () => false,
    compare: (a, b) => b.dueAt - a.dueAt || (a.id < b.id ? 1 : -1),
  })
  return {
    runs: (_, query) => runs(query),
    deadLetters: (_, query) => deadLetters(query),
    runners: (partition, query) => raw.list(partition, 'runners', query),
    workflowVersions: (partition, query) => raw.list(partition, 'workflowVersions', query),
    registers: (partition, query) => raw.list(partition, 'registers', query),
    work: (_, { filter, page }) =>
      inTurn({ routes, reach }, page, (partition, rest) =>
        raw.list(partition, 'work', { filter, page: rest }),
      ),
    signalWaiters: (_, { filter, page }) =>
      inTurn({ routes, reach }, page, (partition, rest) =>
        raw.list(partition, 'signalWaiters', { filter, page: rest }),
      ),
    outbox: (_, query) => outbox(query),
    permits: (_, query) => listPermits({ raw, routes, reach }, query),
  }
}

/** One partition after the other: the invocation that the page before ended with tells in which one. */
async function inTurn(
  { routes: { partitions, ofInvocation }, reach }: { readonly routes: Routes; readonly reach: Reach },
  page: Page,
  read: (partition: number, page: Page) => Promise<readonly InvocationRecord[]>,
): Promise<readonly InvocationRecord[]> {
  const items: InvocationRecord[] = []
  const first = page.after === null ? 0 : partitions.indexOf(ofInvocation(invocationId(page.after)))
  for (const partition of partitions.slice(Math.max(0, first))) {
    const after =
      items.length === 0 && page.after !== null && partition === partitions[first] ? page.after : null
    const limit = page.limit - items.length
    items.push(...(await readOne(reach, partition, () => read(partition, { after, limit }))))
    if (items.length >= page.limit) break
  }
  return items
}

/** Nothing where it can't be reached: the others go on without it. */
async function readOne<Item>(
  reach: Reach,
  partition: number,
  read: () => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    const [found] = await reach.ask([partition], read)
    return found?.answer ?? []
  } catch (thrown) {
    if (reach.isAway(partition)) return []
    throw thrown
  }
}

/** By key; who waits is counted everywhere, who holds is known at the key's home. */
async function listPermits(
  { raw, routes, reach }: { readonly raw: RawStore; readonly routes: Routes; readonly reach: Reach },
  query: { readonly filter: ListQueries['permits']['filter']; readonly page: Page },
): Promise<readonly PermitUse[]> {
  const pages = await reach.ask(routes.partitions, (partition) => raw.list(partition, 'permits', query))
  const waiting = new Map<string, number>()
  for (const use of pages.flatMap(({ answer }) => answer))
    waiting.set(use.key, (waiting.get(use.key) ?? 0) + use.waiting)
  const keys = [...waiting.keys()].sort().slice(0, query.page.limit)
  // A key that nobody holds or waits for any more at home stays in the list: a page's end must be found again.
  return Promise.all(
    keys.map(async (key) => {
      const holders = await holdersAtHome(raw, routes, { key })
      return { key, holders, waiting: waiting.get(key) ?? 0 }
    }),
  )
}
