/** What the output policy said about a result, kept with the step that gave it. */

import type { InvocationId } from '../ids.ts'
import type { Payload } from '../payload.ts'
import type { Instant } from '../time.ts'
import type { OutputDecision, OutputSeverity } from './output-policy.ts'

/** Before the result was handed on, or afterwards by what is in it. */
export type OutputPhase = 'metadata' | 'content'

/** One place of a result that something was found at. The snippet never quotes what was found. */
export interface OutputFinding {
  readonly scanner: string
  /** `aws-access-key`, `card-number`, `content_truncated`, … */
  readonly type: string
  readonly severity: OutputSeverity
  readonly detail: string
  /** From 0 to 1. */
  readonly confidence: number
  /** What stands around it, with everything found taken out. */
  readonly snippet: string
  /** Where in the value: `$.user.mail`. */
  readonly place: string
  /** Within the text of that place. */
  readonly offset: number
  readonly length: number
}

/** What became of a result that the policy didn't allow. */
export type OutputStanding = 'held' | 'released' | 'discarded' | 'redacted'

/** Absent from steps whose result nothing was found in. */
export interface OutputCheck {
  readonly phase: OutputPhase
  readonly decision: Exclude<OutputDecision, 'allow'>
  /** The rule that decided; null where the check itself failed. */
  readonly rule: string | null
  readonly severity: OutputSeverity
  readonly reason: string
  /** Hash of the policy that was in effect. */
  readonly policy: string
  readonly at: Instant
  readonly standing: OutputStanding
  /** A list of findings as JSON; null when there are none. */
  readonly findings: Payload | null
  /** The result while it is held back; shown to nobody but who decides about it. */
  readonly held: Payload | null
  /** The step's own parameters meanwhile: they may quote what they gave. */
  readonly input: Payload | null
  /** The ports that its success was, or would have been, delivered to; null for all output ports. */
  readonly ports: readonly string[] | null
  /** Steps that had begun to work with it before it was held back, the first hundred of them. */
  readonly dependents: readonly InvocationId[]
  readonly dependentsCount: number
  /** The step whose result it hands on, and together with which it is decided about; null for its own result. */
  readonly with: InvocationId | null
  /** Who released or discarded it, when, and why; null while nobody has. */
  readonly decided: { readonly by: string; readonly at: Instant; readonly reason: string | null } | null
}
