/**
 * The ids of traces and spans. They follow from the ids of runs and invocations, so that all processes that
 * work on a run agree without asking, and telling a span twice tells the same span.
 */

import { createHash } from 'node:crypto'
import type { RunId } from '../../model/ids.ts'

/** W3C trace context of a run: its trace, and the span that stands for the whole run. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
}

const hex = (name: string): string => createHash('sha256').update(name).digest('hex')

/** 16 hexadecimal digits for a name that is unique in its trace. */
export const spanIdOf = (name: string): string => hex(name).slice(0, 16)

/** The context of a run that nobody gave another one. */
export function contextOfRun(runId: RunId): TraceContext {
  const digits = hex(`run:${runId}`)
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) }
}

/** `00-<trace>-<span>-01`: version 00, sampled. */
export const traceParentText = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`

/** The context of a run that a step of another run started: a span of its own in that one's trace. */
export function traceParentOfChild(runId: RunId, parent: string | null): string | null {
  const trace = parent === null ? null : parseTraceParent(parent)
  return trace === null ? null : traceParentText({ ...contextOfRun(runId), traceId: trace.traceId })
}

/** The context in a `traceparent` header or record; null when it is none. */
export function parseTraceParent(written: string): TraceContext | null {
  const match = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(written)
  const [, traceId, spanId] = match ?? []
  if (traceId === undefined || spanId === undefined) return null
  // All zeros mean “none” in either place.
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? null : { traceId, spanId }
}
