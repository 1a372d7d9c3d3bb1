/**
 * A step that handed on what another run gave: when that is held back there, redacted, released or thrown away,
 * it is here, too. It is decided about where it was found.
 */

import type { InvocationId, RunId } from '../../model/ids.ts'
import { isOfRun } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { OutputCheck } from '../../model/output/output-check.ts'
import type { Payload } from '../../model/payload.ts'
import type { Decision, DecisionContext } from '../draft.ts'
import type { RunState } from '../run-state.ts'
import { discardAll, releaseAll, releaseRefusal } from './decide-held.ts'
import type { FreshCheck } from './hold-back.ts'
import { quarantineLate, redactLate } from './hold-back.ts'

/** What became of the result where it was found. */
export interface ChildResult {
  /** The step here that handed it on. */
  readonly id: InvocationId
  readonly child: RunId
  /** The step of the child. */
  readonly of: InvocationId
  readonly check: OutputCheck
  /** What the child says now that it gave; null while that is held back, or for good. */
  readonly output: Payload | null
}

/** Null where there is nothing (any more) to do the same with. */
export function followChild(state: RunState, context: DecisionContext, given: ChildResult): Decision | null {
  const { id, of, check, output } = given
  const record = state.invocations.get(id)
  if (record === undefined) return null
  if (check.standing === 'redacted') {
    if (output === null) return null
    return redactLate(state, context, { id, check: freshOf(check, null), output })
  }
  if (check.standing === 'held') {
    return output === null ? quarantineLate(state, context, { id, check: freshOf(check, of) }) : null
  }
  const own = heldWith(record, given)
  return own === null ? null : decided(state, context, { ...given, record, own })
}

function decided(
  state: RunState,
  context: DecisionContext,
  given: ChildResult & { readonly record: InvocationRecord; readonly own: OutputCheck },
): Decision | null {
  const { record, own, check, output } = given
  const { by, reason } = check.decided ?? { by: 'local', reason: null }
  const request = { id: record.id, by, reason }
  if (check.standing === 'discarded') return discardAll(state, context, { record, request })
  // Held for another step of the child as well; or the run here is being undone, and nobody is to see it.
  if (output === null || releaseRefusal(state.run) !== null) return null
  return releaseAll(state, context, { record, check: own, request, instead: output })
}

/** What it holds for that child; null for nothing. */
function heldWith({ dispatch }: InvocationRecord, { child }: ChildResult): OutputCheck | null {
  const own = dispatch?.check ?? null
  return own?.standing === 'held' && own.with !== null && isOfRun(own.with, child) ? own : null
}

/** The check as it is here; what was found stands where it was found. */
const freshOf = (
  { phase, decision, rule, severity, reason, policy, at, standing }: OutputCheck,
  together: InvocationId | null,
): FreshCheck => ({
  ...{ phase, decision, rule, severity, reason, policy, at, standing },
  findings: null,
  with: together,
  decided: null,
})
