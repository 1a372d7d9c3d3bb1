/**
 * What a decision about one run means for others: written in the decision's own checkpoint as an outbox
 * record, brought about after it, and again after a crash until it is done. Each is idempotent.
 */

import type { ApprovalOccasion } from './approval.ts'
import type { OutboxRecord } from './checkpoint.ts'
import type { ChildRun } from './child-run.ts'
import type { ToldCircuit } from './circuit.ts'
import type { BlobHash, InvocationId, RunId } from './ids.ts'
import { runId, runIdOf } from './ids.ts'
import type { JsonValue } from './json.ts'
import type { Payload } from './payload.ts'
import { assertNever } from './result.ts'
import type { Instant } from './time.ts'

/** A run and the step of another run that waits for it. */
export interface RunLink {
  readonly runId: RunId
  readonly parentRunId: RunId
  readonly parentInvocationId: InvocationId
}

/** A fact that somebody tells to whom it may concern. */
export interface EmittedEvent {
  /** A repeat of it changes nothing. */
  readonly messageId: string
  readonly name: string
  readonly correlation: string | null
  readonly payload: Payload
  /** Only this run, which keeps it until it waits for it; null for all that wait. */
  readonly runId: RunId | null
  readonly at: Instant
  /** The step that told it; null for somebody outside. */
  readonly source: InvocationId | null
}

/** A step asks another run to end. */
export interface AskedEnd {
  readonly runId: RunId
  readonly by: InvocationId
  /** As people read it; empty for none. */
  readonly reason: string
  /** The run's own when it was meant; who has had it go on since means another. Absent where that isn't known. */
  readonly generation?: number
}

/** A question of which people are told elsewhere, too. */
export interface ToldQuestion {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly revision: number
  readonly occasion: ApprovalOccasion
}

export type Effect =
  /** A step starts a run. */
  | { readonly kind: 'run.start'; readonly child: ChildRun }
  /** The step waits no longer for the run, or stands still, or goes on: the run is to do the same. */
  | {
      readonly kind: 'run.follow'
      readonly link: RunLink
      /** Since when; absent where that isn't known. */
      readonly at?: Instant
    }
  /** A run has ended that a step waits for. */
  | { readonly kind: 'run.ended'; readonly link: RunLink }
  /**
   * What a run gave as it ended is held back, or was decided about, because of one of its steps: the step that
   * handed it on does the same.
   */
  | { readonly kind: 'run.result'; readonly link: RunLink; readonly of: InvocationId }
  /** The step that started the run is undone, and so is the run; `link` names the compensation that waits. */
  | { readonly kind: 'run.undo'; readonly link: RunLink }
  | { readonly kind: 'event.emitted'; readonly event: EmittedEvent }
  | { readonly kind: 'run.cancel'; readonly asked: AskedEnd }
  /** A step that a circuit breaker let in has ended. */
  | { readonly kind: 'circuit.told'; readonly told: ToldCircuit }
  /** The run is over: these values of it go, unless somebody has had it go on meanwhile. */
  | {
      readonly kind: 'values.forgotten'
      readonly runId: RunId
      readonly generation: number
      readonly hashes: readonly BlobHash[]
    }
  /** A step asks a person, or asks more urgently: people are told of it elsewhere. */
  | { readonly kind: 'approval.told'; readonly told: ToldQuestion }
  /** A result was handed on before anybody looked into it: somebody does now. */
  | { readonly kind: 'output.scan'; readonly runId: RunId; readonly invocationId: InvocationId }

/** The effect as it is written, to be brought about at that instant. */
export function outboxRecordOf(id: string, effect: Effect, dueAt: Instant): OutboxRecord {
  const { kind, ...body } = effect
  // Effects are plain data.
  return { id, kind, body: body as unknown as JsonValue, dueAt }
}

/** The effect that was written. */
export const effectOf = ({ kind, body }: OutboxRecord): Effect =>
  // Nothing but `outboxRecordOf` writes these.
  ({ kind, ...(body as object) }) as Effect

const startPrefix = 'start:'

/** The id of the effect that starts a run: one for each. */
export const startIdOf = (run: RunId): string => `${startPrefix}${run}`

/** The run that an effect of that id starts; null for any other effect. */
export const startedBy = (id: string): RunId | null =>
  id.startsWith(startPrefix) ? runId(id.slice(startPrefix.length)) : null

/** Whether it starts that run. */
export function isStartOf(record: OutboxRecord, runId: RunId): boolean {
  const effect = effectOf(record)
  return effect.kind === 'run.start' && effect.child.runId === runId
}

/** The run whose checkpoint wrote the effect, and in whose partition it waits; null for somebody outside. */
export function sourceRunOf(record: OutboxRecord): RunId | null {
  const effect = effectOf(record)
  switch (effect.kind) {
    case 'run.start':
      return effect.child.parentRunId
    case 'run.follow':
    case 'run.undo':
      return effect.link.parentRunId
    case 'run.ended':
    case 'run.result':
      return effect.link.runId
    case 'output.scan':
    case 'values.forgotten':
      return effect.runId
    case 'approval.told':
      return effect.told.runId
    case 'circuit.told':
      return runIdOf(effect.told.of)
    case 'run.cancel':
      return runIdOf(effect.asked.by)
    case 'event.emitted':
      return effect.event.source === null ? null : runIdOf(effect.event.source)
    default:
      return assertNever(effect)
  }
}
