/**
 * Signals: messages to a run, first in, first out by name and correlation. One that comes before somebody
 * waits for it lies on the run's record; taking it and going on with it are one checkpoint.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import { SagasmithError } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { Cause, InvocationRecord, Wait } from '../model/invocation.ts'
import { bufferedSignalsMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import type { BufferedSignal } from '../model/run.ts'
import type { Instant } from '../model/time.ts'
import { dispatchWith, isPauseAsked, letGo } from './control/hold.ts'
import { refuseFinal } from './control/refuse-final.ts'
import type { Decision, DecisionContext, Draft } from './draft.ts'
import { changeRun, createDraft, finishDraft, moveInvocation, nodeOf, recordOf } from './draft.ts'
import { propagateFrom } from './propagate.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'
import { waitEndOf } from './total-timeout.ts'

export type SignalWait = Extract<Wait, { readonly kind: 'signal' }>

const signalPorts: readonly string[] = ['out']

type Waiting = Pick<InvocationRecord, 'id'> & { readonly wait: SignalWait }

function isMeant({ id, wait }: Waiting, signal: BufferedSignal): boolean {
  const { name, correlation, messages = [] } = signal
  if (wait.calls !== undefined) return signal.for === id && messages.length >= wait.calls
  return signal.for === undefined && wait.name === name && wait.correlation === correlation
}

/** Kept on the record that took it: a repeat of the message finds it there. */
const causeOf = ({ messageId, name, for: caller }: BufferedSignal): Cause => {
  return { kind: caller === undefined ? 'signal' : 'call', by: messageId, detail: name }
}

/** What stays of web calls on the record that went on with them. */
const heardOf = (record: InvocationRecord, { messages }: BufferedSignal): Partial<InvocationRecord> =>
  messages === undefined ? {} : { dispatch: dispatchWith(record, { heard: messages }) }

function waitWords({ name, correlation, calls }: SignalWait): string {
  if (calls !== undefined) return calls === 1 ? 'Waits for a web call.' : `Waits for ${calls} web calls.`
  return `Waits for the signal “${name}”${correlation === null ? '' : ` of ${correlation}`}.`
}

/** An attempt's end: takes the oldest signal that is there, or waits for one. */
export function awaitSignal(
  draft: Draft,
  record: InvocationRecord,
  ended: {
    readonly wait: SignalWait
    readonly until: Instant | null
    /** What goes on by the timeout port. */
    readonly output: Payload
    readonly input: Payload | null
    readonly attempt: AttemptRecord
  },
): void {
  const { wait, until, output, input, attempt } = ended
  const early = draft.run.signals.find((signal) => isMeant({ id: record.id, wait }, signal))
  if (early !== undefined) {
    changeRun(draft, { signals: draft.run.signals.filter((signal) => signal !== early) })
    const cause = causeOf(early)
    const set = { input, output: early.payload, ports: signalPorts, error: null, cause }
    const heard = heardOf(record, early)
    const after = moveInvocation(draft, record.id, {
      to: 'SUCCESS',
      cause,
      set: { ...set, ...heard },
      attempt,
    })
    goOn(draft, after)
    return
  }
  const waitReason = { code: wait.calls === undefined ? 'signal' : 'call', message: waitWords(wait) }
  const notBefore = waitEndOf(nodeOf(draft, record), record, until)
  const set = { input, output, wait, notBefore, waitReason }
  moveInvocation(draft, record.id, { to: 'WAITING', set, attempt })
}

/**
 * Hands a signal to whoever waits longest for it, or keeps it. Null when the message was received before, and
 * when nobody waits for one that isn't to be kept. Throws `run_already_final`, `signal_buffer_full`.
 */
export function deliverSignal(
  state: RunState,
  context: DecisionContext,
  sent: { readonly signal: BufferedSignal; readonly otherwise: 'keep' | 'drop' },
): Decision | null {
  const { run } = state
  const { signal, otherwise } = sent
  if (run.signals.some((kept) => kept.for === undefined && kept.messageId === signal.messageId)) return null
  let first: InvocationRecord | null = null
  let isForPaused = false
  for (const record of state.invocations.values()) {
    if (record.cause.kind === 'signal' && record.cause.by === signal.messageId) return null
    const { wait } = record
    if (record.status !== 'WAITING' || wait?.kind !== 'signal' || !isMeant({ id: record.id, wait }, signal))
      continue
    // What somebody paused takes nothing: the signal is there when it goes on.
    if (isPauseAsked(record)) {
      isForPaused = true
      continue
    }
    if (first === null || waitsSince(record) < waitsSince(first)) first = record
  }
  if (first === null && otherwise === 'drop' && !isForPaused) return null
  refuseFinal(state, 'signal')
  const draft = createDraft(state, context)
  if (first !== null) take(draft, first, signal)
  else if (run.signals.length < bufferedSignalsMax) changeRun(draft, { signals: [...run.signals, signal] })
  else {
    throw new SagasmithError('signal_buffer_full', { details: { runId: run.id, max: bufferedSignalsMax } })
  }
  settle(draft)
  return finishDraft(draft)
}

/** A wait that stood still takes what came for it meanwhile. */
export function takeKept(draft: Draft, id: InvocationId): void {
  const record = recordOf(draft, id)
  if (record?.status !== 'WAITING' || record.wait?.kind !== 'signal') return
  const { wait } = record
  const kept = draft.run.signals.find((signal) => isMeant({ id, wait }, signal))
  if (kept === undefined) return
  changeRun(draft, { signals: draft.run.signals.filter((signal) => signal !== kept) })
  take(draft, record, kept)
}

const waitsSince = (record: InvocationRecord): Instant => record.startedAt ?? record.registeredAt

/** A step that waits for it goes on with what came. */
export function take(draft: Draft, record: InvocationRecord, signal: BufferedSignal): void {
  letGo(draft, record)
  const cause = causeOf(signal)
  const heard = heardOf(recordOf(draft, record.id) ?? record, signal)
  const set = { output: signal.payload, ports: signalPorts, error: null, cause, ...heard }
  const after = moveInvocation(draft, record.id, { to: 'SUCCESS', cause, set })
  goOn(draft, after)
}

function goOn(draft: Draft, record: InvocationRecord): void {
  propagateFrom(draft, nodeOf(draft, record), record)
}
