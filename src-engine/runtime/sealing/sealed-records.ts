/** The records of a store with their values sealed or opened: what stands where is said here, once. */

import type { AttemptRecord } from '../../model/attempt.ts'
import type { Checkpoint, DeadLetter, OutboxRecord, RegisterWrite } from '../../model/checkpoint.ts'
import type { EventBody, EventDraft } from '../../model/event.ts'
import { eventPrefix } from '../../model/event-record.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import { firingPrefix } from '../../model/trigger.ts'
import { capturePrefix } from '../../model/webhook-capture.ts'
import type { SealPlace } from './value-cipher.ts'
import type { ValueChange } from './walk-values.ts'
import { walkValues } from './walk-values.ts'

/** A run with its values changed. */
export const runWith = (run: RunRecord, change: ValueChange): RunRecord =>
  walkValues(run, { scope: run.id, path: 'run' }, change)

export const invocationWith = (invocation: InvocationRecord, change: ValueChange): InvocationRecord =>
  walkValues(invocation, { scope: invocation.runId, path: invocation.id }, change)

/** In the places of its invocation, which tells the same of its latest attempt. */
export const attemptWith = (attempt: AttemptRecord, change: ValueChange): AttemptRecord =>
  walkValues(attempt, { scope: attempt.runId, path: attempt.invocationId }, change)

export const letterWith = (letter: DeadLetter, change: ValueChange): DeadLetter =>
  walkValues(letter, { scope: letter.runId ?? 'letters', path: `letter ${letter.id}` }, change)

export const outboxWith = (record: OutboxRecord, change: ValueChange): OutboxRecord => {
  const body = walkValues(record.body, { scope: 'outbox', path: record.id }, change)
  return body === record.body ? record : { ...record, body }
}

/** Registers that carry values of people; the others say where the engine stands. */
const carriesValues = (key: string): boolean =>
  [eventPrefix, capturePrefix, firingPrefix].some((prefix) => key.startsWith(prefix))

/** A register with its values changed; itself where it carries none. */
export function registerWith<Item extends Pick<RegisterWrite, 'key' | 'value'>>(
  register: Item,
  change: ValueChange,
): Item {
  const { key, value } = register
  if (value === null || !carriesValues(key)) return register
  const changed = walkValues(value, { scope: 'events', path: key }, change)
  return changed === value ? register : { ...register, value: changed }
}

/** The events of a record have its places, so that both tell the same text. */
export function eventWith<Event extends EventDraft>(event: Event, change: ValueChange): Event {
  const { runId, invocationId } = event
  if (runId === null) return event
  const ofRun = { scope: runId, path: 'run' }
  const body = bodyWith(event.body, { ofRun, own: { scope: runId, path: invocationId ?? 'run' } }, change)
  const cause = walkValues(event.cause, { scope: runId, path: 'cause' }, change)
  return body === event.body && cause === event.cause ? event : { ...event, body, cause }
}

function bodyWith(
  body: EventBody,
  { ofRun, own }: { readonly ofRun: SealPlace; readonly own: SealPlace },
  change: ValueChange,
): EventBody {
  switch (body.type) {
    case 'run.created': {
      const run = walkValues(body.run, ofRun, change)
      return run === body.run ? body : { ...body, run }
    }
    case 'run.changed': {
      const set = walkValues(body.set, ofRun, change)
      return set === body.set ? body : { ...body, set }
    }
    case 'invocation.registered': {
      const invocation = walkValues(body.invocation, own, change)
      return invocation === body.invocation ? body : { ...body, invocation }
    }
    case 'invocation.changed': {
      const set = walkValues(body.set, own, change)
      const attempt = walkValues(body.attempt, own, change)
      return set === body.set && attempt === body.attempt ? body : { ...body, set, attempt }
    }
    default:
      return body
  }
}

/** Everything of a checkpoint that tells of values. */
/** A checkpoint with its values sealed, which says so. */
export const sealedCheckpoint = (checkpoint: Checkpoint, sealing: ValueChange): Checkpoint => ({
  ...checkpointWith(checkpoint, sealing),
  values: 'sealed',
})

function checkpointWith(checkpoint: Checkpoint, change: ValueChange): Checkpoint {
  const { writes, events } = checkpoint
  const { run, invocations, attempts, registers, outbox, deadLetters } = writes
  return {
    ...checkpoint,
    writes: {
      ...writes,
      run: run === null ? null : runWith(run, change),
      invocations: invocations.map((item) => invocationWith(item, change)),
      attempts: attempts.map((item) => attemptWith(item, change)),
      registers: registers.map((item) => registerWith(item, change)),
      outbox: outbox.map((item) => outboxWith(item, change)),
      deadLetters: deadLetters.map((item) => letterWith(item, change)),
    },
    events: events.map((event) => eventWith(event, change)),
  }
}
