/**
 * The circuit breaker around steps. Closed, it counts the failures within a window; so many of them open it. Open,
 * nobody gets in until its time is over. Half-open, it lets in a few to try: enough that succeed close it, one that
 * fails opens it again. The one in front of a remote safety kernel (policy/breaker.ts) counts failures in a row and
 * has fixed numbers; this one knows who is inside, for the same end may be told twice. Pure: one state and an
 * instant give the next, so that all runs and runners share it as a register.
 */

import type { InvocationId } from './ids.ts'
import type { JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Instant, Millis } from './time.ts'

export interface CircuitRules {
  /** Failures within the window that open it. */
  readonly failures: number
  readonly windowMs: Millis
  /** How long nobody gets in. */
  readonly openMs: Millis
  /** How many may try at a time while it is half-open, and how many of them must succeed. */
  readonly probes: number
}

/** Somebody who got in, and when. */
interface Visit {
  readonly of: InvocationId
  readonly at: Instant
}

export type Circuit =
  | {
      readonly status: 'closed'
      readonly failures: readonly Visit[]
      /** When it closed again; missing on one that never opened. */
      readonly since?: Instant
    }
  | {
      readonly status: 'open'
      readonly since: Instant
      readonly until: Instant
      /** How many failures opened it. */
      readonly failures: number
      /** What the last of them said. */
      readonly error: string | null
    }
  | {
      readonly status: 'half-open'
      readonly since: Instant
      /** When it opened, and after how many failures. */
      readonly openedAt: Instant
      readonly failures: number
      readonly error: string | null
      readonly probes: readonly Visit[]
      readonly succeeded: readonly InvocationId[]
    }

export const closedCircuit: Circuit = { status: 'closed', failures: [] }

/** Closed again: what is told of those who got in before says nothing of it. */
export const closedAgain = (at: Instant): Circuit => ({ ...closedCircuit, since: at })

/** Whether there is nothing to say of it: it is closed, and counts no failure. */
export const isQuiet = (circuit: Circuit): boolean =>
  circuit.status === 'closed' && circuit.failures.length === 0

/** Nobody comes back to say how a probe went whose runner is gone for good: its place is given to another. */
const probeLostMs: Millis = 600_000

/** Whether somebody gets in, and the state that has them inside. The same object comes back where nothing changes. */
export function passCircuit(
  circuit: Circuit,
  { of, at, rules }: Visit & { readonly rules: CircuitRules },
): { readonly passes: boolean; readonly after: Circuit } {
  if (circuit.status === 'closed') return { passes: true, after: circuit }
  if (circuit.status === 'open') {
    // A clock that was set back must not keep it open for longer than it would have been.
    if (at < circuit.until && at >= circuit.since) return { passes: false, after: circuit }
    const { since: openedAt, failures, error } = circuit
    const after: Circuit = {
      ...{ status: 'half-open', since: at, openedAt, failures, error },
      ...{ probes: [{ of, at }], succeeded: [] },
    }
    return { passes: true, after }
  }
  // Asked again after a crash: it is inside already.
  if (circuit.probes.some((probe) => probe.of === of)) return { passes: true, after: circuit }
  const probes = circuit.probes.filter((probe) => at < probe.at + probeLostMs)
  if (probes.length + circuit.succeeded.length >= rules.probes) return { passes: false, after: circuit }
  return { passes: true, after: { ...circuit, probes: [...probes, { of, at }] } }
}

/** How it went inside; `left` says nothing of what is protected: somebody cancelled it. */
export type CircuitOutcome = 'succeeded' | 'failed' | 'left'

export interface CircuitNote {
  readonly of: InvocationId
  readonly outcome: CircuitOutcome
  /** When it got in, and when it ended. */
  readonly begunAt: Instant
  readonly at: Instant
  readonly error: string | null
  readonly rules: CircuitRules
}

/** Somebody who got in has ended. The same object comes back where nothing changes, as when it is told again. */
export function noteCircuit(circuit: Circuit, note: CircuitNote): Circuit {
  if (circuit.status === 'open') return circuit
  return circuit.status === 'closed' ? noteClosed(circuit, note) : noteHalfOpen(circuit, note)
}

function noteClosed(circuit: Extract<Circuit, { status: 'closed' }>, note: CircuitNote): Circuit {
  const { of, outcome, begunAt, at, error, rules } = note
  if (outcome !== 'failed' || circuit.failures.some((failure) => failure.of === of)) return circuit
  // A failure that opened it may be told again after that: it was counted, and the circuit has closed since.
  if (circuit.since !== undefined && begunAt < circuit.since) return circuit
  const recent = circuit.failures.filter((failure) => at < failure.at + rules.windowMs)
  const failures = [...recent, { of, at }]
  if (failures.length < rules.failures) return { ...circuit, failures }
  return { status: 'open', since: at, until: at + rules.openMs, failures: failures.length, error }
}

function noteHalfOpen(circuit: Extract<Circuit, { status: 'half-open' }>, note: CircuitNote): Circuit {
  const { of, outcome, begunAt, at, error, rules } = note
  // It got in while the circuit was closed: what it says is older than the state.
  if (begunAt < circuit.since || circuit.succeeded.includes(of)) return circuit
  const probes = circuit.probes.filter((probe) => probe.of !== of)
  if (outcome === 'left') return probes.length === circuit.probes.length ? circuit : { ...circuit, probes }
  if (outcome === 'failed')
    return { status: 'open', since: at, until: at + rules.openMs, failures: circuit.failures + 1, error }
  const succeeded = [...circuit.succeeded, of]
  return succeeded.length >= rules.probes ? closedAgain(at) : { ...circuit, probes, succeeded }
}

/** What a register says; a value that makes no sense counts as closed. */
export function readCircuit(value: unknown): Circuit {
  if (!isJsonObject(value) || !isJsonObject(value['circuit'])) return closedCircuit
  const { status } = value['circuit']
  // Nothing but `writeCircuit` writes registers of these keys.
  return status === 'closed' || status === 'open' || status === 'half-open'
    ? (value['circuit'] as unknown as Circuit)
    : closedCircuit
}

/** Where the circuit is, for people. */
export interface CircuitPlace {
  readonly workflowId: string
  readonly nodeId: string
  /** The value of its key, as JSON; null where there is one circuit for all. */
  readonly key: JsonValue
}

export const writeCircuit = (circuit: Circuit, place: CircuitPlace): JsonValue =>
  ({ circuit, place }) as unknown as JsonValue

/** What a register says of where its circuit is; null where it says nothing. */
export function placeOfCircuit(value: unknown): CircuitPlace | null {
  if (!isJsonObject(value) || !isJsonObject(value['place'])) return null
  return value['place'] as unknown as CircuitPlace
}

/** A step that a circuit let in. */
export interface CircuitVisit {
  readonly id: string
  readonly begunAt: Instant
  readonly rules: CircuitRules
  readonly place: CircuitPlace
}

/** What a circuit is told of a step that it let in. */
export interface ToldCircuit extends CircuitNote {
  readonly id: string
  readonly place: CircuitPlace
}

/** All circuits are registers with this beginning. */
export const circuitPrefix = 'circuit/'
