/** What can be listed, page by page. */

import type { DeadLetter, OutboxRecord } from '../../model/checkpoint.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { ListQueries, Page, PermitUse } from '../store.ts'
import type { Placed } from './hash-answer.ts'
import { newestFirst, pairsOf, placed } from './hash-answer.ts'
import { keyNames } from './layout.ts'
import { registerOf } from './loaders.ts'
import type { PartitionReader } from './partition-reader.ts'
import { listRuns } from './run-lists.ts'
import { listSignalWaiters, listWork } from './work-lists.ts'

type Listers = {
  readonly [Kind in keyof ListQueries]: (
    reader: PartitionReader,
    filter: ListQueries[Kind]['filter'],
    page: Page,
  ) => Promise<readonly ListQueries[Kind]['item'][]>
}

export const listers: Listers = {
  runs: listRuns,
  runners: (reader, _filter, page) =>
    listPlaced<RunnerRecord>(reader, keyNames.runners, { page, idOf: ({ id }) => id }),
  workflowVersions: listVersions,
  deadLetters: (reader, { reason, workflowId, runId }, page) =>
    listPlaced<DeadLetter>(reader, keyNames.letters, {
      page,
      idOf: ({ id }) => id,
      fits: (letter) =>
        (reason === null || letter.reason === reason) &&
        (workflowId === null || letter.workflowId === workflowId) &&
        (runId === null || letter.runId === runId),
    }),
  work: listWork,
  signalWaiters: listSignalWaiters,
  permits: listPermits,
  outbox: (reader, { dueBefore }, page) =>
    listPlaced<OutboxRecord>(reader, keyNames.outbox, {
      page,
      idOf: ({ id }) => id,
      fits: ({ dueAt }) => dueAt <= dueBefore,
    }),
  registers: listRegisters,
}

/** Newest first. What there are few of is read whole. */
async function listPlaced<Item>(
  reader: PartitionReader,
  name: string,
  query: {
    readonly page: Page
    readonly idOf: (item: Item) => string
    readonly fits?: (item: Item) => boolean
  },
): Promise<readonly Item[]> {
  const { page, idOf, fits = () => true } = query
  const all = pairsOf(await reader.ask(['HGETALL', reader.keys.of(name)])).map(([, text]) =>
    placed<Item>(text),
  )
  return pageOf(all.toSorted(newestFirst), { page, idOf, fits })
}

function pageOf<Item>(
  sorted: readonly Placed<Item>[],
  query: {
    readonly page: Page
    readonly idOf: (item: Item) => string
    readonly fits: (item: Item) => boolean
  },
): readonly Item[] {
  const { page, idOf, fits } = query
  const items = sorted.map(({ item }) => item)
  const before = page.after === null ? -1 : items.findIndex((item) => idOf(item) === page.after)
  if (page.after !== null && before === -1) return []
  return items
    .slice(before + 1)
    .filter(fits)
    .slice(0, page.limit)
}

async function listVersions(
  reader: PartitionReader,
  { workflowId }: ListQueries['workflowVersions']['filter'],
  page: Page,
): Promise<readonly WorkflowVersion[]> {
  const [texts, places] = await Promise.all([
    reader.ask(['HGETALL', reader.keys.of(keyNames.versions)]),
    reader.ask(['HGETALL', reader.keys.of(`${keyNames.versions}:places`)]),
  ])
  const placeOf = new Map(pairsOf(places))
  const all = pairsOf(texts).map(([hash, text]): Placed<WorkflowVersion> => {
    return { place: Number(placeOf.get(hash) ?? 0), item: JSON.parse(text) as WorkflowVersion }
  })
  return pageOf(all.toSorted(newestFirst), {
    page,
    idOf: ({ hash }) => hash,
    fits: (version) => workflowId === null || version.workflowId === workflowId,
  })
}

/** Bounds of all texts that begin with a prefix and come after one, as ZRANGE BYLEX takes them. */
function lexRange(prefix: string, after: string | null): readonly [min: string, max: string] {
  const min = after !== null && after >= prefix ? `(${after}` : `[${prefix}`
  return [min, prefix === '' ? '+' : `(${prefix}\u{10ffff}`]
}

async function listRegisters(
  reader: PartitionReader,
  { prefix }: ListQueries['registers']['filter'],
  { after, limit }: Page,
): Promise<readonly ListQueries['registers']['item'][]> {
  const [min, max] = lexRange(prefix, after)
  const names = reader.keys.of(keyNames.registerKeys)
  const found = await reader.texts(['ZRANGE', names, min, max, 'BYLEX', 'LIMIT', 0, limit])
  const keys = found.filter((key) => key !== null)
  if (keys.length === 0) return []
  const values = await reader.texts(['HMGET', reader.keys.of(keyNames.registers), ...keys])
  return keys.flatMap((key, index) => {
    const text = values[index] ?? null
    return text === null ? [] : [registerOf(key, text)]
  })
}

/** Keys that are held or waited for, by name. */
async function listPermits(
  reader: PartitionReader,
  { prefix }: ListQueries['permits']['filter'],
  { after, limit }: Page,
): Promise<readonly PermitUse[]> {
  const range = async (name: string, kind: string): Promise<readonly string[]> => {
    const [min, max] = lexRange(kind + prefix, after === null ? null : kind + after)
    const end = max === '+' ? `(${kind}\u{10ffff}` : max
    const found = await reader.texts(['ZRANGE', reader.keys.of(name), min, end, 'BYLEX', 'LIMIT', 0, limit])
    return found.flatMap((key) => (key === null ? [] : [key.slice(kind.length)]))
  }
  const lists = await Promise.all([range('held', ''), range('lines', 'i'), range('lines', 'r')])
  const keys = [...new Set(lists.flat())].toSorted((a, b) => (a < b ? -1 : 1)).slice(0, limit)
  return Promise.all(
    keys.map(async (key) => {
      const length = async (kind: 'i' | 'r'): Promise<number> =>
        Number(await reader.ask(['ZCARD', reader.keys.of(keyNames.line(kind, key))]))
      const [holders, invocations, runs] = await Promise.all([
        reader.slotHolders(key),
        length('i'),
        length('r'),
      ])
      return { key, holders, waiting: invocations + runs }
    }),
  )
}
