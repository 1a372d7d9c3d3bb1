/** The notice of runs that ended: whoever follows the events asks the engine for what to say of them. */

import type { EngineEvent } from '../model/event.ts'
import type { EngineClient } from './client.ts'
import type { Notice, RunNotices } from './notices.ts'
import { runNotice, runsToTell } from './notices.ts'

/** More runs that end at once are told by the first of them. */
const runsLookedAtMax = 10

/** What a person who wants to know of `which` is told of these events; null for nothing. Throws when the line breaks. */
export async function noticeOfEnds(
  { call }: Pick<EngineClient, 'call'>,
  events: readonly EngineEvent[],
  which: RunNotices,
): Promise<Notice | null> {
  const ids = runsToTell(events, which).slice(0, runsLookedAtMax)
  const found = await Promise.all(ids.map((runId) => call('runs.get', { runId })))
  return runNotice(found.map(({ run }) => run))
}
