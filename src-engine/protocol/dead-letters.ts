/** What can be asked about dead letters. */

import type { DeadLetter } from '../model/checkpoint.ts'
import type { RunId, WorkflowId } from '../model/ids.ts'
import type { JsonValue } from '../model/json.ts'

export interface DeadLetterQuery {
  readonly reason: string | null
  readonly workflowId: WorkflowId | null
  readonly runId: RunId | null
  readonly after: string | null
  readonly limit: number
}

export interface DeadLetterPage {
  readonly letters: readonly DeadLetter[]
  readonly next: string | null
}

export interface LetterReplay {
  readonly id: string
  /** Another input for the run; null for the one it had. */
  readonly input: { readonly value: JsonValue } | null
  readonly by: string | null
}
