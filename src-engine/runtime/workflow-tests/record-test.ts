/** Makes a test of a run that has ended: its effects become answers, and what came of it becomes what is expected. */

import { definitionHashOf } from '../../model/definition-hash.ts'
import { SagasmithError } from '../../model/errors.ts'
import { stepPlaceOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { NodeMock } from '../../model/workflow.ts'
import { outputPort } from '../../model/workflow.ts'
import type { ExpectedRun, ExpectedStep } from '../../model/workflow-test.ts'
import type { RecordedTest } from '../../protocol/workflow-tests.ts'
import { readsElsewhere } from '../teleport/replay-answers.ts'
import type { EndedRun } from './came-of.ts'
import { cameOf, lastOfEach } from './came-of.ts'
import { differencesIn } from './judge-test.ts'
import type { TestStage } from './play-test.ts'
import { playTest } from './play-test.ts'

/** Ends that a workflow comes to by itself. */
const ownEnds: ReadonlySet<RunStatus> = new Set([
  'SUCCEEDED',
  'FAILED',
  'COMPENSATED',
  'COMPENSATION_FAILED',
  'DENIED',
])

/** So that no hour, day or year is the same. */
const laterMs = 400 * 86_400_000 + 3_723_000

/**
 * The test, played before it is given out: what its steps give otherwise each time is left out of it, and
 * what came otherwise than in the run is told. Throws `test_run_not_over`, and what playing throws.
 */
export async function recordTest(stage: TestStage, ended: EndedRun, name: string): Promise<RecordedTest> {
  const { run, invocations, value } = ended
  if (!ownEnds.has(run.status)) {
    throw new SagasmithError('test_run_not_over', { details: { runId: run.id, status: run.status } })
  }
  const mocks: Record<string, NodeMock> = {}
  for (const record of lastOfEach(invocations)) {
    if (isAnswered(stage, record)) mocks[stepPlaceOf(record.id)] = await answerOf(record, value)
  }
  const given = { at: run.createdAt, input: await value(run.input), mocks }
  const was = await cameOf(ended)
  const is = await playTest(stage, given)
  const random = { next: () => 0.25 }
  const again = await playTest({ ...stage, random }, { ...given, at: given.at + laterMs })
  const isSameVersion = definitionHashOf(stage.document, stage.host.specsByKind) === run.definitionHash
  const { expected, volatile } = steadyOf({ was, is, again, isSameVersion })
  return { test: { name, ...given, expected }, volatile, differences: differencesIn(expected, was) }
}

/** Whether the step is answered for, and not done, when the test is played. */
function isAnswered({ host, kinds }: TestStage, { taskKind, role }: InvocationRecord): boolean {
  if (role === 'compensation') return true
  const effect = host.specsByKind.get(taskKind)?.sideEffect ?? 'unsafe'
  return effect !== 'pure' || readsElsewhere.has(taskKind) || kinds?.has(taskKind) === true
}

async function answerOf(
  { status, ports, output, error }: InvocationRecord,
  value: EndedRun['value'],
): Promise<NodeMock> {
  if (status !== 'SUCCESS') {
    const code = error?.code ?? (status === 'TIMEOUT' ? 'task_timeout' : 'task_failed')
    return { error: { code, message: error?.message ?? '' } }
  }
  const given = output === null ? null : await value(output)
  const [port, another] = ports ?? []
  const isUsual = port === undefined || another !== undefined || port === outputPort
  return isUsual ? { output: given } : { output: given, port }
}

interface Plays {
  readonly was: ExpectedRun
  readonly is: ExpectedRun
  /** At another time, with other chances. */
  readonly again: ExpectedRun
  /** Whether the run was one of this very version: then whatever came otherwise is no steady value. */
  readonly isSameVersion: boolean
}

/** What comes out the same however often it is played, and the steps of which that isn't so. */
function steadyOf(plays: Plays): { readonly expected: ExpectedRun; readonly volatile: readonly string[] } {
  const { is, again, was } = plays
  const volatile: string[] = []
  const steps = Object.entries(is.steps).map(([place, step]): readonly [string, ExpectedStep] => {
    const others = [again.steps[place], was.steps[place]] as const
    if (isSteady(plays, step, others)) return [place, step]
    volatile.push(place)
    const { output: _, ...rest } = step
    return [place, rest]
  })
  const { output: _, ...rest } = is
  const run = isSteady(plays, is, [again, was]) ? is : rest
  return { expected: { ...run, steps: Object.fromEntries(steps) }, volatile }
}

type Giving = { readonly output?: JsonValue | undefined }

function isSteady(
  { isSameVersion }: Plays,
  is: Giving,
  [again, was]: readonly [Giving | undefined, Giving | undefined],
): boolean {
  if (is.output === undefined) return true
  const isLike = (other: Giving | undefined): boolean =>
    other?.output === undefined || textOf(other) === textOf(is)
  return isLike(again) && (!isSameVersion || isLike(was))
}

const textOf = ({ output }: Giving): string | null => (output === undefined ? null : canonicalJson(output))
