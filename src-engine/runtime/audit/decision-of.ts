/** The decision of a person, or for want of one, that the events of one checkpoint tell of. */

import { crashCauses } from '../../core/control/note-crash.ts'
import { abandonCause } from '../../core/saga/undo-chain.ts'
import type { ApprovalDecision, ApprovalOutcome } from '../../model/approval.ts'
import type { EngineEvent } from '../../model/event.ts'
import { runIdOf } from '../../model/ids.ts'
import { isJsonObject } from '../../model/json.ts'
import { policyRegisterKey } from '../../model/policy/policy-snapshots.ts'
import type { AuditAct, AuditEntry, AuditSubject } from '../../protocol/audit.ts'
import { outputPolicyKey } from '../output-policy/policy-register.ts'

/** A decision before it is known what its run and step are called, and what was said in a payload. */
export interface FoundDecision
  extends Pick<AuditEntry, 'at' | 'about' | 'act' | 'by' | 'reason' | 'runId' | 'invocationId' | 'hash'> {
  readonly event: EngineEvent
  /** What was said with an approval; null for nothing, or where `reason` has it. */
  readonly comment: ApprovalDecision['comment']
}

type Meaning = readonly [about: AuditSubject, act: AuditAct]

const actOfOutcome: Readonly<Record<ApprovalOutcome, AuditAct>> = {
  approved: 'approved',
  rejected: 'rejected',
  changes: 'pushed-back',
  expired: 'expired',
}

const actOfResolution: Readonly<Record<string, AuditAct>> = {
  'run-again': 'run-again',
  'take-as-done': 'taken-as-done',
  fail: 'failed',
}

/** By the kind of the cause; a detail is what somebody said, or something else. */
const meanings: Readonly<Record<string, Meaning>> = {
  'quarantine.seen': ['result', 'seen'],
  'quarantine.released': ['result', 'released'],
  'quarantine.discarded': ['result', 'discarded'],
  cancel: ['run', 'cancelled'],
  [crashCauses.asked]: ['run', 'crashed'],
  pause: ['run', 'paused'],
  resume: ['run', 'resumed'],
  skip: ['run', 'skipped'],
  skipped: ['run', 'skipped'],
  retry: ['run', 'retried'],
  compensate: ['rollback', 'compensated'],
  [abandonCause]: ['rollback', 'abandoned'],
  'dlq.replay': ['dead-letter', 'replayed'],
  'dlq.discard': ['dead-letter', 'discarded'],
}

/** Null for events that nobody's decision is behind. */
export function decisionOf(events: readonly EngineEvent[]): FoundDecision | null {
  const [first] = events
  if (first === undefined) return null
  return approvalOf(events) ?? (first.actor.kind === 'operator' ? operators(events, first) : null)
}

/** A question that was answered, or is over. */
function approvalOf(events: readonly EngineEvent[]): FoundDecision | null {
  for (const event of events) {
    const { body, cause, at } = event
    if (body.type !== 'invocation.changed') continue
    const given = body.set.dispatch?.approval
    // It stays on the record: only the change that brought it decides something.
    if (given === undefined || given.at !== at) continue
    if (cause.kind !== 'approval' && given.outcome !== 'expired') continue
    const { outcome, by, hash, comment } = given
    return { ...found(event, ['approval', actOfOutcome[outcome]]), by, hash, comment, reason: null }
  }
  return null
}

function operators(events: readonly EngineEvent[], first: EngineEvent): FoundDecision | null {
  const { kind, detail } = first.cause
  if (first.body.type === 'register.changed') return policyOf(first)
  if (first.runId === null) return null
  if (kind === 'decision') {
    const act = actOfResolution[detail ?? '']
    return act === undefined ? null : { ...found(first, ['effect', act]), reason: null }
  }
  const meaning = Object.hasOwn(meanings, kind) ? meanings[kind] : undefined
  if (meaning === undefined) return null
  const [about, act] = meaning
  if (about === 'dead-letter') return { ...found(first, meaning), reason: null }
  if (about === 'rollback') return { ...found(first, meaning), invocationId: null }
  if (!isAnswerToRollback(first)) return found(first, meaning)
  const { invocationId } = stepUndone(events) ?? { invocationId: null }
  return { ...found(first, ['rollback', act]), invocationId }
}

/** What failed is tried anew, or passed over: the run goes on being undone. */
const isAnswerToRollback = ({ body }: EngineEvent): boolean =>
  body.type === 'run.changed' && body.from === 'COMPENSATION_FAILED'

/** What undoes the step that it is about; null for several. */
function stepUndone(events: readonly EngineEvent[]): EngineEvent | null {
  const begun = events.filter(({ body }) => body.type === 'invocation.registered')
  return begun.length === 1 ? (begun[0] ?? null) : null
}

function policyOf(event: EngineEvent): FoundDecision | null {
  const { body } = event
  if (body.type !== 'register.changed' || !isJsonObject(body.value)) return null
  if (body.key === policyRegisterKey) {
    const { current } = body.value
    const hash = typeof current === 'string' ? current : null
    return { ...found(event, ['policy', hash === null ? 'cleared' : 'set']), hash }
  }
  if (body.key !== outputPolicyKey) return null
  const isSet = body.value['document'] !== undefined
  const hash = isSet ? event.cause.detail : null
  return { ...found(event, ['output-policy', isSet ? 'set' : 'cleared']), hash, reason: null }
}

function found(event: EngineEvent, [about, act]: Meaning): FoundDecision {
  const { at, cause, invocationId } = event
  const runId = event.runId ?? (invocationId === null ? null : runIdOf(invocationId))
  const by = cause.by
  const reason = cause.detail === '' ? null : cause.detail
  return { event, at, about, act, by, reason, runId, invocationId, hash: null, comment: null }
}
