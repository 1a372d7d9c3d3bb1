/** The inbox: what waits for a person across all runs, and how it is decided. */

import type { ApprovalAnswer, ApprovalFor, ApprovalNotice, ApprovalOutcome } from '../model/approval.ts'
import type { ErrorRecord } from '../model/errors.ts'
import type { DefinitionHash, InvocationId, NodeId, RunId, WorkflowId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Instant } from '../model/time.ts'

/** Where an entry of the inbox stands in its workflow and run. */
export interface InboxPlace {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  readonly taskKind: string
  /** Loop and map path; empty outside of them. */
  readonly path: string
  readonly workflowId: WorkflowId
  readonly workflowTitle: string
  /** The step's own title, else its id. */
  readonly nodeTitle: string
  readonly definitionHash: DefinitionHash
  readonly tenant: string
  /** Who had the run begin; null for a trigger, or where nobody told. */
  readonly startedBy: string | null
}

/** What was decided, as people see it. */
export interface DecidedView {
  readonly outcome: ApprovalOutcome
  /** Null when nobody decided in time. */
  readonly by: string | null
  readonly at: Instant
  readonly comment: string | null
  readonly values: JsonObject | null
}

/** An approval that somebody is asked for, or that was decided. */
export interface ApprovalView extends InboxPlace {
  readonly kind: 'approval'
  readonly for: ApprovalFor
  /** What a decision must name, so that it is about what was seen. */
  readonly hash: string
  /** Grows when the same step is asked about anew. */
  readonly revision: number
  readonly title: string
  /** Markdown. */
  readonly message: string
  readonly details: JsonValue
  /** JSON Schema of what is to be filled in for an approval; null for nothing. */
  readonly form: JsonObject | null
  /** Names of those who may decide; empty for everybody. */
  readonly approvers: readonly string[]
  /** Whether it must be somebody else than who had the run begin. */
  readonly otherPerson: boolean
  readonly answers: readonly ApprovalAnswer[]
  readonly requestedAt: Instant
  readonly expiresAt: Instant | null
  readonly onExpiry: 'reject' | 'fail'
  readonly escalateAt: Instant | null
  readonly escalatedAt: Instant | null
  /** What became of telling people elsewhere, while it waits. */
  readonly notices: readonly ApprovalNotice[]
  /** For a policy, what it says of its rule; null for a step that asks. */
  readonly policy: JsonObject | null
  /** Why it can't be decided now; null when it can. */
  readonly blocked: 'paused' | 'cancelling' | null
  /** Null while it waits. */
  readonly decided: DecidedView | null
}

/** A step whose runner died under it: `invocations.resolve` says what is to become of it. */
export interface UncertainView extends InboxPlace {
  readonly kind: 'effect'
  readonly error: ErrorRecord
  readonly requestedAt: Instant
  readonly ways: readonly ['run-again', 'take-as-done', 'fail']
}

/** An entry of the inbox. */
export type InboxEntry = ApprovalView | UncertainView

/** How many there are of each, for a badge. */
export interface InboxCounts {
  readonly approvals: number
  readonly effects: number
  /** Of the approvals, those that were put more urgently. */
  readonly escalated: number
}

/** The methods of `approvals.*`. */
export interface ApprovalApi {
  /** What waits for a person, longest waiting first, a page per call; the counts are of all pages. */
  readonly 'approvals.list': {
    readonly input: {
      /** Only of this run; null for all. */
      readonly runId: RunId | null
      /** Only what this person may decide; null for all. */
      readonly approver: string | null
      readonly after: InvocationId | null
      readonly limit: number
    }
    readonly output: {
      readonly entries: readonly InboxEntry[]
      readonly counts: InboxCounts
      readonly next: InvocationId | null
    }
  }
  /** One of them, waiting or decided. Throws `invocation_not_found`, `approval_not_found`. */
  readonly 'approvals.show': {
    readonly input: { readonly runId: RunId; readonly invocationId: InvocationId }
    readonly output: { readonly entry: InboxEntry }
  }
  /**
   * Decides what was seen. The same decision again changes nothing and says so. Throws `approval_stale`,
   * `approval_already_decided`, `approval_not_allowed`, `approval_not_actionable`, `approval_form_invalid`,
   * `run_already_final`.
   */
  readonly 'approvals.decide': {
    readonly input: {
      readonly runId: RunId
      readonly invocationId: InvocationId
      readonly hash: string
      readonly answer: ApprovalAnswer
      /** What was filled in; null for nothing. */
      readonly values: JsonObject | null
      readonly comment: string | null
      /** Who decides; null for whoever sits at the engine's machine. */
      readonly by: string | null
    }
    readonly output: {
      readonly result: 'decided' | 'already'
      readonly decided: DecidedView
    }
  }
  /**
   * Answers when the inbox is another than `token` says, or when the span is over; null answers at once. A
   * badge asks again and again.
   */
  readonly 'approvals.watch': {
    readonly input: { readonly token: string | null; readonly spanMs: number }
    readonly output: {
      readonly token: string
      readonly counts: InboxCounts
      /** What came or was put more urgently since `token`; null when nobody can tell any more. */
      readonly fresh: readonly InvocationId[] | null
    }
  }
}
