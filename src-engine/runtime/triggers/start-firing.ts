/**
 * Starts the run of an occurrence, or says why not: in one checkpoint with the occurrence's record and with the
 * trigger's own move. So it has one run or one reason, whatever crashes in between and whoever comes second.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { runId as asRunId } from '../../model/ids.ts'
import type { Permit } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { atHome } from '../../model/partition.ts'
import type { Instant } from '../../model/time.ts'
import type { FiringRecord, SkipReason, TriggerRecord } from '../../model/trigger.ts'
import { firingIdOf, firingKey, firingValue } from '../../model/trigger.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Admission } from '../admission.ts'
import type { Definitions } from '../definitions.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { RegisterGuard } from '../register-look.ts'
import type { RunStarter } from '../starting/run-starter.ts'
import type { ExpressionParts } from './event-match.ts'
import type { GuardedWrite, StoredTrigger, TriggerRegistersParts } from './trigger-registers.ts'
import { loadFiring, movedTrigger, writeRegisters } from './trigger-registers.ts'

export interface FireParts extends TriggerRegistersParts, ExpressionParts {
  readonly starter: RunStarter
  readonly definitions: Definitions
  readonly payloads: PayloadStore
  readonly admission: Admission
}

/** What occurred, and what it is to lead to. */
export interface Occurrence {
  /** By which a repeat is known, within its trigger and instant. */
  readonly id: string
  readonly at: Instant
  readonly sources: FiringRecord['sources']
  readonly slots: FiringRecord['slots']
  readonly words: string
  readonly depth: number
}

export interface ToFire {
  readonly trigger: StoredTrigger
  readonly occurrence: Occurrence
  /** What the trigger is after it; null where it stays as it is and isn't written. */
  readonly move: { readonly record: TriggerRecord; readonly dueAt: Instant | null } | null
  /** What must hold, or is written, beside that. */
  readonly guards: readonly RegisterGuard[]
  readonly also: readonly GuardedWrite[]
}

export interface ToStart extends ToFire {
  readonly input: JsonValue
  /** The request that the occurrence is: the same from whoever fires it, readable in the run's id. */
  readonly request: string
  /** Who waits for whom. */
  readonly line?: Permit
}

/**
 * `met`: it is a condition, and what it is one of has not all that it needs. `lost`: somebody else moved the trigger;
 * look again. `known`: the occurrence had its record already.
 */
export type Fired =
  | { readonly kind: 'met'; readonly firingId: string; readonly words: string }
  | { readonly kind: 'started'; readonly runId: RunId; readonly firingId: string }
  | { readonly kind: 'skipped'; readonly firingId: string; readonly reason: SkipReason }
  | { readonly kind: 'known' | 'lost' }

/** At home: it begins in one checkpoint with its trigger. */
export const runOfRequest = (request: string): RunId =>
  asRunId(`run_req_${encodeURIComponent(request)}${atHome}`)

/** Refusals that come again with every try: who waits for them to go away waits for ever. */
const lastingRefusals: ReadonlySet<string> = new Set([
  'workflow_not_found',
  'document_invalid',
  'task_kind_unknown',
  'payload_too_large',
])

/** Starts the run; skips where it can't be started as things are. Throws what may pass: then nothing is decided. */
export async function startFiring(parts: FireParts, fired: ToStart): Promise<Fired> {
  const { record } = fired.trigger
  let prepared: { readonly document: WorkflowDocument; readonly input: string }
  try {
    prepared = await prepare(parts, record, fired.input)
  } catch (thrown) {
    const reason = skipReasonOf(thrown)
    if (reason === null || !(thrown instanceof SagasmithError)) throw thrown
    return skipFiring(parts, fired, { reason, words: thrown.message })
  }
  return begin(parts, fired, prepared)
}

function skipReasonOf(thrown: unknown): SkipReason | null {
  if (!(thrown instanceof SagasmithError)) return null
  if (thrown.code === 'input_invalid') return 'input_invalid'
  return lastingRefusals.has(thrown.code) ? 'not_startable' : null
}

async function prepare(
  { definitions, admission }: FireParts,
  { definitionHash }: TriggerRecord,
  input: JsonValue,
): Promise<{ readonly document: WorkflowDocument; readonly input: string }> {
  const { document: text } = await definitions.version(definitionHash)
  // Documents are JSON by construction.
  const document = JSON.parse(text) as WorkflowDocument
  return { document, input: JSON.stringify(admission.admitInput(document, input)) }
}

async function begin(
  parts: FireParts,
  fired: ToStart,
  { document, input }: { readonly document: WorkflowDocument; readonly input: string },
): Promise<Fired> {
  const { record } = fired.trigger
  const id = runOfRequest(fired.request)
  const firing = firingOf(parts, fired, { runId: id, reason: null, words: fired.occurrence.words })
  const { line } = fired
  const hasBegun = await parts.starter.begin({
    id,
    document,
    hash: record.definitionHash,
    input: await parts.payloads.keep(input),
    seed: id,
    actor: 'trigger',
    record: {
      requestId: fired.request,
      baseDirectory: record.baseDirectory,
      cause: { kind: `trigger:${record.kind}`, by: firing.id, detail: firing.words },
    },
    registers: joined(fired, firing),
    ...(line === undefined ? {} : { line }),
  })
  if (hasBegun) return { kind: 'started', runId: id, firingId: firing.id }
  if ((await loadFiring(parts, firing.id)) !== null) return { kind: 'known' }
  // The run may be there and its record not: records are kept for a time, and clocks go back.
  const run = await parts.store.load(parts.partition, 'run', { runId: id })
  return { kind: run === null ? 'lost' : 'known' }
}

/** Writes that the occurrence started nothing, and why. */
export async function skipFiring(
  parts: TriggerRegistersParts,
  fired: ToFire,
  { reason, words }: { readonly reason: SkipReason; readonly words: string },
): Promise<Fired> {
  const firing = firingOf(parts, fired, { runId: null, reason, words })
  if (await writeRegisters(parts, writesOf(fired, firing), fired.guards))
    return { kind: 'skipped', firingId: firing.id, reason }
  return (await loadFiring(parts, firing.id)) === null ? { kind: 'lost' } : { kind: 'known' }
}

/** The record of what came of an occurrence. */
export function firingOf(
  { clock }: Pick<TriggerRegistersParts, 'clock'>,
  { trigger: { record }, occurrence }: ToFire,
  outcome: Pick<FiringRecord, 'runId' | 'reason' | 'words'> &
    Partial<Pick<FiringRecord, 'conditionOf' | 'carried'>>,
): FiringRecord {
  const { workflowId, triggerId, kind } = record
  const { slots, sources, depth } = occurrence
  const id = firingIdOf(record, occurrence)
  const at = clock.now()
  const alone = { conditionOf: [], carried: null }
  return { id, workflowId, triggerId, kind, at, ...alone, ...outcome, slots, sources, depth }
}

/** What is written beside the run: the record as a new one, and the trigger as it is after it. */
function writesOf({ trigger, move, also }: ToFire, firing: FiringRecord): readonly GuardedWrite[] {
  const kept = { key: firingKey(firing.id), version: 0, value: firingValue(firing) }
  if (move === null) return [kept, ...also]
  const { record, dueAt } = move
  const { at, id: firingId, runId, reason } = firing
  const told: TriggerRecord =
    runId === null
      ? {
          ...record,
          lastSkip: reason === null ? record.lastSkip : { at, firingId, reason },
          skippedCount: record.skippedCount + (firing.slots?.count ?? 1),
        }
      : { ...record, lastFired: { at, firingId, runId }, firedCount: record.firedCount + 1 }
  return [movedTrigger(trigger, { record: told, dueAt }), kept, ...also]
}

const joined = (fired: ToFire, firing: FiringRecord) => [
  ...writesOf(fired, firing).flatMap(({ value, ...write }) => (value === null ? [] : [{ ...write, value }])),
  ...fired.guards,
]
