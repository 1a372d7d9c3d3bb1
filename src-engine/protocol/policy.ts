/** The safety policy: what counts, what counted, and what would become of runs under another one. */

import type { NodeId, RunId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { BreakerName } from '../model/policy/breaker.ts'
import type {
  PolicyApproval,
  PolicyConstraints,
  PolicyDecision,
  PolicyDocument,
  PolicyFailMode,
  PolicyRequest,
} from '../model/policy/policy.ts'
import type { PolicySnapshot } from '../model/policy/policy-snapshots.ts'
import type { Instant, Millis } from '../model/time.ts'

/** The policy that counts, and who is asked beside it. */
export interface PolicyView {
  /** Null while there is none: everything is allowed. */
  readonly hash: string | null
  readonly policy: PolicyDocument | null
  /** Why what is stored can’t be used; null when it can. Then nobody can be asked, and the fail mode counts. */
  readonly problem: string | null
  /** What becomes of work while nobody can be asked, for tenants that the policy doesn’t name. */
  readonly failMode: PolicyFailMode
  /** Null where no process of the store has asked a remote kernel yet, and this one has none to ask. */
  readonly remote: RemoteKernelView | null
}

/** The circuit breaker in front of the remote kernel, as all processes share it. */
export interface RemoteKernelView {
  readonly breaker: BreakerName
  readonly status: 'closed' | 'open' | 'half-open'
  /** Failures in a row while it is closed; the third opens it. */
  readonly failures: number
  /** When it lets probes through again; null while it isn't open. */
  readonly openUntil: Instant | null
  /** Whether this very process asks the kernel, too. */
  readonly here: boolean
}

/** A request of which only what matters is said. */
export type PolicyQuestion = { readonly [Field in keyof PolicyRequest]?: PolicyRequest[Field] | undefined }

/** What a policy would answer, and which rules it passed on the way. */
export interface PolicyTrial {
  readonly decision: PolicyDecision
  /** Null for the default. */
  readonly ruleId: string | null
  readonly reason: string
  readonly constraints: PolicyConstraints | null
  /** In their order, up to the one that decides. */
  readonly passed: readonly {
    readonly ruleId: string
    readonly why: 'disabled' | 'no-match' | 'within-velocity'
  }[]
}

/** What the policy that counts says of a step of a document, as far as its form tells. */
export interface PolicyOfStep {
  readonly decision: PolicyDecision
  /** Null for the default. */
  readonly ruleId: string | null
  readonly ruleTitle: string | null
  /** For people: why; empty where nothing applies. */
  readonly reason: string
  readonly constraints: PolicyConstraints | null
  readonly approval: PolicyApproval | null
  /** Rules that decide once too many come within a time. */
  readonly beyond: readonly PolicyBeyond[]
  /** Rules that decide once its parameters are larger than so many bytes. */
  readonly larger: readonly PolicyLarger[]
  /** What becomes of it while the policy can't be read; null while it can. */
  readonly unreadable: PolicyFailMode | null
  /** Whether a remote kernel is asked, too: it may be stricter. */
  readonly isRemoteAsked: boolean
}

export interface PolicyBeyond {
  readonly ruleId: string
  readonly decision: PolicyDecision
  readonly max: number
  readonly windowMs: Millis
}

export interface PolicyLarger {
  readonly ruleId: string
  readonly decision: PolicyDecision
  readonly bytes: number
}

/** A past decision that another policy would have made otherwise. */
export interface PolicyDifference {
  readonly runId: RunId
  readonly workflowTitle: string
  readonly nodeId: string
  readonly kind: string
  readonly path: string
  readonly change: 'escalated' | 'relaxed'
  readonly before: PolicyDecision
  readonly after: PolicyDecision
  readonly ruleId: string | null
  readonly reason: string
}

/** What another policy would have said about past runs. */
export interface PolicyReplay {
  readonly runs: number
  readonly steps: number
  readonly escalated: number
  readonly relaxed: number
  readonly unchanged: number
  /** The first of those that differ, newest run first. */
  readonly differences: readonly PolicyDifference[]
}

/** The methods of `policy.*`. */
export interface PolicyApi {
  readonly 'policy.get': {
    readonly input: Readonly<Record<string, never>>
    readonly output: PolicyView
  }
  /**
   * Makes a policy the one that counts, on every runner within seconds; null for none. `expected` is the hash that
   * must count until then, and absent for any. Throws `policy_invalid`, `policy_changed`.
   */
  readonly 'policy.set': {
    readonly input: {
      readonly policy: JsonValue
      readonly by: string | null
      readonly note: string | null
      readonly expected?: string | null | undefined
    }
    readonly output: PolicyView
  }
  /** What the policy says of a step as a document has it. Throws `document_invalid`, `invocation_not_found`. */
  readonly 'policy.ofStep': {
    readonly input: { readonly document: JsonObject; readonly nodeId: NodeId }
    readonly output: PolicyOfStep
  }
  /** Asks a policy about a made-up request; null for the one that counts. Nothing is counted by it. */
  readonly 'policy.test': {
    readonly input: { readonly policy: JsonValue; readonly request: PolicyQuestion }
    readonly output: PolicyTrial
  }
  /** The last ten, newest first. */
  readonly 'policy.history': {
    readonly input: Readonly<Record<string, never>>
    readonly output: { readonly current: string | null; readonly snapshots: readonly PolicySnapshot[] }
  }
  /** Makes an earlier one count again. Throws `policy_not_found`. */
  readonly 'policy.rollback': {
    readonly input: { readonly hash: string; readonly by: string | null; readonly note: string | null }
    readonly output: PolicyView
  }
  /** What a policy would have said about past runs; null for the one that counts. */
  readonly 'policy.replay': {
    readonly input: {
      readonly policy: JsonValue
      readonly workflowId: string | null
      /** Runs to look at, newest first. */
      readonly limit: number
    }
    readonly output: PolicyReplay
  }
}
