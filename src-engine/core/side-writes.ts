/** What a decision writes beside its run's records: dead letters, permits, effects on other runs. */

import type { OutboxRecord, Writes } from '../model/checkpoint.ts'
import { noWrites } from '../model/checkpoint.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { deadLettersOf } from './control/letters-of-ends.ts'
import type { EndedDraft } from './forgetting.ts'
import { withForgetting } from './forgetting.ts'
import { withScans } from './output/scan-effects.ts'
import { addRunPermitWrites } from './permits/held-by-run.ts'
import type { PermitWrites } from './permits/held-permits.ts'
import { addPermitWrites } from './permits/held-permits.ts'
import { addInsideWrites } from './permits/inside-permits.ts'
import type { RunState } from './run-state.ts'

/** What of a draft this needs. */
interface WrittenDraft extends EndedDraft {
  readonly state: Pick<RunState, 'run' | 'kept' | 'workflow' | 'invocations' | 'insideCounts'>
  readonly outbox: ReadonlyMap<string, OutboxRecord> | null
}

/** The writes of a finished draft without its records: mostly none. */
export function sideWrites(draft: WrittenDraft, records: readonly InvocationRecord[]): Writes {
  const { run, context, state } = draft
  const { now, needsScan = null } = context
  const before = state.invocations
  const { outbox: own } = draft
  const scans = needsScan === null ? own : withScans({ run, now, records, before, outbox: own }, needsScan)
  const outbox = withForgetting(draft, records, scans)
  const letters = deadLettersOf({ run, now, records, before })
  const permits = permitWrites(draft, records)
  if (letters === null && permits === null && outbox === null) return noWrites
  const effects = outbox === null ? [] : [...outbox.values()]
  return { ...noWrites, ...permits, deadLetters: letters ?? [], outbox: effects }
}

function permitWrites(draft: WrittenDraft, records: readonly InvocationRecord[]): PermitWrites | null {
  const { run, state, created } = draft
  let writes: PermitWrites | null = null
  if (run.permits !== null) {
    writes = { take: [], release: [] }
    addRunPermitWrites(writes, { before: created ? null : state.run, after: run }, draft.context.now)
  }
  for (const record of records) {
    if (record.permits === null) continue
    writes ??= { take: [], release: [] }
    addPermitWrites(
      writes,
      { before: draft.state.invocations.get(record.id), after: record },
      draft.context.now,
    )
  }
  if (!state.workflow.hasBodies) return writes
  const inside: PermitWrites = { take: [], release: [] }
  addInsideWrites(inside, { state, records })
  if (inside.take.length + inside.release.length === 0) return writes
  writes ??= { take: [], release: [] }
  writes.take.push(...inside.take)
  writes.release.push(...inside.release)
  return writes
}
