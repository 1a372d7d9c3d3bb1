/** What can be asked and changed about the output policy. */

import type { JsonObject, JsonValue } from '../model/json.ts'
import type { OutputFinding } from '../model/output/output-check.ts'
import type { OutputDecision, OutputPolicyProblem, OutputSeverity } from '../model/output/output-policy.ts'
import type { Instant } from '../model/time.ts'

export interface OutputPolicyView {
  /** Whether this engine judges results at all: its setting `output_policy_enabled`, and the policy's own switch. */
  readonly enabled: boolean
  readonly setting: boolean
  readonly failMode: 'open' | 'closed'
  /** The policy in effect; the built-in one where nobody set any. */
  readonly document: JsonObject
  readonly hash: string
  readonly isDefault: boolean
  readonly changed: { readonly at: Instant; readonly by: string } | null
  readonly problems: readonly OutputPolicyProblem[]
}

/** What is tried on a policy: a result as a step might give it. */
export interface OutputSample {
  readonly value: JsonValue
  readonly tenant?: string | undefined
  readonly workflow?: string | undefined
  readonly node?: string | undefined
  readonly kind?: string | undefined
  readonly capabilities?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
}

export interface OutputVerdict {
  readonly decision: OutputDecision
  /** The rule that decided; null where none fits, or the content was cut off. */
  readonly rule: string | null
  readonly severity: OutputSeverity | null
  readonly reason: string
  /** When it would be decided: before the result is handed on, or afterwards by what is in it. */
  readonly phase: 'metadata' | 'content'
  readonly findings: readonly OutputFinding[]
  /** The copy that would be handed on; null unless the decision is to redact. */
  readonly redacted: { readonly value: JsonValue } | null
}

/** The methods of `outputPolicy.*`. */
export interface OutputPolicyApi {
  readonly 'outputPolicy.get': { readonly input: Record<string, never>; readonly output: OutputPolicyView }
  /**
   * Puts a policy in effect on every process within seconds; null puts the built-in one back. With `ifHash`
   * only when that one is in effect. Throws `output_policy_invalid`, `output_policy_changed`.
   */
  readonly 'outputPolicy.set': {
    readonly input: {
      readonly document: JsonObject | null
      readonly ifHash?: string | undefined
      readonly by: string | null
    }
    readonly output: OutputPolicyView
  }
  /** What a policy (null for the one in effect) would do with a result; nothing is written. */
  readonly 'outputPolicy.test': {
    readonly input: { readonly document: JsonObject | null; readonly sample: OutputSample }
    readonly output: OutputVerdict
  }
}
