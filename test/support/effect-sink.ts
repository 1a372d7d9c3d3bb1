/** What a sink that survives every crash saw of the steps' executions. */

/** One execution of a step's task, as the outside world saw it. */
export interface Effect {
  readonly runId: string
  readonly invocationId: string
  readonly nodeId: string
  readonly attempt: number
  readonly idempotencyKey: string
  /** JSON text of what arrived at the step; null when the sink was not told. */
  readonly input: string | null
  readonly startedAt: number
  /** Null when its process died, or was left behind, before the task came to an end. */
  readonly endedAt: number | null
}
