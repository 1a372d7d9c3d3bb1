/** What a rehearsal, and each run of it, is given. */

import type { JsonValue } from '../../model/json.ts'
import type { Clock, Logger, Random } from '../../model/ports.ts'
import type { ValidationOptions } from '../../model/validation.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { RehearsalCell } from '../../protocol/rehearsal.ts'
import type { Mocking } from '../mocked-host.ts'
import type { WorkflowSource } from '../sub-workflows/workflow-source.ts'
import type { TaskHost } from '../task-host.ts'

export interface PlayOptions {
  readonly document: WorkflowDocument
  readonly input: JsonValue
  readonly baseDirectory: string | null
  /** The real kinds; what touches the outside is mocked in front of them. */
  readonly host: TaskHost
  readonly mocking: Omit<Mocking, 'told'>
  readonly validation: ValidationOptions
  readonly workflows: WorkflowSource
  readonly log: Logger
  readonly random: Random
  /** The real one: each run begins at its instant, and then has a time of its own. */
  readonly clock: Clock
}

export interface RehearsalOptions extends PlayOptions {
  /** Called with each cell as it is done, and how many there are. */
  readonly told: (cell: RehearsalCell, count: number) => void
  /** Ends the rehearsal before its time. */
  readonly signal: AbortSignal
}
