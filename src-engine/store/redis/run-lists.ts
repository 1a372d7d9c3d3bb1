/** Runs by place, newest first: over the lists of their statuses, or that of their workflow, whichever is shorter. */

import type { RunId } from '../../model/ids.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { runStatuses } from '../../model/run-status.ts'
import type { Page, RunFilter } from '../store.ts'
import { keyNames, runFields, runGroup } from './layout.ts'
import { loaders } from './loaders.ts'
import type { PartitionReader, Scored } from './partition-reader.ts'

/** A page of them. */
export async function listRuns(
  reader: PartitionReader,
  filter: RunFilter,
  { after, limit }: Page,
): Promise<readonly RunRecord[]> {
  let place = Number.POSITIVE_INFINITY
  if (after !== null) {
    // A page ended with a run's id.
    const text = await reader.text(['HGET', reader.keys.run(after as RunId), runFields.place])
    if (text === null) return []
    place = Number(text)
  }
  const lists = await listsFor(reader, filter)
  const found: RunRecord[] = []
  const pageSize = Math.max(limit, 16)
  while (found.length < limit) {
    const ids = await runsBelow(reader, lists, { place, limit: pageSize })
    const runs = await reader.runs(ids.map(({ member }) => member as RunId))
    for (const run of runs) {
      const fits = filter.workflowId === null || run.workflowId === filter.workflowId
      if (fits && isAsked(filter, run.status) && found.length < limit) found.push(run)
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) break
    place = last.score
  }
  return found
}

const isAsked = ({ statuses }: RunFilter, status: RunStatus): boolean =>
  statuses === null || statuses.includes(status)

/** The names of the lists that together hold all that fit, and as few others as can be. */
async function listsFor(reader: PartitionReader, filter: RunFilter): Promise<readonly string[]> {
  const { workflowId, includeCore } = filter
  const statuses = filter.statuses ?? runStatuses
  const groups = includeCore ? (['own', 'core'] as const) : (['own'] as const)
  const byStatus = groups.flatMap((group) => statuses.map((status) => keyNames.runs(group, status)))
  if (workflowId === null) return byStatus
  const own = keyNames.runsOf(workflowId)
  const listed = await sizeOf(reader, own)
  const counts = await loaders.runCounts(reader, { workflowId, includeCore })
  const asked = statuses.filter((status) => counts.has(status))
  if (asked.length === 0) return []
  const byAsked = asked.map((status) => keyNames.runs(runGroup(workflowId), status))
  // Runs that began before workflows had lists are in those of their statuses alone.
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (listed !== all) return byAsked
  const sizes = await Promise.all(byAsked.map((name) => sizeOf(reader, name)))
  return sizes.reduce((sum, size) => sum + size, 0) < all ? byAsked : [own]
}

const sizeOf = async (reader: PartitionReader, name: string): Promise<number> =>
  Number(await reader.ask(['ZCARD', reader.keys.of(name)]))

async function runsBelow(
  reader: PartitionReader,
  names: readonly string[],
  { place, limit }: { readonly place: number; readonly limit: number },
): Promise<readonly Scored[]> {
  const max = place === Number.POSITIVE_INFINITY ? '+inf' : `(${place}`
  const lists = await Promise.all(
    names.map((name) =>
      reader.scored(reader.keys.of(name), [max, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, limit]),
    ),
  )
  return lists
    .flat()
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
}
