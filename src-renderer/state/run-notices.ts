/** Tells a person who looks at something else how runs ended. */

import type { EngineEvent } from '../../src-engine/model/event.ts'
import { noticeOfEnds } from '../../src-engine/protocol/ended-runs.ts'
import type { RunNotices } from '../../src-engine/protocol/notices.ts'
import { runsToTell } from '../../src-engine/protocol/notices.ts'
import type { Designer } from './designer.ts'

/** Gives who looks at events; in the desktop app its settings say which runs are told of. */
export function startRunNotices(designer: Designer): (events: readonly EngineEvent[]) => void {
  const tell = async (events: readonly EngineEvent[]): Promise<void> => {
    // Asked only where something ended at all.
    if (runsToTell(events, 'ended').length === 0) return
    const notice = await noticeOfEnds(designer.connection, events, await wanted(designer))
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
