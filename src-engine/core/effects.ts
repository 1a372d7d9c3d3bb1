/** What a decision means for other runs: part of its checkpoint, brought about after it. */

import type { ApprovalWait } from '../model/approval.ts'
import type { OutboxRecord } from '../model/checkpoint.ts'
import type { CircuitOutcome } from '../model/circuit.ts'
import type { AskedEnd, Effect, EmittedEvent, RunLink } from '../model/effect.ts'
import { outboxRecordOf, startIdOf } from '../model/effect.ts'
import type { InvocationId, RunId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { OutputStanding } from '../model/output/output-check.ts'
import type { RunRecord } from '../model/run.ts'
import type { Instant } from '../model/time.ts'

/** What of a draft this needs; effects by id, null while there are none. */
interface EffectDraft {
  readonly context: { readonly now: Instant }
  readonly run: RunRecord
  outbox: Map<string, OutboxRecord> | null
}

function add(draft: EffectDraft, id: string, effect: Effect): void {
  draft.outbox ??= new Map()
  draft.outbox.set(id, outboxRecordOf(id, effect, draft.context.now))
}

/** A step starts a run. */
export const startsRun = (draft: EffectDraft, child: Extract<Effect, { kind: 'run.start' }>['child']): void =>
  add(draft, startIdOf(child.runId), { kind: 'run.start', child })

const followId = (draft: EffectDraft, child: RunId): string => `follow:${child}:${draft.run.version}`

/** The step's own state has changed for the run it waits for; it waits for none: nothing. */
export function bindsRun(draft: EffectDraft, record: InvocationRecord): void {
  if (record.wait?.kind !== 'run') return
  const { runId } = record.wait
  const link: RunLink = { runId, parentRunId: record.runId, parentInvocationId: record.id }
  add(draft, followId(draft, runId), { kind: 'run.follow', link, at: draft.context.now })
}

/** The run has ended by itself: there is nothing in it to cancel. */
export function leavesRunAlone(draft: EffectDraft, child: RunId): void {
  draft.outbox?.delete(followId(draft, child))
  if (draft.outbox?.size === 0) draft.outbox = null
}

/** The run has ended: a step of another run may wait for that. */
export function tellsParent(draft: EffectDraft): void {
  const { id, parentRunId, parentInvocationId, version } = draft.run
  if (parentRunId === null || parentInvocationId === null) return
  const link: RunLink = { runId: id, parentRunId, parentInvocationId }
  add(draft, `ended:${id}:${version}`, { kind: 'run.ended', link })
}

/** What the ended run gave counts no more, or counts again, because of this step: its parent may have it, too. */
export function tellsResult(draft: EffectDraft, of: InvocationId, standing: OutputStanding): void {
  const { id, parentRunId, parentInvocationId } = draft.run
  if (parentRunId === null || parentInvocationId === null) return
  const link: RunLink = { runId: id, parentRunId, parentInvocationId }
  add(draft, `result:${of}:${standing}`, { kind: 'run.result', link, of })
}

/** The step that started the run is undone: so is the run. */
export const undoesRun = (draft: EffectDraft, link: RunLink): void =>
  add(draft, `undo:${link.runId}:${draft.run.version}`, { kind: 'run.undo', link })

/** A step that a circuit breaker let in goes on, fails or is ended: the breaker hears of it. */
export function tellsCircuit(draft: EffectDraft, before: InvocationRecord, after: InvocationRecord): void {
  if (before.wait?.kind !== 'turn' || before.wait.circuit === undefined) return
  const { id, begunAt, rules, place } = before.wait.circuit
  const outcome = outcomes[after.status] ?? 'left'
  const error = outcome === 'failed' ? (after.error?.code ?? null) : null
  const told = { id, of: after.id, outcome, begunAt, at: draft.context.now, error, rules, place }
  add(draft, `circuit:${after.id}`, { kind: 'circuit.told', told })
}

/** Whoever was ended by others says nothing of what is protected. */
const outcomes: Readonly<Record<string, CircuitOutcome>> = {
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  TIMEOUT: 'failed',
}

/** A step asks another run, or its own, to end. */
export const asksToEnd = (draft: EffectDraft, asked: AskedEnd): void =>
  add(draft, `cancel:${asked.runId}:${asked.by}`, { kind: 'run.cancel', asked })

/** People are told elsewhere that a step asks, or asks more urgently, where it says so. */
export function tellsPeople(
  draft: EffectDraft,
  { id, runId }: Pick<InvocationRecord, 'id' | 'runId'>,
  { tells, revision, escalatedAt }: Pick<ApprovalWait, 'tells' | 'revision' | 'escalatedAt'>,
): void {
  if (tells !== true) return
  const occasion = escalatedAt === null ? 'asked' : 'escalated'
  const told = { runId, invocationId: id, revision, occasion } as const
  add(draft, `told:${id}:${revision}:${occasion}`, { kind: 'approval.told', told })
}

/** A step tells something to whom it may concern. */
export const emits = (draft: EffectDraft, event: EmittedEvent): void =>
  add(draft, `event:${event.messageId}`, { kind: 'event.emitted', event })
