/** The tests beside a workflow's file: read, written whole, played with the product's own task kinds. */

import { readFile } from 'node:fs/promises'
import { SagasmithError } from '../model/errors.ts'
import type { WorkflowDocument } from '../model/workflow.ts'
import { testsPathOf } from '../model/workflow-file.ts'
import type { WorkflowTest } from '../model/workflow-test.ts'
import { parseWorkflowTests, workflowTestsText } from '../model/workflow-test.ts'
import type { TestResult } from '../protocol/workflow-tests.ts'
import { noWorkflows } from '../runtime/sub-workflows/workflow-source.ts'
import { systemClock } from '../runtime/system-ports.ts'
import { differencesIn } from '../runtime/workflow-tests/judge-test.ts'
import type { TestStage } from '../runtime/workflow-tests/play-test.ts'
import { playTest } from '../runtime/workflow-tests/play-test.ts'
import { updatedTest } from '../runtime/workflow-tests/update-test.ts'
import { taskMocksByKind } from '../tasks/mocks.ts'
import { fileError, isSystemError, writeFileAtomically } from './atomic-file.ts'
import { composeHost } from './compose-host.ts'
import { withPath } from './library.ts'
import { quietLog } from './quiet-log.ts'
import { validationOptions } from './validate-json.ts'
import { createWorkflowSource } from './workflow-source.ts'

/** The tests of a workflow file; none when it has no file of tests. Throws `tests_invalid`. */
export async function readWorkflowTests(workflowPath: string): Promise<readonly WorkflowTest[]> {
  const path = testsPathOf(workflowPath)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if (isSystemError(cause, 'ENOENT')) return []
    throw fileError(path, cause)
  }
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

/** Puts one more test beside the others. Throws `test_name_taken`. */
export async function addWorkflowTest(workflowPath: string, test: WorkflowTest): Promise<void> {
  const known = await readWorkflowTests(workflowPath)
  refuseTaken(known, test.name)
  await writeWorkflowTests(workflowPath, [...known, test])
}

/** Throws `test_name_taken`. */
export function refuseTaken(known: readonly WorkflowTest[], name: string): void {
  if (!known.some((test) => test.name === name)) return
  throw new SagasmithError('test_name_taken', {
    message: `There is a test “${name}” already.`,
    details: { name },
  })
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
  file: { readonly path: string; readonly document: WorkflowDocument; readonly baseDirectory: string | null },
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
export async function withTestStage<Value>(
  { document, baseDirectory }: { readonly document: WorkflowDocument; readonly baseDirectory: string | null },
  act: (stage: TestStage) => Promise<Value>,
): Promise<Value> {
  const { host, close } = composeHost({ clock: systemClock })
  try {
    return await act({
      document,
      baseDirectory,
      host,
      kinds: taskMocksByKind,
      validation: validationOptions,
      workflows: baseDirectory === null ? noWorkflows : createWorkflowSource(baseDirectory),
      log: quietLog,
      random: { next: () => 0.5 },
      clock: systemClock,
    })
  } finally {
    await close()
  }
}
