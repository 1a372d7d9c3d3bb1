/** Tests of workflows: made of runs, and played on mocks. */

import type { ErrorRecord } from '../model/errors.ts'
import type { WorkflowTest } from '../model/workflow-test.ts'

/** One thing that came otherwise than a test expects it. */
export interface TestDifference {
  /** `pay`, `pay@each:3`, `pay~undo`; null for the run itself. */
  readonly step: string | null
  /** `status` with nothing expected: it ran, and was not to; with nothing that came: it didn't run. */
  readonly what: 'status' | 'ports' | 'output' | 'error'
  /** JSON text, shortened; null where there is nothing. */
  readonly expected: string | null
  readonly came: string | null
}

export interface TestResult {
  readonly name: string
  readonly isPassed: boolean
  readonly differences: readonly TestDifference[]
  /** Why it could not be played to an end; null where it could. */
  readonly error: ErrorRecord | null
}

/** A test made of a run. */
export interface RecordedTest {
  readonly test: WorkflowTest
  /** Steps that give something else each time (the time, chance, an id): what they give is not looked at. */
  readonly volatile: readonly string[]
  /** What the repetition gave otherwise than the run; the test expects the repetition. */
  readonly differences: readonly TestDifference[]
}
