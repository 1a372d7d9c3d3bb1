/** How far what came is what a step waits for: which signals are meant, and whether they are enough. Pure. */

import type { ErrorRecord } from '../model/errors.ts'
import type { Cause, InvocationRecord, Wait } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import { inlinePayload } from '../model/payload.ts'
import type { BufferedSignal } from '../model/run.ts'
import { dispatchWith } from './control/hold.ts'
import { misfitFor } from './signal-rules.ts'

export type SignalWait = Extract<Wait, { readonly kind: 'signal' }>

/** A step that waits, or is about to. */
export type WaitingStep = Pick<InvocationRecord, 'id' | 'nodeId'> & { readonly wait: SignalWait }

export type Turnout =
  | { readonly kind: 'enough'; readonly signals: readonly BufferedSignal[] }
  /** One that the step fails with. */
  | { readonly kind: 'misfit'; readonly signals: readonly [BufferedSignal]; readonly error: ErrorRecord }
  /** The step waits on. */
  | { readonly kind: 'few'; readonly count: number }

/** What the step makes of the signals that are there, the oldest first. */
export function turnoutOf(step: WaitingStep, signals: readonly BufferedSignal[]): Turnout {
  const taken: BufferedSignal[] = []
  for (const signal of signals) {
    if (!isMeant(step, signal)) continue
    const misfit = misfitFor(signal, step.nodeId)
    if (misfit?.onMisfit === 'fail') return { kind: 'misfit', signals: [signal], error: misfit.error }
    if (misfit !== null) continue
    taken.push(signal)
    if (isEnough(step.wait, taken)) return { kind: 'enough', signals: taken }
  }
  return { kind: 'few', count: taken.length }
}

/** By its name and correlation, or by the address that was called. */
function isMeant({ id, wait }: WaitingStep, signal: BufferedSignal): boolean {
  if (wait.calls !== undefined) return signal.for === id
  return signal.for === undefined && wait.name === signal.name && wait.correlation === signal.correlation
}

const isEnough = ({ calls, count = 1 }: SignalWait, taken: readonly BufferedSignal[]): boolean =>
  calls === undefined ? taken.length >= count : (taken[0]?.messages?.length ?? 0) >= calls

/** The record as a step that waits for that signal; null when it doesn't. */
export function waitingFor(record: InvocationRecord, signal: BufferedSignal): WaitingStep | null {
  const { id, nodeId, status, wait } = record
  if (status !== 'WAITING' || wait?.kind !== 'signal') return null
  const step = { id, nodeId, wait }
  return isMeant(step, signal) ? step : null
}

/** Whether it went on with that message, alone or among others. Ids of web calls are another matter. */
export function hasTaken({ cause, dispatch }: InvocationRecord, messageId: string): boolean {
  if (cause.kind === 'signal' && cause.by === messageId) return true
  return cause.kind !== 'call' && dispatch?.heard?.includes(messageId) === true
}

/** Kept on the record that took it: a repeat of the message finds it there. */
export const causeOf = ({ messageId, name, for: caller }: BufferedSignal): Cause => {
  return { kind: caller === undefined ? 'signal' : 'call', by: messageId, detail: name }
}

/** What stays of the messages on the record that went on with several, or with web calls. */
export function heardOf(
  record: InvocationRecord,
  { count }: SignalWait,
  signals: readonly BufferedSignal[],
): Partial<InvocationRecord> {
  const calls = signals[0]?.messages
  const heard = count === undefined ? calls : signals.map(({ messageId }) => messageId)
  return heard === undefined ? {} : { dispatch: dispatchWith(record, { heard }) }
}

/** What the step hands on: the signal's payload, or a list of all. Null when that doesn't fit into a record. */
export function payloadOf({ count }: SignalWait, signals: readonly BufferedSignal[]): Payload | null {
  if (count === undefined) return signals[0]?.payload ?? null
  const texts: string[] = []
  for (const { payload } of signals) {
    if (payload.kind !== 'inline') return null
    texts.push(payload.json)
  }
  return inlinePayload(`[${texts.join(',')}]`)
}

/** What people read while it waits. */
export function waitWords({ name, correlation, calls, count }: SignalWait, came: number): string {
  if (calls !== undefined) return calls === 1 ? 'Waits for a web call.' : `Waits for ${calls} web calls.`
  const of = correlation === null ? '' : ` of ${correlation}`
  if (count === undefined) return `Waits for the signal “${name}”${of}.`
  const standing = came === 0 ? '' : `; ${came === 1 ? '1 has' : `${came} have`} come`
  return `Waits for ${count} signals “${name}”${of}${standing}.`
}
