/** Tests of a workflow: what a run is given, what is answered for, and what is to come of it. */

import { z } from 'zod'
import { SagasmithError } from './errors.ts'
import { invocationStatuses } from './invocation-status.ts'
import { issueClause } from './issue-words.ts'
import type { JsonValue } from './json.ts'
import { runStatuses } from './run-status.ts'
import type { NodeMock } from './workflow.ts'

/** Tests of one file. */
const workflowTestsMax = 1_000

const value = z.custom<JsonValue>((given) => given !== undefined)
const error = z.strictObject({ code: z.string().min(1), message: z.string() })

const mock: z.ZodType<NodeMock> = z
  .strictObject({ output: value, port: z.string(), error, delayMs: z.int().nonnegative() })
  .partial() as z.ZodType<NodeMock>

const expectedStep = z.strictObject({
  status: z.enum(invocationStatuses),
  /** The ways that were taken; not looked at when absent. */
  ports: z.array(z.string()).optional(),
  /** What it gives; not looked at when absent. */
  output: value.optional(),
  /** The code of its error. */
  error: z.string().optional(),
})

const workflowTest = z.strictObject({
  name: z.string().trim().min(1).max(200),
  /** When the run begins, in ms since 1970: expressions that read the time always read this one. */
  at: z.int().nonnegative(),
  input: value,
  /** By step: `pay`; `pay@each:3` for the one of an item; `pay~undo` for what undoes it. */
  mocks: z.record(z.string(), mock),
  expected: z.strictObject({
    status: z.enum(runStatuses),
    error: z.string().optional(),
    output: value.optional(),
    /** By step, as `mocks`: all that run, and no others. */
    steps: z.record(z.string(), expectedStep),
  }),
})

const workflowTests = z.strictObject({
  format: z.literal('sagasmith.tests'),
  schemaVersion: z.literal(1),
  tests: z.array(workflowTest).max(workflowTestsMax),
})

export type WorkflowTest = z.output<typeof workflowTest>
export type ExpectedRun = WorkflowTest['expected']
export type ExpectedStep = z.output<typeof expectedStep>

/** The tests in the text of a file. Throws `tests_invalid`, with the place of what is wrong. */
export function parseWorkflowTests(text: string): readonly WorkflowTest[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (thrown) {
    throw invalid(thrown instanceof Error ? thrown.message : String(thrown))
  }
  const read = workflowTests.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    const place = issue === undefined || issue.path.length === 0 ? 'The file' : `“${issue.path.join('.')}”`
    throw invalid(`${place} ${issue === undefined ? 'is none' : issueClause(issue)}.`)
  }
  const names = read.data.tests.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(`Two tests have the name “${twice}”.`)
  return read.data.tests
}

const invalid = (why: string): SagasmithError =>
  new SagasmithError('tests_invalid', { message: `This is no file of tests. ${why}`, details: { why } })

/** The text of a file of tests, in the order given. */
export function workflowTestsText(tests: readonly WorkflowTest[]): string {
  return `${JSON.stringify({ format: 'sagasmith.tests', schemaVersion: 1, tests }, null, 2)}\n`
}
