/** Removes finished runs with all that belongs to them. */

import { startedBy } from '../../model/effect.ts'
import type { BlobHash, RunId } from '../../model/ids.ts'
import type { RunRecord } from '../../model/run.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Blobs } from '../blobs.ts'
import { blobHashPattern, namedBy } from '../prunable.ts'
import type { PruneAnswer, PruneOutside, PruneRequest } from '../pruning.ts'
import type { Records } from './memory-records.ts'

/** The oldest finished runs that may go, at most `limit`. */
export async function prune(
  records: Records,
  { blobs, all }: { readonly blobs: Blobs; readonly all: readonly Records[] },
  request: PruneRequest,
): Promise<PruneAnswer> {
  const { outside } = request
  const free = outside === undefined ? null : await freeOf(records, prunable(records, request), outside)
  // Judged again: meanwhile somebody may have had one go on.
  const candidates = prunable(records, request).filter(({ id }) => free === null || free.has(id))
  const gone = candidates.slice(0, Math.max(0, request.limit))
  for (const { id } of gone) removeRun(records, id)
  const removed = request.blobsBefore === null ? 0 : await sweepBlobs(all, blobs, request.blobsBefore)
  return { runs: gone.length, blobs: removed, more: candidates.length > gone.length }
}

function prunable(records: Records, { endedBefore, keep }: PruneRequest): readonly RunRecord[] {
  const ended = (run: RunRecord): number => run.finishedAt ?? 0
  const keyOf = new Map([...records.runs.keys()].map((id, index) => [id, index]))
  const final = [...records.runs.values()]
    .filter(({ status }) => runMachine.final.has(status))
    .sort((a, b) => ended(a) - ended(b) || (keyOf.get(a.id) ?? 0) - (keyOf.get(b.id) ?? 0))
  const surplus = keep === null ? 0 : final.length - keep
  const kept = keptRuns(records)
  return final.filter(
    (run, index) =>
      (index < surplus || (endedBefore !== null && ended(run) < endedBefore)) &&
      !kept.has(run.id) &&
      !isOpen(records, run.parentRunId),
  )
}

/** Those that nobody in other partitions needs. */
async function freeOf(
  { runs }: Records,
  candidates: readonly RunRecord[],
  { named, isOpen: isOpenElsewhere }: PruneOutside,
): Promise<ReadonlySet<RunId>> {
  const free = new Set<RunId>()
  for (const { id, parentRunId } of candidates) {
    if (named.has(id)) continue
    const isElsewhere = parentRunId !== null && !runs.has(parentRunId)
    if (!isElsewhere || !(await isOpenElsewhere(parentRunId))) free.add(id)
  }
  return free
}

/** Runs that a dead letter, an open run or an effect names. */
function keptRuns(records: Records): ReadonlySet<RunId> {
  const kept = new Set(neededFor(records))
  for (const { runId } of records.deadLetters.values()) if (runId !== null) kept.add(runId)
  return kept
}

/** Runs that open runs name, and those that an effect still starts: without its run it would start it anew. */
export const neededFor = ({ runs, outbox }: Records): readonly RunId[] => [
  ...[...runs.values()].flatMap((run) => (runMachine.final.has(run.status) ? [] : namedBy(run))),
  ...[...outbox.keys()].flatMap((id) => startedBy(id) ?? []),
]

function isOpen({ runs }: Records, id: RunId | null): boolean {
  const run = id === null ? undefined : runs.get(id)
  return run !== undefined && !runMachine.final.has(run.status)
}

function removeRun(records: Records, id: RunId): void {
  records.runs.delete(id)
  for (const record of records.invocations.values()) {
    if (record.runId === id) records.invocations.delete(record.id)
  }
  for (const [key, attempt] of records.attempts) if (attempt.runId === id) records.attempts.delete(key)
  for (const event of records.events) if (event.runId === id) records.opIds.delete(event.opId)
  removeOf(records.events, id)
  removeOf(records.groups, id)
}

function removeOf(list: { readonly runId: RunId | null }[], id: RunId): void {
  const kept = list.filter(({ runId }) => runId !== id)
  list.length = 0
  for (const item of kept) list.push(item)
}

/** Blobs are common to all partitions. */
function sweepBlobs(all: readonly Records[], blobs: Blobs, before: number): Promise<number> {
  // Mostly there is none that is old enough to be asked for.
  let known: ReadonlySet<string> | null = null
  const named = (): ReadonlySet<string> =>
    new Set(all.flatMap((records) => JSON.stringify(storedValues(records)).match(blobHashPattern) ?? []))
  return blobs.sweep(before, (hash: BlobHash) => {
    known ??= named()
    return known.has(hash)
  })
}

const storedValues = (records: Records): readonly unknown[] => [
  ...[records.runs, records.invocations, records.attempts].flatMap((map) => [...map.values()]),
  ...[records.registers, records.outbox, records.deadLetters].flatMap((map) => [...map.values()]),
  records.events,
]
