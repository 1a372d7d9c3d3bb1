/** Tells a person who looks at something else how runs ended. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { RunNotices } from '../../src-engine/protocol/notices.ts'
import { runNotice, runsToTell } from '../../src-engine/protocol/notices.ts'
import type { Designer } from './designer.ts'

/** More runs that end at once are told by the first of them. */
const runsLookedAtMax = 10

/** Gives who looks at events; in the desktop app its settings say which runs are told of. */
export function startRunNotices(designer: Designer): (events: readonly EngineEvent[]) => void {
  const tell = async (events: readonly EngineEvent[]): Promise<void> => {
    // Asked only where something ended at all.
    if (runsToTell(events, 'ended').length === 0) return
    const ids = runsToTell(events, await wanted(designer)).slice(0, runsLookedAtMax)
    const found = await Promise.all(ids.map((runId) => designer.connection.call('runs.get', { runId })))
    const notice = runNotice(found.map(({ run }) => run))
    if (notice !== null) designer.notices.show(notice)
  }
  // A line that breaks takes its question with it; the run is in the list all the same.
  return (events) => void tell(events).catch(() => undefined)
}

async function wanted({ desktop, notices }: Designer): Promise<RunNotices> {
  if (desktop === null) return notices.permission() === 'granted' ? 'failed' : 'none'
  const settings = await desktop.getSettings()
  return settings.ok ? settings.value.runNotices : 'failed'
}
