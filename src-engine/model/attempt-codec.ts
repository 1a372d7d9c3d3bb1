/** An ended attempt as short JSON values by place; what the change that ended it says too is told once. */

import type { AttemptOutcome, AttemptRecord } from './attempt.ts'
import type { InvocationRecord } from './invocation.ts'
import type { Payload } from './payload.ts'
import type { CodecContext, Packed, PackedPayload } from './value-codec.ts'
import { packName, packPayload, samePayload, unpackName, unpackPayload } from './value-codec.ts'

/** Stored by place: append only. */
const outcomes: readonly AttemptOutcome[] = [
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'parked',
  'lost',
  'handed-back',
  'skipped',
  'reused',
]

/** What an ended attempt says beside the change that ended it; 0 stands for the change's own value. */
export function packAttempt(
  attempt: AttemptRecord,
  set: Partial<InvocationRecord>,
  context: CodecContext,
): readonly Packed[] {
  const shared = (value: Payload | null, own: Payload | null | undefined): Packed =>
    samePayload(value, own) ? 0 : packPayload(value)
  return [
    attempt.number,
    packName(attempt.runnerId, context),
    attempt.fence.epoch - context.epoch,
    attempt.fence.counter,
    attempt.startedAt - context.at,
    attempt.endedAt - context.at,
    outcomes.indexOf(attempt.outcome),
    shared(attempt.input, set.input),
    shared(attempt.output, set.output),
    attempt.error !== null && sameError(attempt.error, set.error) ? 0 : attempt.error,
    packPayload(attempt.log),
  ]
}

const sameError = (a: AttemptRecord['error'], b: AttemptRecord['error'] | undefined): boolean =>
  a === b || (b !== undefined && JSON.stringify(a) === JSON.stringify(b))

type PackedAttempt = readonly [
  number,
  string,
  number,
  number,
  number,
  number,
  number,
  PackedPayload | 0 | null,
  PackedPayload | 0 | null,
  AttemptRecord['error'] | 0,
  PackedPayload | null,
]

/** The attempt that was packed; `ids` are those of its event. */
export function unpackAttempt(
  packed: PackedAttempt,
  set: Partial<InvocationRecord>,
  at: { readonly context: CodecContext; readonly ids: Pick<AttemptRecord, 'invocationId' | 'runId'> },
): AttemptRecord {
  const { context, ids } = at
  const [number, runner, epoch, counter, startedAt, endedAt, outcome, input, output, error, log] = packed
  return {
    ...ids,
    number,
    runnerId: unpackName(runner, context) as AttemptRecord['runnerId'],
    fence: { epoch: epoch + context.epoch, counter },
    startedAt: startedAt + context.at,
    endedAt: endedAt + context.at,
    outcome: outcomes[outcome] ?? 'lost',
    input: input === 0 ? (set.input ?? null) : unpackPayload(input),
    output: output === 0 ? (set.output ?? null) : unpackPayload(output),
    error: error === 0 ? (set.error ?? null) : error,
    log: unpackPayload(log),
  }
}
