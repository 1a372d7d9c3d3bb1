/** What people decide about a result that is held back: it counts after all, or it is thrown away. */

import { SagasmithError } from '../../model/errors.ts'
import type { InvocationId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { OutputCheck } from '../../model/output/output-check.ts'
import type { Payload } from '../../model/payload.ts'
import type { RunRecord } from '../../model/run.ts'
import type { RunStatus } from '../../model/run-status.ts'
import { samePayload } from '../../model/value-codec.ts'
import { dispatchWith } from '../control/hold.ts'
import { quarantineReason } from '../control/letters-of-ends.ts'
import type { Decision, DecisionContext, Draft } from '../draft.ts'
import {
  changeRun,
  createDraft,
  finishDraft,
  moveInvocation,
  nodeOf,
  recordOf,
  runIsFinal,
  touchInvocation,
} from '../draft.ts'
import { tellsResult } from '../effects.ts'
import { propagateFrom } from '../propagate.ts'
import type { RunState } from '../run-state.ts'
import { runOutputAnew, settle } from '../settle.ts'

/** What a person says about a result that is held back. */
export interface HeldDecision {
  readonly id: InvocationId
  readonly by: string
  readonly reason: string | null
}

/** A run that is being undone, or was, can't be given a result any more. */
const undone: ReadonlySet<RunStatus> = new Set([
  'COMPENSATING',
  'COMPENSATION_FAILED',
  'COMPENSATED',
  'ABANDONED',
])

/** Why a held result of the run can't be released; null when it can be. */
export function releaseRefusal({ id, status }: RunRecord): SagasmithError | null {
  if (!undone.has(status)) return null
  return new SagasmithError('output_release_refused', {
    message: `The run ${id} is ${status}: its results can’t be released any more.`,
    details: { runId: id, status },
  })
}

/**
 * The result counts: its step has succeeded, and whatever waits for it goes on, unless its run has ended.
 * Throws `output_not_held`, `output_release_refused`.
 */
export function releaseOutput(state: RunState, context: DecisionContext, request: HeldDecision): Decision {
  const { record, check } = heldOf(state, request.id)
  const refusal = releaseRefusal(state.run)
  if (refusal !== null) throw refusal
  return withLetterSettled(releaseAll(state, context, { record, check, request }), record.id, check)
}

/** Lets the result go wherever it is held, as another one where it is that by now. */
export function releaseAll(
  state: RunState,
  context: DecisionContext,
  given: {
    readonly record: InvocationRecord
    readonly check: OutputCheck
    readonly request: HeldDecision
    readonly instead?: Payload
  },
): Decision {
  const { record, check, request, instead } = given
  const draft = createDraft(state, context)
  const shown = (held: Payload): Payload =>
    instead !== undefined && samePayload(held, check.held) ? instead : held
  for (const other of [record, ...togetherWith(state, record.id)]) release(draft, other, { request, shown })
  if (runIsFinal(draft.run)) tellRunOutput(draft, record.id)
  else {
    const after = recordOf(draft, record.id)
    if (after !== undefined && check.phase === 'metadata') propagateFrom(draft, nodeOf(draft, after), after)
    settle(draft)
  }
  return finishDraft(draft)
}

function release(
  draft: Draft,
  record: InvocationRecord,
  { request, shown }: { readonly request: HeldDecision; readonly shown: (held: Payload) => Payload },
): void {
  const check = record.dispatch?.check ?? null
  if (check === null || check.held === null) return
  moveInvocation(draft, record.id, {
    to: 'SUCCESS',
    set: {
      output: shown(check.held),
      input: check.input ?? record.input,
      error: null,
      // Where its absence was handled, that stays as it is.
      ports: check.phase === 'content' ? check.ports : (record.ports ?? check.ports),
      finishedAt: record.finishedAt,
      dispatch: dispatchWith(record, { check: decidedCheck(check, 'released', { draft, request }) }),
    },
  })
}

const decidedCheck = (
  check: OutputCheck,
  standing: 'released' | 'discarded',
  by: { readonly draft: Draft; readonly request: HeldDecision },
): OutputCheck => ({
  ...check,
  standing,
  held: null,
  input: null,
  decided: { by: by.request.by, at: by.draft.context.now, reason: by.request.reason },
})

/** Once nothing of it is held back any more, a run that succeeded says again what it gave. */
function tellRunOutput(draft: Draft, of: InvocationId): void {
  if (draft.run.status !== 'SUCCEEDED' || draft.run.output !== null) return
  for (const { id } of draft.state.invocations.values()) {
    const check = recordOf(draft, id)?.dispatch?.check ?? null
    if (check !== null && check.phase === 'content' && check.held !== null) return
  }
  changeRun(draft, { output: runOutputAnew(draft) })
  tellsResult(draft, of, 'released')
}

/** Nobody will ever see the result. Throws `output_not_held`. */
export function discardOutput(state: RunState, context: DecisionContext, request: HeldDecision): Decision {
  const { record, check } = heldOf(state, request.id)
  return withLetterSettled(discardAll(state, context, { record, request }), record.id, check)
}

/** Throws the result away wherever it is held. */
export function discardAll(
  state: RunState,
  context: DecisionContext,
  { record, request }: { readonly record: InvocationRecord; readonly request: HeldDecision },
): Decision {
  const draft = createDraft(state, context)
  for (const other of [record, ...togetherWith(state, record.id)]) {
    const own = other.dispatch?.check ?? null
    if (own === null) continue
    const after = decidedCheck(own, 'discarded', { draft, request })
    touchInvocation(draft, other.id, { dispatch: dispatchWith(other, { check: after }) })
  }
  if (runIsFinal(draft.run)) tellsResult(draft, record.id, 'discarded')
  return finishDraft(draft)
}

/** That somebody looked at a held result is part of the run's history. Throws `output_not_held`. */
export function noteLook(state: RunState, context: DecisionContext, id: InvocationId): Decision {
  heldOf(state, id)
  const draft = createDraft(state, context)
  touchInvocation(draft, id, {})
  return finishDraft(draft)
}

function heldOf(
  state: RunState,
  id: InvocationId,
): { readonly record: InvocationRecord; readonly check: OutputCheck } {
  const record = state.invocations.get(id)
  const check = record?.dispatch?.check ?? null
  const details = { runId: state.run.id, invocationId: id }
  if (record === undefined) throw new SagasmithError('invocation_not_found', { details })
  if (check?.standing !== 'held' || check.held === null)
    throw new SagasmithError('output_not_held', { details })
  if (check.with === null) return { record, check }
  throw new SagasmithError('output_not_held', {
    message: `This step only hands on what ${check.with} gave.`,
    hint: `Decide about that one: sagasmith quarantine show ${check.with}`,
    details: { ...details, with: check.with },
  })
}

const togetherWith = (state: RunState, id: InvocationId): readonly InvocationRecord[] =>
  [...state.invocations.values()].filter((record) => {
    const check = record.dispatch?.check
    return check?.with === id && check.standing === 'held'
  })

function withLetterSettled(decision: Decision, id: InvocationId, { phase }: OutputCheck): Decision {
  const { checkpoint } = decision
  const settledLetters = [...checkpoint.writes.settledLetters, `${id}:${quarantineReason(phase)}`]
  return { ...decision, checkpoint: { ...checkpoint, writes: { ...checkpoint.writes, settledLetters } } }
}
