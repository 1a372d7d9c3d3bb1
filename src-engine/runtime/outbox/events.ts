/**
 * Events that steps and people tell to whom they may concern: durable first, then handed to every run that
 * waits for a signal of that name, or to the one run that is named. A run takes an event once.
 */

import { deliverSignal } from '../../core/signals.ts'
import type { CommitAnswer, Register } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import type { EmittedEvent } from '../../model/effect.ts'
import { outboxRecordOf } from '../../model/effect.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { JsonValue } from '../../model/json.ts'
import { pageSizeMax, taskOutputBytesMax } from '../../model/limits.ts'
import type { Ids } from '../../model/ports.ts'
import type { EventAnswer, EventRequest } from '../../protocol/run-control.ts'
import type { PayloadStore } from '../payload-store.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import { seenKeyOf } from '../triggers/event-triggers.ts'
import { markKeyOf, markPrefix, writeLateLetter } from './late-letter.ts'
import type { Outbox } from './outbox.ts'

/** Told of every event before it counts as delivered; must be idempotent by the event's message id. */
export type EventListener = (event: EmittedEvent) => Promise<void>

export interface Events {
  /** An event from outside: durable when this resolves. */
  readonly emit: (request: EventRequest) => Promise<EventAnswer>
  /** Hands an event that is durable to whom it concerns. */
  readonly tell: EventListener
  /** Removes the marks of events that were received long ago. */
  readonly forgetOld: () => Promise<void>
}

export interface EventsParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
  readonly payloads: PayloadStore
  readonly ids: Ids
  readonly outbox: () => Outbox
  readonly poke: () => void
  /** Whoever else is to hear of events, beside waiting steps. */
  readonly listeners: readonly EventListener[]
}

/** Events of this process. */
export function createEvents(parts: EventsParts): Events {
  return {
    emit: (request) => emit(parts, request),
    tell: async (event) => {
      if (event.runId === null) await tellWaiting(parts, event)
      else await tellRun(parts, event, event.runId)
      for (const listener of parts.listeners) await listener(event)
      parts.poke()
    },
    forgetOld: () => forgetOld(parts),
  }
}

async function emit(parts: EventsParts, request: EventRequest): Promise<EventAnswer> {
  const { dependencies, payloads, ids } = parts
  const { clock, partition, store, runnerId } = dependencies
  const { name, correlation, runId } = request
  if (runId !== null && (await store.load(partition, 'run', { runId })) === null)
    throw new SagasmithError('run_not_found', { message: `There is no run ${runId}.`, details: { runId } })
  const messageId = request.messageId ?? `message_${ids.next()}`
  const payload = await payloads.keep(JSON.stringify(request.payload), taskOutputBytesMax)
  const at = clock.now()
  const event: EmittedEvent = { messageId, name, correlation, payload, runId, at, source: null }
  const record = outboxRecordOf(`event:${messageId}`, { kind: 'event.emitted', event }, at)
  const key = markKeyOf(messageId)
  // What triggers have seen is known for longer than its mark; a repeat would take the place of one under way.
  const isNew = [key, ...(runId === null ? [seenKeyOf(messageId)] : [])].map((one) => ({
    key: one,
    version: 0,
  }))
  const [answer] = await store.commit(partition, [
    {
      partition,
      opId: opId(`event:${messageId}`),
      actor: { kind: 'operator', id: runnerId },
      at,
      expect: { invocations: [], registers: isNew },
      writes: { ...noWrites, registers: [{ key, value: { at } }], outbox: [record] },
      events: [],
    },
  ])
  if (!isAccepted(answer)) return { messageId, outcome: 'repeated' }
  // It is durable: what fails now is tried again.
  await parts.outbox().deliver(record)
  return { messageId, outcome: 'accepted' }
}

/** False for one that was received before. */
function isAccepted(answer: CommitAnswer | undefined): boolean {
  if (answer?.kind !== 'refused') return answer?.kind === 'accepted'
  if (answer.refusal.kind === 'lost-race') return false
  throw new SagasmithError('checkpoint_invalid', { details: { refusal: JSON.stringify(answer.refusal) } })
}

/** Nothing that is tried again would change these. */
const isFinalRefusal: ReadonlySet<string> = new Set([
  'run_not_found',
  'run_already_final',
  'signal_payload_invalid',
])

async function tellRun(parts: EventsParts, event: EmittedEvent, runId: RunId): Promise<void> {
  try {
    await hand(parts, event, { runId, otherwise: 'keep' })
  } catch (thrown) {
    const error = recordOfThrown(thrown)
    if (!isFinalRefusal.has(error.code)) throw thrown
    const { messageId, source } = event
    parts.dependencies.log.info('event.not-taken', { runId, messageId, why: error.message })
    // A step that tells a run that has ended knows what it does; of somebody outside, a person is to hear.
    if (source === null) await writeLateLetter(parts.dependencies, { ...event, runId }, error)
  }
}

async function tellWaiting(parts: EventsParts, event: EmittedEvent): Promise<void> {
  const { store, partition } = parts.dependencies
  const told = new Set<RunId>()
  for (let after: string | null = null; ; ) {
    const page: readonly InvocationRecord[] = await store.list(partition, 'signalWaiters', {
      filter: { name: event.name },
      page: { after, limit: pageSizeMax },
    })
    for (const { wait, runId } of page) {
      if (wait?.kind !== 'signal' || wait.calls !== undefined || wait.correlation !== event.correlation)
        continue
      if (told.has(runId)) continue
      told.add(runId)
      await hand(parts, event, { runId, otherwise: 'drop' })
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSizeMax || after === null) return
  }
}

async function hand(
  { dependencies, runner, payloads }: EventsParts,
  event: EmittedEvent,
  to: { readonly runId: RunId; readonly otherwise: 'keep' | 'drop' },
): Promise<void> {
  const { messageId, name, correlation, payload, at } = event
  const { runId, otherwise } = to
  const value = await readableValue(payloads, event)
  await dependencies.book.decide(runId, (state) => {
    const context = runner.context({
      actor: 'run',
      cause: { kind: 'signal', by: messageId, detail: name },
      opId: opId(`signal:${runId}:${messageId}`),
      runId,
      claims: false,
    })
    const signal = { messageId, name, correlation, payload, at }
    return deliverSignal(state, context, { signal, value, otherwise })
  })
}

/** Undefined where it can't be read: then it fits no step that asks what it is. */
async function readableValue(payloads: PayloadStore, event: EmittedEvent): Promise<JsonValue | undefined> {
  try {
    return await payloads.value(event.payload)
  } catch {
    return undefined
  }
}

async function forgetOld({ dependencies }: EventsParts): Promise<void> {
  const { store, partition, clock, runnerId, settings } = dependencies
  const now = clock.now()
  const forgottenBefore = now - settings.messageMarkTtlMs
  for (let after: string | null = null; ; ) {
    const page: readonly Register[] = await store.list(partition, 'registers', {
      filter: { prefix: markPrefix },
      page: { after, limit: pageSizeMax },
    })
    // Nobody but `emit` writes marks.
    const old = page.filter(({ value }) => (value as { readonly at: number }).at < forgottenBefore)
    if (old.length > 0) {
      await store.commit(partition, [
        {
          partition,
          opId: opId(`forget-events:${runnerId}:${now}:${after ?? ''}`),
          actor: { kind: 'run', id: runnerId },
          at: now,
          expect: { invocations: [], registers: old.map(({ key, version }) => ({ key, version })) },
          writes: { ...noWrites, registers: old.map(({ key }) => ({ key, value: null })) },
          events: [],
        },
      ])
    }
    after = page.at(-1)?.key ?? null
    if (page.length < pageSizeMax || after === null) return
  }
}
