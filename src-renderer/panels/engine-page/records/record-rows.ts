/** Records of triggers as rows for people. Pure. */

import type { FiringRecord } from '../../../../src-engine/model/trigger.ts'
import { triggerSpecsByKind } from '../../../../src-engine/triggers/specs.ts'
import type { RecordsState } from '../../../state/records-store.ts'
import { fill } from '../../../text/messages.ts'
import { records as words } from '../../../text/record-words.ts'
import { skipWords } from '../../../text/trigger-words.ts'
import { momentWords } from '../../../ui/time-words.ts'

/** Those of the outcome, newest first; one that somebody was led to is among them wherever it is. */
export function shownFirings(
  firings: readonly FiringRecord[],
  { outcome, led }: Pick<RecordsState, 'outcome' | 'led'>,
): readonly FiringRecord[] {
  const all = led === null || firings.some(({ id }) => id === led.id) ? firings : [...firings, led]
  if (outcome === 'all') return all
  return all.filter(({ runId }) => (runId === null) === (outcome === 'skipped'))
}

/** Its kind, where its trigger has no title any more that anybody knows. */
export function titleOfFiring({ kind, triggerId }: FiringRecord, title?: string | null): string {
  const spec = triggerSpecsByKind.get(kind)
  return title ?? (spec === undefined ? triggerId : `${spec.title} · ${triggerId}`)
}

/** What came of it. */
export function outcomeWords({ runId, reason }: FiringRecord): string {
  if (runId !== null) return words.started
  return fill(words.skipped, { why: reason === null ? '' : (skipWords[reason] ?? reason) })
}

/** The slots that it stands for; null for what isn't on a schedule. */
export function slotWords({ slots }: FiringRecord): string | null {
  if (slots === null) return null
  const [from, to] = [momentWords(slots.from), momentWords(slots.to)]
  return slots.count === 1
    ? fill(words.oneSlot, { from })
    : fill(words.slots, { count: String(slots.count), from, to })
}
