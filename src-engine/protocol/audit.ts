/** Who decided what: one list over approvals, held results, policies, rollbacks, dead letters and runs. */

import type { InvocationId, NodeId, RunId, WorkflowId } from '../model/ids.ts'
import type { Instant } from '../model/time.ts'

/** What a decision can be about. */
export const auditSubjects = [
  'approval',
  'result',
  'effect',
  'rollback',
  'run',
  'dead-letter',
  'policy',
  'output-policy',
] as const

export type AuditSubject = (typeof auditSubjects)[number]

/**
 * What was decided: of an approval `approved`, `rejected`, `pushed-back`, `expired`; of a held result `seen`,
 * `released`, `discarded`; of an uncertain effect `run-again`, `taken-as-done`, `failed`; of a rollback
 * `compensated` (begun by hand), `retried`, `skipped`, `abandoned`; of a run or its step `cancelled`, `paused`,
 * `resumed`, `skipped`, `retried`, `crashed` (its worker was killed on purpose); of a dead letter `replayed`, `discarded`; of a policy `set`, `cleared`.
 */
export type AuditAct =
  | 'approved'
  | 'rejected'
  | 'pushed-back'
  | 'expired'
  | 'seen'
  | 'released'
  | 'discarded'
  | 'run-again'
  | 'taken-as-done'
  | 'failed'
  | 'compensated'
  | 'retried'
  | 'skipped'
  | 'abandoned'
  | 'cancelled'
  | 'crashed'
  | 'paused'
  | 'resumed'
  | 'replayed'
  | 'set'
  | 'cleared'

/** A decision as the history tells it. */
export interface AuditEntry {
  /** Its place in the history: partition, epoch and sequence. */
  readonly id: string
  readonly at: Instant
  readonly about: AuditSubject
  readonly act: AuditAct
  /** Null where nobody decided in time, or nobody told who. */
  readonly by: string | null
  /** What they said; null for nothing. */
  readonly reason: string | null
  /** Null for what is about no run, as what follows. */
  readonly runId: RunId | null
  readonly workflowId: WorkflowId | null
  readonly workflowTitle: string | null
  /** Null for what is about a whole run. */
  readonly invocationId: InvocationId | null
  readonly nodeId: NodeId | null
  /** Of what was seen and decided, or of the policy that counts from then on; null where there is none. */
  readonly hash: string | null
}

export interface AuditQuery {
  /** Only of this run; null for all, and for what is about none. */
  readonly runId: RunId | null
  /** Null for everything. */
  readonly about: readonly AuditSubject[] | null
  /** Only what this person decided; null for everybody. */
  readonly by: string | null
  /** What an answer gave as `next`; null for the newest. */
  readonly before: string | null
  readonly limit: number
}

export interface AuditPage {
  /** Newest first. A long stretch without any ends a page early: it may have none, and a next one all the same. */
  readonly entries: readonly AuditEntry[]
  /** Where to go on, to what is older; null at the beginning of the history. */
  readonly next: string | null
  /** All since then was looked at; null at the beginning of the history. */
  readonly since: Instant | null
}

/** The methods of `audit.*`. */
export interface AuditApi {
  /** What was decided, newest first; of runs that are still kept. */
  readonly 'audit.list': { readonly input: AuditQuery; readonly output: AuditPage }
}
