/** What people ask and decide about results. */

import type { InvocationId } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { OutputPolicyView, OutputSample, OutputVerdict } from '../../protocol/output-policy.ts'
import type {
  QuarantineApi,
  QuarantineDecision,
  QuarantineDetail,
  QuarantinePage,
  QuarantineQuery,
} from '../../protocol/quarantine.ts'

export interface QuarantineDesk {
  readonly list: (query: QuarantineQuery) => Promise<QuarantinePage>
  /** Throws `invocation_not_found`, `output_not_held`. */
  readonly show: (invocationId: InvocationId) => Promise<QuarantineDetail>
  /** Whoever sees it is in the history before they do. Throws `output_not_held`. */
  readonly content: (invocationId: InvocationId, by: string | null) => Promise<{ readonly json: string }>
  /** Throws `output_not_held`, `output_release_refused`. */
  readonly release: (
    request: QuarantineApi['quarantine.release']['input'],
  ) => Promise<{ readonly runStatus: RunStatus }>
  /** Throws `output_not_held`. */
  readonly discard: (request: QuarantineDecision) => Promise<{ readonly runStatus: RunStatus }>
}

export interface OutputDesk {
  readonly quarantine: QuarantineDesk
  readonly policy: {
    readonly view: () => Promise<OutputPolicyView>
    /** Throws `output_policy_invalid`, `output_policy_changed`. */
    readonly change: (change: {
      readonly document: JsonObject | null
      readonly ifHash: string | null
      readonly by: string
    }) => Promise<OutputPolicyView>
  }
  /** What a policy would do with a result; null for the one in effect. Throws `output_policy_invalid`. */
  readonly test: (document: JsonObject | null, sample: OutputSample) => Promise<OutputVerdict>
}
