/** What can be asked and decided about results that the output policy holds back. */

import type { InvocationId, NodeId, RunId, WorkflowId } from '../model/ids.ts'
import type { InvocationStatus } from '../model/invocation-status.ts'
import type { OutputCheck, OutputFinding } from '../model/output/output-check.ts'
import type { RunStatus } from '../model/run-status.ts'

/** A result that is held back, or was, without the result. */
export interface QuarantineEntry
  extends Omit<OutputCheck, 'findings' | 'held' | 'input' | 'ports' | 'dependents'> {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  /** Of an item or turn; empty outside of maps and loops. */
  readonly path: string
  readonly workflowId: WorkflowId
  readonly workflowTitle: string
  readonly taskKind: string
  readonly runStatus: RunStatus
  /** Size of what is held; null when nothing is any more. */
  readonly bytes: number | null
  /** Why it can't be released; null when it can be. */
  readonly refusal: { readonly code: string; readonly message: string } | null
}

/** A step that had begun to work with the result before it was held back: it is not run again. */
export interface QuarantineDependent {
  readonly invocationId: InvocationId
  readonly nodeId: NodeId
  readonly status: InvocationStatus
}

export interface QuarantineDetail extends QuarantineEntry {
  readonly findings: readonly OutputFinding[]
  readonly dependents: readonly QuarantineDependent[]
}

export interface QuarantineQuery {
  readonly workflowId: WorkflowId | null
  readonly runId: RunId | null
  readonly after: string | null
  readonly limit: number
}

export interface QuarantinePage {
  /** Held ones, newest first. */
  readonly entries: readonly QuarantineEntry[]
  readonly next: string | null
}

export interface QuarantineDecision {
  readonly invocationId: InvocationId
  /** Who decides; null for whoever works at this machine. */
  readonly by: string | null
  readonly reason: string | null
}

/** The methods of `quarantine.*`. */
export interface QuarantineApi {
  readonly 'quarantine.list': { readonly input: QuarantineQuery; readonly output: QuarantinePage }
  /** Without what is held. Throws `invocation_not_found`, `output_not_held`. */
  readonly 'quarantine.show': {
    readonly input: { readonly invocationId: InvocationId }
    readonly output: QuarantineDetail
  }
  /** JSON text of what is held; that somebody looked is in the run's history. Throws `output_not_held`. */
  readonly 'quarantine.content': {
    readonly input: { readonly invocationId: InvocationId; readonly by: string | null }
    readonly output: { readonly json: string }
  }
  /**
   * The result counts after all, and others see it. With `goOn`, a run that ended without it goes on from there
   * under its next generation. Throws `output_not_held`, `output_release_refused`.
   */
  readonly 'quarantine.release': {
    readonly input: QuarantineDecision & { readonly goOn: boolean }
    readonly output: { readonly runStatus: RunStatus }
  }
  /** Throws the result away for good. Throws `output_not_held`. */
  readonly 'quarantine.discard': {
    readonly input: QuarantineDecision
    readonly output: { readonly runStatus: RunStatus }
  }
}
