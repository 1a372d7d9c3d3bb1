/** Plays a workflow as one of its tests says: in memory, on the test's answers, at the test's time. */

import { recordOfThrown } from '../../model/errors.ts'
import type { NodeMock, WorkflowDocument } from '../../model/workflow.ts'
import type { ExpectedRun, WorkflowTest } from '../../model/workflow-test.ts'
import type { TestResult } from '../../protocol/workflow-tests.ts'
import { play } from '../rehearsal/play.ts'
import type { PlayOptions } from '../rehearsal/rehearsal-options.ts'
import { cameOf } from './came-of.ts'
import { differencesIn } from './judge-test.ts'

/** What every test of a workflow is played with; the rest is the test's own. */
export type TestStage = Omit<PlayOptions, 'document' | 'input' | 'mocking'> & {
  readonly document: WorkflowDocument
  readonly kinds: PlayOptions['mocking']['kinds']
}

/** What comes of it. Throws what a start throws, and `rehearsal_without_end`. */
export async function playTest(
  stage: TestStage,
  { at, input, mocks }: Pick<WorkflowTest, 'at' | 'input' | 'mocks'>,
): Promise<ExpectedRun> {
  const { kinds, clock, ...rest } = stage
  const nodes = new Map<string, NodeMock>(Object.entries(mocks))
  const played = await play(
    { ...rest, input, mocking: { nodes, kinds }, clock: { ...clock, now: () => at } },
    null,
  )
  const { run, invocations, payloads } = played
  return cameOf({ run, invocations, value: (payload) => payloads.value(payload) })
}

/** Plays the test and compares. Never throws for what the workflow does, or can't do. */
export async function resultOf(stage: TestStage, test: WorkflowTest): Promise<TestResult> {
  const { name, expected } = test
  try {
    const differences = differencesIn(expected, await playTest(stage, test))
    return { name, isPassed: differences.length === 0, differences, error: null }
  } catch (thrown) {
    return { name, isPassed: false, differences: [], error: recordOfThrown(thrown) }
  }
}
