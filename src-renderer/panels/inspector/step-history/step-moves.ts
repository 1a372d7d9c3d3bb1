/** What became of a step, move by move: who moved it, who had it then, and why. From the events of its run. Pure. */

import type { EngineEvent } from '../../../../src-engine/model/event.ts'
import type { Cause } from '../../../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../../../src-engine/model/invocation-status.ts'
import type { Instant, Millis } from '../../../../src-engine/model/time.ts'

export interface StepMove {
  readonly seq: number
  readonly at: Instant
  /** Until the next one; null for the last. */
  readonly lasted: Millis | null
  readonly status: InvocationStatus
  /** Who did it: a runner's id, a person's name, or what kind of service. */
  readonly by: { readonly kind: EngineEvent['actor']['kind']; readonly id: string | null }
  /** The runner that has it from then on; null for nobody. */
  readonly owner: string | null
  /** Whether it has changed hands. */
  readonly isNewOwner: boolean
  readonly cause: Cause
  readonly attempt: number
}

/** The moves in their order; `events` are those of the run up to the moment that is looked at. */
export function movesOf(events: readonly EngineEvent[], invocationId: string): readonly StepMove[] {
  const moves: StepMove[] = []
  let owner: string | null = null
  let attempt = 0
  for (const event of events) {
    if (event.invocationId !== invocationId) continue
    const { body } = event
    const set =
      body.type === 'invocation.registered'
        ? body.invocation
        : body.type === 'invocation.changed'
          ? body.set
          : null
    if (set === null) continue
    const before: string | null = owner
    if (set.lease !== undefined) owner = set.lease?.runnerId ?? null
    attempt = set.attempt ?? attempt
    const status =
      body.type === 'invocation.changed'
        ? body.to
        : body.type === 'invocation.registered'
          ? body.invocation.status
          : null
    const isMove =
      body.type === 'invocation.registered' || (body.type === 'invocation.changed' && body.from !== body.to)
    // A longer lease, or a request: nothing that people would call another state.
    if (status === null || (!isMove && owner === before)) continue
    const last = moves.at(-1)
    if (last !== undefined) moves[moves.length - 1] = { ...last, lasted: event.at - last.at }
    const { seq, at, actor, cause } = event
    moves.push({
      seq,
      at,
      lasted: null,
      status,
      by: actor,
      owner,
      isNewOwner: owner !== null && owner !== before,
      cause,
      attempt,
    })
  }
  return moves
}
