/** Keeps the inbox fresh, tells a person who looks elsewhere of what comes new, and hands over what a person decides. */

import type { ApprovalAnswer } from '../../src-engine/model/approval.ts'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { pageSizeMax } from '../../src-engine/model/limits.ts'
import type { ApprovalView, InboxEntry } from '../../src-engine/protocol/approvals.ts'
import { approvals as words } from '../text/approval-words.ts'
import type { Designer } from './designer.ts'
import { followList, wholeList } from './follow-list.ts'

/** Whether an event may bring an entry or take one away. Pure. */
export function touchesInbox({ body }: Pick<EngineEvent, 'body'>): boolean {
  if (body.type === 'run.changed')
    return body.to === 'PAUSED' || body.from === 'PAUSED' || typeof body.set.finishedAt === 'number'
  if (body.type !== 'invocation.changed') return false
  // While it waits, it may be put more urgently or be asked about anew.
  return body.to === 'APPROVAL_REQUIRED' || body.from === 'APPROVAL_REQUIRED'
}

/** Loads it now, when the line comes back, and after events that touch it. Gives who looks at events. */
export function startInbox(designer: Designer): (events: readonly EngineEvent[]) => void {
  designer.inbox.subscribe((state, before) => {
    if (before.isLoaded) tellPerson(designer, freshOf(before.entries, state.entries))
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

/** What is asked now and wasn't before: new, asked about anew, or put more urgently. Pure. */
export function freshOf(before: readonly InboxEntry[], now: readonly InboxEntry[]): readonly InboxEntry[] {
  const known = new Set(before.map(keyOf))
  return now.filter((entry) => !known.has(keyOf(entry)))
}

const keyOf = (entry: InboxEntry): string =>
  entry.kind === 'effect'
    ? entry.invocationId
    : `${entry.invocationId} ${entry.revision} ${entry.escalatedAt === null ? '' : 'urgent'}`

/** One notice for all that came at once; the system shows it where its user wants it. */
function tellPerson(designer: Designer, fresh: readonly InboxEntry[]): void {
  const [first] = fresh
  if (first === undefined || globalThis.document.hasFocus()) return
  const more = fresh.length === 1 ? '' : ` (+${fresh.length - 1})`
  designer.notices.show({
    title: words.notice,
    body: `${first.workflowTitle}: ${titleOfEntry(first)}${more}`.slice(0, 1_000),
    onClick: () => designer.view.getState().setEnginePage('inbox'),
  })
}

/** What an entry is about, in one line. */
export const titleOfEntry = (entry: InboxEntry): string =>
  entry.kind === 'approval' && entry.title !== '' ? entry.title : entry.nodeTitle

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
