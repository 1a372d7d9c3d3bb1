/** Keeps the inbox fresh, tells a person who looks elsewhere of what comes new, and hands over what a person decides. */

import type { ApprovalAnswer } from '../../src-engine/model/approval.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import type { ApprovalView, InboxEntry } from '../../src-engine/protocol/approvals.ts'
import { decisionNotice, freshOf, touchesInbox } from '../../src-engine/protocol/notices.ts'
import type { Designer } from './designer.ts'
import { followList, wholeList } from './follow-list.ts'

/** Loads it now, when the line comes back, and after events that touch it. Gives who looks at events. */
export function startInbox(designer: Designer): (events: readonly EngineEvent[]) => void {
  designer.inbox.subscribe((state, before) => {
    const notice = before.isLoaded ? decisionNotice(freshOf(before.entries, state.entries)) : null
    if (notice !== null) designer.notices.show(notice)
    if (before.entries.length !== state.entries.length) designer.notices.setBadge(state.entries.length)
  })
  return followList(designer, { delayMs: 300, touches: touchesInbox, load: () => loadInbox(designer) })
}

/** Asks for all that waits, as far as a person can read it. */
export async function loadInbox(designer: Designer): Promise<void> {
  const { setEntries, setError } = designer.inbox.getState()
  try {
    const { items, hasMore } = await wholeList<InboxEntry, InvocationId>(async (after) => {
      const query = { runId: null, approver: null, after, limit: pageSizeMax }
      const { entries, next } = await designer.connection.call('approvals.list', query)
      return { items: entries, next }
    })
    setEntries(items, hasMore)
  } catch (thrown) {
    // It is asked for again when the line is back; until then the page says why it is empty.
    setError(recordOfThrown(thrown))
  }
}

/** Who decides here; kept between visits. */
export const personOf = (designer: Designer): string => designer.memory.read('sagasmith.person') ?? ''
export const setPerson = (designer: Designer, name: string): void =>
  designer.memory.write('sagasmith.person', name)

/** A decision about exactly what was seen; throws what the engine refuses. */
export async function decideApproval(
  designer: Designer,
  { runId, invocationId, hash }: ApprovalView,
  decision: {
    readonly answer: ApprovalAnswer
    readonly values: JsonObject | null
    readonly comment: string | null
    readonly by: string | null
  },
): Promise<'decided' | 'already'> {
  const { result } = await designer.connection.call('approvals.decide', {
    runId,
    invocationId,
    hash,
    ...decision,
  })
  void loadInbox(designer)
  return result
}
