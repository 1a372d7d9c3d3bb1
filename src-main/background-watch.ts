/**
 * While the engine goes on without a window, nobody's page tells what waits for a person: this does, over a
 * line of its own to the engine, with the same words.
 */

import type { EngineEvent } from '../src-engine/model/event.ts'
import { pageSizeMax } from '../src-engine/model/limits.ts'
import type { InboxEntry } from '../src-engine/protocol/approvals.ts'
import type { Channel } from '../src-engine/protocol/channel.ts'
import type { EngineClient } from '../src-engine/protocol/client.ts'
import { createClient } from '../src-engine/protocol/client.ts'
import { noticeOfEnds } from '../src-engine/protocol/ended-runs.ts'
import type { Notice, RunNotices } from '../src-engine/protocol/notices.ts'
import { decisionNotice, freshOf, touchesInbox } from '../src-engine/protocol/notices.ts'

export interface BackgroundWatchDeps {
  /** A new line to the engine; null while it is down. */
  readonly open: () => Channel | null
  readonly runNotices: () => RunNotices
  readonly tell: (notice: Notice) => void
  readonly setBadge: (count: number) => void
}

export interface BackgroundWatch {
  /** Begins, where it has not; what waits already is known and not told again. */
  readonly start: () => void
  readonly stop: () => void
}

/** Makes the watch; the app starts it when its last window closes. */
export function createBackgroundWatch(deps: BackgroundWatchDeps): BackgroundWatch {
  let client: EngineClient | null = null
  return {
    start: () => {
      const channel = client === null ? deps.open() : null
      if (channel === null) return
      const opened = createClient(channel, { token: null, readsGroups: true })
      client = opened
      void opened.closed.then(() => {
        if (client === opened) client = null
      })
      follow(opened, deps)
    },
    stop: () => {
      client?.close()
      client = null
    },
  }
}

function follow(client: EngineClient, deps: BackgroundWatchDeps): void {
  let known: readonly InboxEntry[] | null = null
  const ask = async (): Promise<void> => {
    const query = { runId: null, approver: null, after: null, limit: pageSizeMax }
    const { entries } = await client.call('approvals.list', query)
    const notice = known === null ? null : decisionNotice(freshOf(known, entries))
    if (notice !== null) deps.tell(notice)
    if (known?.length !== entries.length) deps.setBadge(entries.length)
    known = entries
  }
  const tellRuns = async (events: readonly EngineEvent[]): Promise<void> => {
    const notice = await noticeOfEnds(client, events, deps.runNotices())
    if (notice !== null) deps.tell(notice)
  }
  // A line that ends takes its questions with it; the next one asks anew.
  const quietly = (work: Promise<void>): void => void work.catch(() => undefined)
  quietly(ask())
  client.subscribe(
    { topic: { kind: 'runs' }, cursor: null },
    {
      events: (events) => {
        if (events.length === 0) return
        if (events.some(touchesInbox)) quietly(ask())
        quietly(tellRuns(events))
      },
    },
  )
}
