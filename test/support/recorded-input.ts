/** I17: what a step must have got, by the history alone. */

import { inlineInput } from '../../src-engine/core/node-input.ts'
import { resultBehind } from '../../src-engine/core/output/result-behind.ts'
import { rebuildRunState } from '../../src-engine/core/rebuild.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { Payload } from '../../src-engine/model/payload.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import { workOf } from '../../src-engine/runtime/attempt-work.ts'
import type { UndoWork } from '../../src-engine/runtime/saga/undo-work.ts'
import type { RunHistory } from './history.ts'

/**
 * The texts that its input may have had: as the run stood when that attempt began and, where a held result was
 * thrown away or one was redacted while it began, as it stood then. Null for one that is too large, or never was.
 */
export function recordedInputs(
  { id }: InvocationRecord,
  { run, workflow, events }: RunHistory,
  attempt: number,
): readonly (string | null)[] {
  let beginnings = 0
  const begun = events.findIndex(({ invocationId, body }) => {
    if (invocationId !== id || body.type !== 'invocation.changed') return false
    if (body.to === 'RUNNING' && body.from !== 'RUNNING') beginnings += 1
    return beginnings === attempt
  })
  if (begun === -1) return [null]
  const rest = events.slice(begun + 1)
  const end = rest.findIndex(
    ({ invocationId, body }) => invocationId === id && body.type === 'invocation.changed',
  )
  const meanwhile = end === -1 ? rest : rest.slice(0, end)
  const changed = meanwhile.flatMap(({ cause, actor }, index) =>
    cause.kind === 'quarantine.discarded' || actor.kind === 'scan' ? [index] : [],
  )
  return [begun, ...changed.map((index) => begun + 1 + index)].map((at) =>
    inputAt(id, { run, workflow, events }, at),
  )
}

/** The text of its input after that event. */
function inputAt(
  id: InvocationId,
  { run, workflow, events }: Pick<RunHistory, 'run' | 'workflow' | 'events'>,
  at: number,
): string | null {
  const then = replayRun(events.slice(0, at + 1))
  const record = then.invocations.get(id)
  if (record === undefined) return null
  const state = rebuildRunState(workflow, then.run ?? run, [...then.invocations.values()])
  const work = workOf(state, record)
  if (work === null) return null
  return work.undo === null ? jsonOf(inlineInput(work.input)) : undoInput(work.undo)
}

/** What undoes a step may be told of its result being held back, where that came while it was about to begin. */
export const isSameInput = (
  { role }: InvocationRecord,
  got: string | null,
  recorded: string | null,
): boolean =>
  got === null ||
  recorded === null ||
  got === recorded ||
  // An object has its fields in another order once it was read.
  got === JSON.stringify(JSON.parse(recorded)) ||
  (role === 'compensation' && withoutHold(got) === withoutHold(recorded))

function withoutHold(json: string): string {
  const value = JSON.parse(json) as { readonly error?: { readonly code?: string } | null }
  return value?.error?.code === 'output_quarantined' ? JSON.stringify({ ...value, error: null }) : json
}

/** What undoes a step gets that step, or what its document says of it. */
function undoInput({ step, arrived, uncertain, said }: UndoWork): string | null {
  if (said.arriving !== null) {
    const words = JSON.stringify(said.arriving['input'])
    return words.includes('{{') ? null : words
  }
  const { input, output } = resultBehind(step)
  const parts = { input: jsonOf(inlineInput(arrived)), parameters: partOf(input), output: partOf(output) }
  if (Object.values(parts).includes(null)) return null
  const values = Object.entries(parts).map(([name, json]) => [name, JSON.parse(json ?? 'null') as JsonValue])
  return JSON.stringify({ ...Object.fromEntries(values), error: step.error, uncertain })
}

/** What there never was is told as null; what is in a blob isn't told here. */
const partOf = (payload: Payload | null): string | null => (payload === null ? 'null' : jsonOf(payload))

const jsonOf = (payload: Payload | null): string | null => (payload?.kind === 'inline' ? payload.json : null)
