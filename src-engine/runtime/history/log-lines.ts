/** The entries that one event stands for: what happened, and what the try that it ended had printed. */

import type { AttemptRecord, LogLine } from '../../model/attempt.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { EngineEvent } from '../../model/event.ts'
import type { RunId } from '../../model/ids.ts'
import { nodeIdOf, runIdOf } from '../../model/ids.ts'
import type { HistoryTitles, LogEntry } from '../../protocol/history.ts'
import type { PayloadStore } from '../payload-store.ts'
import { eventWords } from './event-words.ts'
import { placeOf, placeText } from './places.ts'

/** An entry before it is known what its workflow is called. */
export type FoundEntry = Omit<LogEntry, keyof HistoryTitles>

/** How many logs that don't lie in their events one answer reads. */
const logsReadMax = 100

/** Reads the logs of tries, as many as one answer may. */
export interface LogReader {
  readonly linesOf: (attempt: AttemptRecord) => Promise<readonly LogLine[]>
}

export function createLogReader(payloads: Pick<PayloadStore, 'value'>): LogReader {
  let left = logsReadMax
  return {
    linesOf: async (attempt) => {
      const { log } = attempt
      if (log === null) return []
      if (log.kind !== 'inline') left -= 1
      if (left < 0) return [unread(attempt, 'There are too many large logs to read all of them at once.')]
      try {
        // The engine wrote it as an array of lines.
        return (await payloads.value(log)) as unknown as readonly LogLine[]
      } catch (thrown) {
        return [unread(attempt, recordOfThrown(thrown).message)]
      }
    },
  }
}

/** What isn't shown is told. */
const unread = ({ endedAt }: AttemptRecord, why: string): LogLine => ({
  at: endedAt,
  level: 'warn',
  stream: 'task',
  text: `Its log isn’t read here: ${why}`,
})

/** What the event says itself. */
export function entryOfEvent(event: EngineEvent): FoundEntry {
  const { body, actor, invocationId } = event
  const changed = body.type === 'invocation.changed' ? body : null
  const acting = actor.kind === 'runner' ? actor.id : null
  const owner = changed?.attempt?.runnerId ?? changed?.set.lease?.runnerId ?? null
  const skipped = body.type === 'node.skipped' ? body.nodeId : null
  return {
    id: placeText(placeOf(event)),
    at: event.at,
    stream: 'event',
    ...eventWords(event),
    ...{ runId: runOf(event), invocationId, seq: event.seq },
    nodeId: invocationId === null ? skipped : nodeIdOf(invocationId),
    runnerId: owner ?? (acting as FoundEntry['runnerId']),
  }
}

const runOf = ({ runId, invocationId }: EngineEvent): RunId | null =>
  runId ?? (invocationId === null ? null : runIdOf(invocationId))

/** What a try had printed, as the event that ended it has it. */
export async function entriesOfLog(event: EngineEvent, reader: LogReader): Promise<readonly FoundEntry[]> {
  const { body } = event
  if (body.type !== 'invocation.changed' || body.attempt === null) return []
  const { attempt } = body
  const place = placeText(placeOf(event))
  const lines = await reader.linesOf(attempt)
  return lines.map((line, index) => ({
    id: `${place}:${index}`,
    ...line,
    ...{ runId: attempt.runId, invocationId: attempt.invocationId, runnerId: attempt.runnerId },
    nodeId: nodeIdOf(attempt.invocationId),
    seq: event.seq,
  }))
}
