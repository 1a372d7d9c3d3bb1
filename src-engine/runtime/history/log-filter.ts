/** Whether an entry of the log is one that is looked for. Pure. */

import { stepPlaceOf } from '../../model/ids.ts'
import type { LogQuery } from '../../protocol/history.ts'
import { logLevels } from '../../protocol/history.ts'
import type { FoundEntry } from './log-lines.ts'

export type EntryFilter = (entry: FoundEntry) => boolean

/** The filter of a question, but for its step: that may be a title, which has to be read. */
export function entryFilter(query: Omit<LogQuery, 'step'>): EntryFilter {
  const { source, runId, runnerId, since, until } = query
  const least = logLevels.indexOf(query.level)
  const text = query.text?.trim().toLowerCase() ?? ''
  return (entry) =>
    logLevels.indexOf(entry.level) >= least &&
    (source === 'all' || (source === 'events') === (entry.stream === 'event')) &&
    (runId === null || entry.runId === runId) &&
    (runnerId === null || entry.runnerId === runnerId) &&
    (since === null || entry.at >= since) &&
    (until === null || entry.at < until) &&
    (text === '' || says(entry, text))
}

/** Whether an entry is about the step of that id or place. */
export const isOfStep = (
  { nodeId, invocationId }: Pick<FoundEntry, 'nodeId' | 'invocationId'>,
  step: string,
): boolean =>
  nodeId === step || (invocationId !== null && (invocationId === step || stepPlaceOf(invocationId) === step))

/** What is pasted may be an id: of the run, of the step, of the runner. */
const says = ({ text, runId, invocationId, nodeId, runnerId }: FoundEntry, wanted: string): boolean =>
  [text, invocationId ?? nodeId, runId, runnerId].some(
    (word) => word?.toLowerCase().includes(wanted) === true,
  )
