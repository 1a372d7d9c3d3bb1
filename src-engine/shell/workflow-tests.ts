/** The tests beside a workflow's file: read, written whole, played with the product's own task kinds. */

import { SagasmithError } from '../model/errors.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import { testsPathOf } from '../model/workflow-file.ts'
import type { WorkflowTest } from '../model/workflow-test.ts'
import { parseWorkflowTests, workflowTestsText } from '../model/workflow-test.ts'
import type { RecordedTest, TestResult } from '../protocol/workflow-tests.ts'
import type { CustomTaskSource } from '../runtime/custom-task-source.ts'
import { noWorkflows } from '../runtime/sub-workflows/workflow-source.ts'
import { systemClock } from '../runtime/system-ports.ts'
import type { EndedRun } from '../runtime/workflow-tests/came-of.ts'
import { differencesIn } from '../runtime/workflow-tests/judge-test.ts'
import type { TestStage } from '../runtime/workflow-tests/play-test.ts'
import { playTest, resultOf } from '../runtime/workflow-tests/play-test.ts'
import { recordTest } from '../runtime/workflow-tests/record-test.ts'
import { updatedTest } from '../runtime/workflow-tests/update-test.ts'
import type { AllowedPackages } from '../tasks/javascript/packages/package-graph.ts'
import { taskMocksByKind } from '../tasks/mocks.ts'
import { fileError, textIfThere, writeFileAtomically } from './atomic-file.ts'
import { composeHost } from './compose-host.ts'
import { withPath } from './library.ts'
import { quietLog } from './quiet-log.ts'
import { validationOptions } from './validate-json.ts'
import { createWorkflowSource } from './workflow-source.ts'

/** The tests of a workflow file; none when it has no file of tests. Throws `tests_invalid`. */
export async function readWorkflowTests(workflowPath: string): Promise<readonly WorkflowTest[]> {
  const path = testsPathOf(workflowPath)
  const text = await textIfThere(path)
  if (text === null) return []
  try {
    return parseWorkflowTests(text)
  } catch (thrown) {
    throw thrown instanceof SagasmithError ? withPath(thrown, path) : thrown
  }
}

/** Writes all of them, in this order. */
async function writeWorkflowTests(workflowPath: string, tests: readonly WorkflowTest[]): Promise<void> {
  const path = testsPathOf(workflowPath)
  try {
    await writeFileAtomically(path, workflowTestsText(tests))
  } catch (cause) {
    throw fileError(path, cause)
  }
}

/** Those of that name, or all. Throws `test_not_found` for a name that no test has. */
export function namedTests(tests: readonly WorkflowTest[], name: string | null): readonly WorkflowTest[] {
  if (name === null) return tests
  const found = tests.filter((test) => test.name === name)
  if (found.length === 0) {
    throw new SagasmithError('test_not_found', { message: `There is no test “${name}”.`, details: { name } })
  }
  return found
}

/** A workflow's file, and the workflow as it is by now. */
export interface TestedWorkflow {
  readonly path: string
  readonly document: WorkflowDocument
  readonly baseDirectory: string | null
  /** Those that the workflows that it starts name; its own are written out. */
  readonly customTasks: CustomTaskSource
  readonly packages: AllowedPackages
}

/** Plays the test of that name, or all. Throws `test_not_found`. */
export async function runWorkflowTests(
  file: TestedWorkflow,
  name: string | null,
): Promise<readonly TestResult[]> {
  const tests = namedTests(await readWorkflowTests(file.path), name)
  return withTestStage(file, async (stage) => {
    const results: TestResult[] = []
    for (const test of tests) results.push(await resultOf(stage, test))
    return results
  })
}

/**
 * Makes a test of a run, and keeps it where the repetition comes out as the run did, or where that is accepted.
 * Throws `test_name_taken`, `test_run_not_over`, and `bad_request` for a run of another workflow.
 */
export async function recordWorkflowTest(
  file: TestedWorkflow,
  { ended, name, accept }: { readonly ended: EndedRun; readonly name: string; readonly accept: boolean },
): Promise<{ readonly recorded: RecordedTest; readonly kept: boolean }> {
  const known = await readWorkflowTests(file.path)
  if (known.some((test) => test.name === name)) {
    const message = `There is a test “${name}” already.`
    throw new SagasmithError('test_name_taken', { message, details: { name } })
  }
  const { workflowId, workflowTitle } = ended.run
  if (workflowId !== file.document.id) {
    throw new SagasmithError('bad_request', {
      message: `The run is one of “${workflowTitle}”.`,
      hint: `Name that workflow’s file, or a run of “${file.document.title}”.`,
    })
  }
  const recorded = await withTestStage(file, (stage) => recordTest(stage, ended, name))
  const kept = accept || recorded.differences.length === 0
  if (kept) await writeWorkflowTests(file.path, [...known, recorded.test])
  return { recorded, kept }
}

/** Throws `test_not_found`. */
export async function removeWorkflowTest(workflowPath: string, name: string): Promise<void> {
  const known = await readWorkflowTests(workflowPath)
  const [gone] = namedTests(known, name)
  await writeWorkflowTests(
    workflowPath,
    known.filter((test) => test !== gone),
  )
}

/** Has them expect what comes by now, and gives what each expected otherwise. Throws what keeps one from its end. */
export async function updateWorkflowTests(
  file: TestedWorkflow,
  name: string | null,
): Promise<readonly TestResult[]> {
  const known = await readWorkflowTests(file.path)
  const updated = new Map<string, WorkflowTest>()
  const results: TestResult[] = []
  await withTestStage(file, async (stage) => {
    for (const test of namedTests(known, name)) {
      const came = await playTest(stage, test)
      const differences = differencesIn(test.expected, came)
      const isPassed = differences.length === 0
      if (!isPassed) updated.set(test.name, updatedTest(test, came))
      results.push({ name: test.name, isPassed, differences, error: null })
    }
  })
  if (updated.size > 0) {
    await writeWorkflowTests(
      file.path,
      known.map((test) => updated.get(test.name) ?? test),
    )
  }
  return results
}

/** Where the tests of a workflow are played, as long as `act` takes. Nothing outside is touched. */
async function withTestStage<Value>(
  { document, baseDirectory, customTasks, packages }: Omit<TestedWorkflow, 'path'>,
  act: (stage: TestStage) => Promise<Value>,
): Promise<Value> {
  const { host, close } = composeHost({ clock: systemClock, packages })
  try {
    return await act({
      document,
      baseDirectory,
      host,
      kinds: taskMocksByKind,
      validation: validationOptions,
      workflows: baseDirectory === null ? noWorkflows : createWorkflowSource(baseDirectory, customTasks),
      log: quietLog,
      random: { next: () => 0.5 },
      clock: systemClock,
    })
  } finally {
    await close()
  }
}
