/** Work in order of registration: by status, or of those who wait for a signal. */

import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { awaitedSignalOf } from '../blocked.ts'
import type { ListQueries, Page } from '../store.ts'
import { keyNames } from './layout.ts'
import type { PartitionReader, Scored } from './partition-reader.ts'

/** Oldest first; of the same instant by id, as sorted sets have it by themselves. */
const byRegistration = (a: Scored, b: Scored): number => a.score - b.score || (a.member < b.member ? -1 : 1)

export function listWork(
  reader: PartitionReader,
  { statuses, pool }: ListQueries['work']['filter'],
  page: Page,
): Promise<readonly InvocationRecord[]> {
  const open = [...new Set(statuses)].filter((status) => !invocationMachine.final.has(status))
  return listByRegistration(reader, page, {
    names: open.map((status) => keyNames.work(status)),
    owned: open.some((status) => invocationMachine.owned.has(status)),
    fits: (record) => open.includes(record.status) && (pool === null || record.pool === pool),
  })
}

export function listSignalWaiters(
  reader: PartitionReader,
  { name }: ListQueries['signalWaiters']['filter'],
  page: Page,
): Promise<readonly InvocationRecord[]> {
  return listByRegistration(reader, page, {
    names: [keyNames.signal(name)],
    owned: false,
    fits: (record) => awaitedSignalOf(record) === name,
  })
}

/** Where to look, and for what. */
interface Sources {
  readonly names: readonly string[]
  /** Whether what is owned counts: it is in no list but that of the leases. */
  readonly owned: boolean
  readonly fits: (record: InvocationRecord) => boolean
}

async function listByRegistration(
  reader: PartitionReader,
  { after, limit }: Page,
  { names, owned, fits }: Sources,
): Promise<readonly InvocationRecord[]> {
  let last: Scored | null = null
  if (after !== null) {
    // A page ended with an invocation's id; it keeps its place when it is none of these any more.
    const record = await reader.invocation(after as InvocationId)
    if (record === null) return []
    last = { member: after, score: record.registeredAt }
  }
  const leased = owned ? await ownedWork(reader) : []
  const found = new Map<InvocationId, InvocationRecord>()
  while (found.size < limit) {
    const page = await nextPage(reader, { names, leased }, { last, limit: Math.max(limit, 16) })
    const records = await reader.invocations(page.items.map(({ member }) => member as InvocationId))
    for (const record of records) if (found.size < limit && fits(record)) found.set(record.id, record)
    last = page.items.at(-1) ?? last
    if (!page.more) break
  }
  return [...found.values()]
}

/** As many as all runners together execute at once in one partition. */
async function ownedWork(reader: PartitionReader): Promise<readonly Scored[]> {
  const ids = await reader.texts(['ZRANGE', reader.keys.of(keyNames.leases), 0, -1])
  const records = await reader.foundInvocations(ids as readonly InvocationId[], { leased: false })
  return records.map(({ record }) => ({ member: record.id, score: record.registeredAt })).sort(byRegistration)
}

/** The first entries of several lists behind one. */
async function nextPage(
  reader: PartitionReader,
  { names, leased }: { readonly names: readonly string[]; readonly leased: readonly Scored[] },
  { last, limit }: { readonly last: Scored | null; readonly limit: number },
): Promise<{ readonly items: readonly Scored[]; readonly more: boolean }> {
  const lists = await Promise.all(names.map((name) => behind(reader, reader.keys.of(name), { last, limit })))
  const rest = last === null ? leased : leased.filter((item) => byRegistration(last, item) < 0)
  const items = [...lists.flat(), ...rest].toSorted(byRegistration).slice(0, limit)
  return { items, more: items.length === limit }
}

/** A sorted set can't begin within a score: what stands before the place is passed over. */
async function behind(
  reader: PartitionReader,
  key: string,
  { last, limit }: { readonly last: Scored | null; readonly limit: number },
): Promise<readonly Scored[]> {
  const found: Scored[] = []
  for (let offset = 0; found.length < limit; offset += limit) {
    const range = [last?.score ?? '-inf', '+inf', 'BYSCORE', 'LIMIT', offset, limit]
    const page = await reader.scored(key, range)
    for (const item of page) if (last === null || byRegistration(last, item) < 0) found.push(item)
    if (page.length < limit) break
  }
  return found.slice(0, limit)
}
