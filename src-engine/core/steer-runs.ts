/** A step that asks other runs for something: that becomes durable with its own success, and is brought about after it. */

import type { AskedEnd, EmittedEvent } from '../model/effect.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import type { Draft } from './draft.ts'
import { asksToEnd, emits } from './effects.ts'

export interface SteerEnd {
  readonly kind: 'steers'
  /** What was requested of whom. */
  readonly output: Payload
  /** The runs that are to end. */
  readonly cancels: readonly Pick<AskedEnd, 'runId' | 'generation'>[]
  /** As people read it on them; empty for no reason. */
  readonly reason: string
  /** What is sent, each to one run. */
  readonly signals: readonly EmittedEvent[]
}

/** Writes down what is asked of each run. */
export function steerRuns(
  draft: Draft,
  record: InvocationRecord,
  { cancels, reason, signals }: SteerEnd,
): void {
  for (const meant of cancels) asksToEnd(draft, { ...meant, by: record.id, reason })
  for (const signal of signals) emits(draft, signal)
}
