/** Tests of workflows: made of runs, and played on mocks. */

import { z } from 'zod'
import type { ErrorRecord } from '../model/errors.ts'
import type { RunId } from '../model/ids.ts'
import { runId } from '../model/ids.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import type { RunStatus } from '../model/run-status.ts'
import type { Instant } from '../model/time.ts'
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

/** One test, as a list shows it. */
export interface TestSummary {
  readonly name: string
  /** When its run begins. */
  readonly at: Instant
  /** How the run is to end. */
  readonly status: RunStatus
  /** How many steps are to run. */
  readonly steps: number
}

/** A workflow's file, and the workflow as it is by now, saved or not. */
export interface TestedFile {
  readonly path: string
  readonly document: JsonObject
}

export interface WorkflowTestApi {
  /** The tests beside a file; all methods throw `tests_invalid` for a file of tests that can't be read. */
  readonly 'tests.list': {
    readonly input: { readonly path: string }
    readonly output: { readonly tests: readonly TestSummary[] }
  }
  /** Plays them on mocks; one of them, or all. Throws `document_invalid`, `test_not_found`. */
  readonly 'tests.run': {
    readonly input: TestedFile & { readonly name: string | null }
    readonly output: { readonly results: readonly TestResult[] }
  }
  /**
   * Makes a test of a run of this machine, and keeps it where the repetition comes out as the run did, or where that
   * is accepted. Throws `test_name_taken`, `test_run_not_over`, `document_invalid`.
   */
  readonly 'tests.record': {
    readonly input: TestedFile & { readonly name: string; readonly runId: RunId; readonly accept: boolean }
    readonly output: Pick<RecordedTest, 'volatile' | 'differences'> & { readonly kept: boolean }
  }
  /** Has them expect what comes by now; gives what each expected otherwise. */
  readonly 'tests.update': {
    readonly input: TestedFile & { readonly name: string | null }
    readonly output: { readonly results: readonly TestResult[] }
  }
  /** Throws `test_not_found`. */
  readonly 'tests.remove': {
    readonly input: { readonly path: string; readonly name: string }
    readonly output: Record<string, never>
  }
}

const path = z.string().min(1).max(4_096)
const name = z.string().trim().min(1).max(200)
const file = { path, document: z.custom<JsonObject>(isJsonObject, 'Expected an object') }

/** Forms of the inputs. */
export const workflowTestSchemas = {
  'tests.list': z.object({ path }),
  'tests.run': z.object({ ...file, name: name.nullable() }),
  'tests.record': z.object({
    ...file,
    name,
    runId: z.string().min(1).max(4_096).transform(runId),
    accept: z.boolean(),
  }),
  'tests.update': z.object({ ...file, name: name.nullable() }),
  'tests.remove': z.object({ path, name }),
} as const
