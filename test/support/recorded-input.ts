/** What a step must have got, by the history alone. */

import { inlineInput } from '../../src-engine/core/node-input.ts'
import { rebuildRunState } from '../../src-engine/core/rebuild.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import { workOf } from '../../src-engine/runtime/attempt-work.ts'
import type { RunHistory } from './history.ts'

/** The text of its input as the run stood when it last began; null when it never began, or is too large. */
export function recordedInput(
  { id }: InvocationRecord,
  { run, workflow, events }: RunHistory,
): string | null {
  const begun = events.findLastIndex(
    ({ invocationId, body }) =>
      invocationId === id &&
      body.type === 'invocation.changed' &&
      body.to === 'RUNNING' &&
      body.from !== 'RUNNING',
  )
  if (begun === -1) return null
  const then = replayRun(events.slice(0, begun + 1))
  const record = then.invocations.get(id)
  if (record === undefined) return null
  const state = rebuildRunState(workflow, then.run ?? run, [...then.invocations.values()])
  const work = workOf(state, record)
  const payload = work === null ? null : inlineInput(work.input)
  return payload?.kind === 'inline' ? payload.json : null
}
