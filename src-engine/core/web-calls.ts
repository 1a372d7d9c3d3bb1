/**
 * Web calls to a step: each is kept on the run's record until there are as many as the step waits for, be it
 * parked already or not; then it goes on with all of them, in the checkpoint of the last one.
 */

import { SagasmithError } from '../model/errors.ts'
import type { InvocationId, NodeId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import { invocationMachine } from '../model/invocation-status.ts'
import { bufferedSignalsMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import type { BufferedSignal } from '../model/run.ts'
import { isRollingBack, runMachine } from '../model/run-status.ts'
import { isPauseAsked } from './control/hold.ts'
import type { Decision, DecisionContext } from './draft.ts'
import { changeRun, createDraft, finishDraft } from './draft.ts'
import type { RunState } from './run-state.ts'
import { forwardId } from './run-state.ts'
import { settle } from './settle.ts'
import { take } from './signals.ts'

/** What kept calls are called beside signals; whoever lists the waits for it finds those for calls. */
export const webCallName = '(web call)'

/** The step that is called. */
export interface CalledStep {
  readonly id: InvocationId
  readonly nodeId: NodeId
  readonly path: string
  /** How many calls it waits for. */
  readonly wanted: number
}

export type CallStanding =
  /** It takes calls; `kept` are those that came before. */
  | { readonly kind: 'open'; readonly kept: BufferedSignal | null }
  /** This very message came before. */
  | { readonly kind: 'known' }
  /** It has what it waits for, or won't wait any more. */
  | { readonly kind: 'gone' }

/** Where the step stands for a message; also before it waits, for whoever has its address may be early. */
export function callStanding(state: RunState, step: CalledStep, message: string): CallStanding {
  const record = state.invocations.get(step.id)
  const kept = state.run.signals.find((signal) => signal.for === step.id) ?? null
  const known = record?.dispatch?.heard ?? kept?.messages ?? []
  if (known.includes(message)) return { kind: 'known' }
  const { status } = state.run
  const isOver =
    runMachine.final.has(status) ||
    isRollingBack(status) ||
    (record !== undefined && invocationMachine.final.has(record.status)) ||
    // Somebody had the run go on under another generation: that step has another address.
    forwardId(state, step.nodeId, step.path) !== step.id ||
    (kept?.messages ?? []).length >= step.wanted
  return isOver ? { kind: 'gone' } : { kind: 'open', kept }
}

/** A call with what it leaves: alone, or in a list with those before it. */
export interface TakenCall {
  readonly step: CalledStep
  readonly message: string
  /** The calls before it that its payload has, too. */
  readonly kept: BufferedSignal | null
  readonly payload: Payload
}

/**
 * Keeps the call, or has the step go on with it. `changed` when other calls came between, so that its payload is
 * not what it should be. Throws `signal_buffer_full`.
 */
export function takeCall(
  state: RunState,
  context: DecisionContext,
  call: TakenCall,
): Decision | Exclude<CallStanding['kind'], 'open'> | 'changed' {
  const { step, message, payload } = call
  const standing = callStanding(state, step, message)
  if (standing.kind !== 'open') return standing.kind
  if (standing.kept?.messageId !== call.kept?.messageId) return 'changed'
  const messages = [...(standing.kept?.messages ?? []), message]
  const signal: BufferedSignal = {
    ...{ messageId: message, name: webCallName, correlation: null, payload, at: context.now },
    ...{ for: step.id, messages },
  }
  const others = state.run.signals.filter((other) => other !== standing.kept)
  const draft = createDraft(state, context)
  const record = state.invocations.get(step.id)
  if (record !== undefined && isWaiting(record) && messages.length >= step.wanted) {
    if (standing.kept !== null) changeRun(draft, { signals: others })
    take(draft, record, [signal])
  } else if (others.length < bufferedSignalsMax) changeRun(draft, { signals: [...others, signal] })
  else {
    const details = { runId: state.run.id, max: bufferedSignalsMax }
    throw new SagasmithError('signal_buffer_full', { details })
  }
  settle(draft)
  return finishDraft(draft)
}

/** What somebody paused takes nothing: the calls are there when it goes on. */
const isWaiting = (record: InvocationRecord): boolean =>
  record.status === 'WAITING' && record.wait?.kind === 'signal' && !isPauseAsked(record)
