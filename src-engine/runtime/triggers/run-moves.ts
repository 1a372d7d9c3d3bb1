/** What the history says of a run or a step that came to be something else: what triggers on runs look at. */

import type { EngineEvent } from '../../model/event.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import type { InvocationStatus } from '../../model/invocation-status.ts'
import type { RunStatus } from '../../model/run-status.ts'

export type RunMove =
  | { readonly kind: 'run'; readonly runId: RunId; readonly status: RunStatus; readonly event: EngineEvent }
  | {
      readonly kind: 'step'
      readonly runId: RunId
      readonly invocationId: InvocationId
      readonly status: InvocationStatus
      readonly event: EngineEvent
    }

/** Null for an event that moves nothing. */
export function moveOf(event: EngineEvent): RunMove | null {
  const { runId, invocationId, body } = event
  if (runId === null) return null
  if (body.type === 'run.changed')
    return body.from === body.to ? null : { kind: 'run', runId, status: body.to, event }
  if (body.type !== 'invocation.changed' || invocationId === null || body.from === body.to) return null
  return { kind: 'step', runId, invocationId, status: body.to, event }
}

/** By which the move is known: the same however often it is read, and after the store had to write it again. */
export function moveIdOf({ status, event }: RunMove): string {
  const { runId, invocationId, runVersion, epoch, seq } = event
  const when = runVersion === undefined ? `${epoch}-${seq}` : `v${runVersion}`
  return `${invocationId ?? runId ?? ''}:${when}:${status}`
}
