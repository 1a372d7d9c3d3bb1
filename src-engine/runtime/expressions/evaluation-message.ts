/** What the engine and the expression worker tell each other. */

import type { JsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'

/** Expressions over one scope; they share its copy. */
export interface EvaluationRequest {
  readonly id: number
  readonly sources: readonly string[]
  /** Only those of `input`, `run`, `vars` and `nodes` that the expressions mention. */
  readonly scope: JsonObject
  /** What `$now()` and `$millis()` say. */
  readonly now: Instant
  /** Where `$random()` starts; the same seed gives the same numbers. */
  readonly seed: string
}

export type EvaluationResult =
  /** JSON text. */
  | { readonly kind: 'value'; readonly json: string }
  /** The expression matched nothing. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'failed'
      readonly reason: 'invalid' | 'failed' | 'too-large'
      readonly message: string
      /** Index into the expression. */
      readonly position: number | null
    }

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly results: readonly EvaluationResult[] }
