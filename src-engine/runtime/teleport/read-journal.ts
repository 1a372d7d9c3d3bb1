/** Reads the events of a run to their newest, checks them, and packs them for the file of pulled runs. */

import type { EngineEvent, PartitionCursor } from '../../model/event.ts'
import type { BlobHash, DefinitionHash, RunId } from '../../model/ids.ts'
import { eventBatchMax } from '../../model/limits.ts'
import type { PulledPage } from '../../store/pulled/pulled-file.ts'
import { pageOf } from '../../store/pulled/pulled-file.ts'
import type { Store } from '../../store/store.ts'
import { feedStart, partitionOfRun } from '../run-place.ts'
import type { JournalCheck } from './journal-check.ts'
import { damaged, linkProblem } from './journal-check.ts'
import { addNamedPayloads, addNamedVersions } from './named-by-events.ts'

/** Neighbours that are asked for at once. */
const neighboursMax = 16

export interface Journal {
  readonly runId: RunId
  readonly check: JournalCheck
  readonly pages: PulledPage[]
  readonly payloads: Set<BlobHash>
  /** Versions that the run was ever bound to. */
  readonly versions: Set<DefinitionHash>
}

/** Adds what comes after the journal's last event. Throws `teleport_journal_damaged`, and what reading throws. */
export async function readJournal(
  source: Store,
  journal: Journal,
  told: (events: number) => void,
): Promise<void> {
  const { runId } = journal
  const { check, pages, payloads, versions } = journal
  const start = feedStart(partitionOfRun(source.info, runId))
  for (let limit = eventBatchMax; ; ) {
    const last = check.last()
    const after: PartitionCursor = last === null ? start : placeOf(last)
    const found = await source.readEvents({ after, runId, until: null, limit })
    const isEnd = found.length < limit
    const events = isEnd ? found : withoutLastCheckpoint(found)
    if (!isEnd && events.length === 0) {
      // One checkpoint is more than a batch.
      limit *= 2
      continue
    }
    limit = eventBatchMax
    check.add(events)
    await checkNeighbours(source, runId, events)
    if (events.length > 0) pages.push(pageOf(events))
    addNamedPayloads(events, payloads)
    addNamedVersions(events, versions)
    told(check.count())
    if (isEnd) return
  }
}

const placeOf = ({ partition, epoch, seq }: EngineEvent): PartitionCursor => ({ partition, epoch, seq })

/** The hashes of a checkpoint's events are made of its whole text: it is read again as a whole. */
function withoutLastCheckpoint(events: readonly EngineEvent[]): readonly EngineEvent[] {
  const opId = events.at(-1)?.opId
  return events.slice(0, events.findLastIndex((event) => event.opId !== opId) + 1)
}

/**
 * What a text says is vouched for by the event that follows it in the feed, whichever run that tells of. The
 * newest one of a feed has no such neighbour yet.
 */
async function checkNeighbours(source: Store, runId: RunId, events: readonly EngineEvent[]): Promise<void> {
  const ends = events.filter((event, index) => {
    const next = events[index + 1]
    if (next?.opId === event.opId) return false
    return next === undefined || next.epoch !== event.epoch || next.seq !== event.seq + 1
  })
  for (let at = 0; at < ends.length; at += neighboursMax) {
    const problems = await Promise.all(
      ends.slice(at, at + neighboursMax).map(async (end) => {
        const [next] = await source.readEvents({ after: placeOf(end), runId: null, until: null, limit: 1 })
        return linkProblem(end, next)
      }),
    )
    const problem = problems.find((found) => found !== null)
    if (problem !== undefined && problem !== null) throw damaged(runId, problem)
  }
}
