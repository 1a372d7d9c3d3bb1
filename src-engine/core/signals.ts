/**
 * Signals: messages to a run, first in, first out by name and correlation. One that comes before somebody
 * waits for it lies on the run's record, as do those of a step that waits for several; taking them and going on
 * with them are one checkpoint.
 */

import type { AttemptRecord } from '../model/attempt.ts'
import type { ErrorRecord } from '../model/errors.ts'
import { SagasmithError } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonValue } from '../model/json.ts'
import { bufferedSignalsMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import type { BufferedSignal } from '../model/run.ts'
import type { Instant } from '../model/time.ts'
import { isPauseAsked, letGo } from './control/hold.ts'
import { refuseFinal } from './control/refuse-final.ts'
import type { Decision, DecisionContext, Draft, Move } from './draft.ts'
import {
  changeRun,
  createDraft,
  finishDraft,
  moveInvocation,
  nodeOf,
  recordOf,
  touchInvocation,
} from './draft.ts'
import { failFinally } from './fail-finally.ts'
import { propagateFrom } from './propagate.ts'
import type { RunState } from './run-state.ts'
import { settle } from './settle.ts'
import { misfitFor, refusedByAll, withMisfits } from './signal-rules.ts'
import type { SignalWait, Turnout, WaitingStep } from './signal-turnout.ts'
import { causeOf, hasTaken, heardOf, payloadOf, turnoutOf, waitingFor, waitWords } from './signal-turnout.ts'
import { startNow } from './start-now.ts'
import { waitEndOf } from './wait-ends.ts'

const signalPorts: readonly string[] = ['out']

/** An attempt's end: takes the oldest signals that are there, or waits for them. */
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
  const { id, nodeId } = record
  const { signals } = draft.run
  const turnout = turnoutOf({ id, nodeId, wait }, signals)
  if (turnout.kind === 'few') {
    const waitReason = reasonOf(wait, turnout.count)
    const notBefore = waitEndOf(nodeOf(draft, record), record, until)
    const set = { input, output, wait, notBefore, waitReason }
    moveInvocation(draft, id, { to: 'WAITING', set, attempt })
    return
  }
  leave(draft, signals, turnout)
  endWait(draft, { id, nodeId, wait }, { turnout, set: { input }, attempt })
  tellHowMany(draft, draft.state.workflow.signalSteps.length === 0 ? [] : draft.state.invocations.values())
}

const reasonOf = (wait: SignalWait, came: number) => {
  return { code: wait.calls === undefined ? 'signal' : 'call', message: waitWords(wait, came) }
}

type EndOfWait = Exclude<Turnout, { readonly kind: 'few' }>

/** The run keeps what of the signals isn't taken. */
function leave(draft: Draft, there: readonly BufferedSignal[], { signals }: EndOfWait): void {
  const left = there.filter((signal) => !signals.includes(signal))
  const before = draft.run.signals
  const isSame = left.length === before.length && left.every((signal, place) => signal === before[place])
  if (!isSame) changeRun(draft, { signals: left })
}

/** The step goes on with what came, has an attempt make a list of it, or fails with it. */
function endWait(
  draft: Draft,
  { id, wait }: WaitingStep,
  end: {
    readonly turnout: EndOfWait
    readonly set?: Partial<InvocationRecord>
    readonly attempt?: AttemptRecord
  },
): void {
  const record = recordOf(draft, id)
  const { turnout, attempt } = end
  const last = turnout.signals.at(-1)
  if (record === undefined || last === undefined) return
  const cause = causeOf(last)
  const set: Partial<InvocationRecord> = { ...end.set, cause }
  if (turnout.kind === 'misfit') {
    const node = nodeOf(draft, record)
    const { error } = turnout
    failFinally(draft, record, { node, set: { ...set, error }, attempt: attempt ?? null, final: 'FAILED' })
    return
  }
  const heard = heardOf(record, wait, turnout.signals)
  const output = payloadOf(wait, turnout.signals)
  const told: Partial<Move> = attempt === undefined ? { cause } : { cause, attempt }
  if (output === null) {
    const collected = turnout.signals.map(({ payload }) => payload)
    if (record.status !== 'WAITING') moveInvocation(draft, id, { to: 'WAITING', ...told })
    // Its own cause stays until it has ended: it says what had arrived when the step was invoked.
    const again = { ...end.set, ...heard, output: null, wait: { ...wait, collected } }
    startNow(draft, moveInvocation(draft, id, { to: 'REROUTED', cause, set: again }))
    return
  }
  const done = { ...set, ...heard, output, ports: signalPorts, error: null }
  const after = moveInvocation(draft, id, { to: 'SUCCESS', ...told, set: done })
  propagateFrom(draft, nodeOf(draft, after), after)
}

/** What is sent to a run. */
export interface SentSignal {
  readonly signal: BufferedSignal
  /** What it carries; undefined where nobody could read it. */
  readonly value: JsonValue | undefined
  /** What becomes of it when nobody waits for it. */
  readonly otherwise: 'keep' | 'drop'
}

/**
 * Hands a signal to whoever waits longest for it, or keeps it. Null when the message was received before, and
 * when nobody waits for one that isn't to be kept. Throws `run_already_final`, `signal_buffer_full`, and
 * `signal_payload_invalid` for what would be kept and fits nobody.
 */
export function deliverSignal(state: RunState, context: DecisionContext, sent: SentSignal): Decision | null {
  const { run, workflow } = state
  const { otherwise } = sent
  const signal = withMisfits(workflow, sent.signal, sent.value)
  const waiting = waitersFor(state, signal)
  if (waiting === null) return null
  const open = waiting.filter(({ nodeId }) => misfitFor(signal, nodeId)?.onMisfit !== 'refuse')
  if (open.length === 0 && otherwise === 'drop') return null
  refuseFinal(state, 'signal')
  if (open.length === 0) refuseMisfit(state, signal, waiting)
  const draft = createDraft(state, context)
  const there = [...run.signals, signal]
  // What somebody paused takes nothing: the signal is there when it goes on.
  const goes = open.filter((record) => !isPauseAsked(record))
  if (!takeFirst(draft, goes, there)) {
    if (run.signals.length >= bufferedSignalsMax)
      throw new SagasmithError('signal_buffer_full', { details: { runId: run.id, max: bufferedSignalsMax } })
    changeRun(draft, { signals: there })
  }
  tellHowMany(draft, goes)
  settle(draft)
  return finishDraft(draft)
}

/** Those that wait for it, whoever waits longest first; null when the message was received before. */
function waitersFor(state: RunState, signal: BufferedSignal): readonly InvocationRecord[] | null {
  const { messageId } = signal
  if (state.run.signals.some((kept) => kept.for === undefined && kept.messageId === messageId)) return null
  const waiting: InvocationRecord[] = []
  for (const record of state.invocations.values()) {
    if (hasTaken(record, messageId)) return null
    if (waitingFor(record, signal) !== null) waiting.push(record)
  }
  return waiting.sort((a, b) => waitsSince(a) - waitsSince(b))
}

const waitsSince = (record: InvocationRecord): Instant => record.startedAt ?? record.registeredAt

/** While somebody waits, what they say counts; before that, what those say who may wait. */
function refuseMisfit(state: RunState, signal: BufferedSignal, waiting: readonly InvocationRecord[]): void {
  const [first] = waiting
  const error: ErrorRecord | null =
    first === undefined
      ? refusedByAll(state.workflow, signal)
      : (misfitFor(signal, first.nodeId)?.error ?? null)
  if (error === null) return
  const { message, details } = error
  throw new SagasmithError('signal_payload_invalid', {
    message,
    details: { ...details, runId: state.run.id },
  })
}

/** Whether one of them has all that it waits for, and goes on. */
function takeFirst(
  draft: Draft,
  records: readonly InvocationRecord[],
  there: readonly BufferedSignal[],
): boolean {
  for (const record of records) {
    const { id, nodeId, wait } = record
    if (wait?.kind !== 'signal') continue
    const turnout = turnoutOf({ id, nodeId, wait }, there)
    if (turnout.kind === 'few') continue
    letGo(draft, record)
    leave(draft, there, turnout)
    endWait(draft, { id, nodeId, wait }, { turnout })
    return true
  }
  return false
}

/** Who waits for several says how many have come. */
function tellHowMany(draft: Draft, records: Iterable<InvocationRecord>): void {
  for (const before of records) {
    const record = recordOf(draft, before.id) ?? before
    const { id, nodeId, status, wait, waitReason } = record
    if (status !== 'WAITING' || wait?.kind !== 'signal' || wait.count === undefined) continue
    if (isPauseAsked(record) || waitReason?.code !== 'signal') continue
    const turnout = turnoutOf({ id, nodeId, wait }, draft.run.signals)
    const reason = reasonOf(wait, turnout.kind === 'few' ? turnout.count : 0)
    if (reason.message !== waitReason.message) touchInvocation(draft, id, { waitReason: reason })
  }
}

/** A wait that stood still takes what came for it meanwhile. */
export function takeKept(draft: Draft, id: InvocationId): void {
  const record = recordOf(draft, id)
  if (record?.status === 'WAITING' && !takeFirst(draft, [record], draft.run.signals))
    tellHowMany(draft, [record])
}

/** A step that waits for them goes on with what came. */
export function take(draft: Draft, record: InvocationRecord, signals: readonly BufferedSignal[]): void {
  const { id, nodeId, wait } = record
  if (wait?.kind !== 'signal') return
  letGo(draft, record)
  endWait(draft, { id, nodeId, wait }, { turnout: { kind: 'enough', signals } })
}
