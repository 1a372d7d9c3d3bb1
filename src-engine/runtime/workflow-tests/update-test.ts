/** A test that expects what comes by now; what it didn't look at, it looks at no more than before. */

import type { ExpectedRun, ExpectedStep, WorkflowTest } from '../../model/workflow-test.ts'

export function updatedTest(test: WorkflowTest, came: ExpectedRun): WorkflowTest {
  const { expected } = test
  const steps = Object.entries(came.steps).map(([place, step]): readonly [string, ExpectedStep] => {
    const was = expected.steps[place]
    const isLookedAt = was === undefined || was.status !== 'SUCCESS' || was.output !== undefined
    const { output: _, ...rest } = step
    return [place, isLookedAt ? step : rest]
  })
  const isLookedAt = expected.status !== 'SUCCEEDED' || expected.output !== undefined
  const { output: _, ...rest } = came
  return {
    ...test,
    expected: { ...(isLookedAt ? came : rest), steps: Object.fromEntries(steps) },
  }
}
