/** What came of a run, as a test of its workflow says it: the steps that ran, how each ended, and what it gave. */

import type { InvocationId } from '../../model/ids.ts'
import { stepPlaceOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { ExpectedRun, ExpectedStep } from '../../model/workflow-test.ts'

/** A run with its steps, and a way to the values that they point at. */
export interface EndedRun {
  readonly run: RunRecord
  readonly invocations: readonly InvocationRecord[]
  readonly value: (payload: Payload) => JsonValue | Promise<JsonValue>
}

/** Ends that a step came to by its own work; a step that was stopped before says nothing. */
const ownEnds: ReadonlySet<InvocationStatus> = new Set(['SUCCESS', 'FAILED', 'TIMEOUT'])

/** Of each step the last generation counts: that which was done again is what came of it. */
export function lastOfEach(invocations: readonly InvocationRecord[]): readonly InvocationRecord[] {
  const last = new Map<string, InvocationRecord>()
  for (const record of invocations) {
    const place = stepPlaceOf(record.id)
    if ((last.get(place)?.generation ?? -1) <= record.generation) last.set(place, record)
  }
  return [...last.values()].filter(({ status, attempt }) => ownEnds.has(status) && attempt > 0)
}

/** Everything that a test could look at. */
export async function cameOf({ run, invocations, value }: EndedRun): Promise<ExpectedRun> {
  const steps: Record<string, ExpectedStep> = {}
  for (const record of lastOfEach(invocations)) {
    steps[placeOf(record.id)] = await stepOf(record, value)
  }
  const isDone = run.status === 'SUCCEEDED'
  return {
    status: run.status,
    ...(run.error === null ? {} : { error: run.error.code }),
    ...(isDone && run.output !== null ? { output: await value(run.output) } : {}),
    steps,
  }
}

const placeOf = (id: InvocationId): string => stepPlaceOf(id)

async function stepOf(
  { status, ports, output, error }: InvocationRecord,
  value: EndedRun['value'],
): Promise<ExpectedStep> {
  if (status !== 'SUCCESS') return { status, ...(error === null ? {} : { error: error.code }) }
  return {
    status,
    ...(ports === null ? {} : { ports: [...ports] }),
    output: output === null ? null : await value(output),
  }
}
