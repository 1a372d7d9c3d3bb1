/** A workflow rehearsed: each step fails, times out, or takes its worker down, and what becomes of the run. */

import type { ErrorRecord } from '../model/errors.ts'
import type { NodeId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { RunStatus } from '../model/run-status.ts'

export const failureModes = ['fails', 'times-out', 'crashes', 'undo-fails'] as const

/**
 * `fails` and `times-out`: every attempt of the step does. `crashes`: its worker dies once, after the effect
 * and before its result is kept. `undo-fails`: what undoes the step fails when the run is rolled back.
 */
export type FailureMode = (typeof failureModes)[number]

/** A rule of rollbacks that was broken: a defect of the engine or of a task, never of a workflow. */
export interface RehearsalViolation {
  /** `undone_twice`, `not_undone`, `undone_for_nothing`, `wrong_order`, `wrong_end`. */
  readonly code: string
  readonly message: string
}

/** What became of a rehearsed run. */
export interface RehearsedEnd {
  /** How the run ended, or where it stands when a person has to decide; null when nothing was tried. */
  readonly status: RunStatus | null
  /** Steps that wait for a person. */
  readonly asks: readonly NodeId[]
  /** Steps that were undone, in the order in which they were. */
  readonly undone: readonly NodeId[]
  /** Steps whose effect happened and stays although the run didn't succeed. */
  readonly stays: readonly NodeId[]
  /** What failed first. */
  readonly error: ErrorRecord | null
  readonly violations: readonly RehearsalViolation[]
}

export interface RehearsalCell extends RehearsedEnd {
  readonly nodeId: NodeId
  readonly mode: FailureMode
  /** False when the run never came to the step with this input; then nothing was tried. */
  readonly reached: boolean
}

export interface Rehearsal {
  /** The run in which nothing was made to go wrong. */
  readonly calm: RehearsedEnd
  /** In the order of the document, by step and then by mode. */
  readonly cells: readonly RehearsalCell[]
  /** Steps that touch the outside, or change something there: they were answered for. */
  readonly mocked: readonly NodeId[]
  /** Steps that no cell came to with this input. */
  readonly unreached: readonly NodeId[]
  readonly violations: number
}

export interface RehearsalRequest {
  readonly document: JsonObject
  readonly input: JsonValue
  /** The mocks of this name that nodes have; null for the first one of each. */
  readonly mocks: string | null
  readonly baseDirectory: string | null
}

export interface RehearsalApi {
  /** Throws `document_invalid`, `input_invalid`, `rehearsal_without_end`. */
  readonly 'rehearsal.run': { readonly input: RehearsalRequest; readonly output: Rehearsal }
}
