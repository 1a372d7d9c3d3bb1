/**
 * Events that start runs. Matching is part of an event's delivery, which is repeated until it is done: everything
 * here is known by the event's id, so that a repeat changes nothing.
 */

import type { EmittedEvent } from '../../model/effect.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { MetTrigger } from '../../model/event-record.ts'
import { eventIdOf, eventKey, eventValue } from '../../model/event-record.ts'
import { runIdOf } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import { eventRepeatMs, triggerDepthMax } from '../../model/limits.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import { firingIdOf } from '../../model/trigger.ts'
import { neverSeen } from '../register-look.ts'
import type { TriggerCatalogue } from './catalogue.ts'
import type { ExpressionParts, SeenEvent } from './event-match.ts'
import { inputOf, isNamed, passes } from './event-match.ts'
import { fire } from './fire.ts'
import { takeOccurrence } from './gathering.ts'
import { lookForKey } from './occurrence-keys.ts'
import type { OverlapParts } from './overlap.ts'
import { lookForRoom } from './overlap.ts'
import type { FireParts, ToFire } from './start-firing.ts'
import { runOfRequest, skipFiring } from './start-firing.ts'
import { depthAfter, loopSkip } from './trigger-depth.ts'
import type { GuardedWrite } from './trigger-registers.ts'
import { writeRegisters } from './trigger-registers.ts'
import type { EventParameters } from './waiting.ts'
import { gathers } from './waiting.ts'
import type { NoStart } from './wanted-start.ts'
import { failed, filteredOut } from './wanted-start.ts'

export interface EventTriggersParts extends FireParts, ExpressionParts, OverlapParts {
  readonly catalogue: TriggerCatalogue
  /** Something may be due earlier now. */
  readonly changed: () => void
}

/** A trigger for events of this name. */
interface Match {
  readonly trigger: TriggerRecord
  readonly parameters: EventParameters
  /** Why the event starts nothing through it; null where it fits. */
  readonly leftOut: NoStart | null
  /** Its key, to be written with what is decided; null for none. */
  readonly mark: GuardedWrite | null
}

/** Starts what the event is to start. Throws where that is to be tried again. */
export async function hearEvent(parts: EventTriggersParts, event: EmittedEvent): Promise<void> {
  // Told to one run, it concerns nobody else.
  if (event.runId !== null) return
  const triggers = await parts.catalogue.ofKind('event')
  if (triggers.length === 0 || !(await isFirst(parts, event))) return
  const seen = await seenEvent(parts, event)
  const matches = await matchesOf(parts, triggers, { event, seen })
  await keepEvent(parts, event, matches)
  if (matches.length === 0) return
  const depth = await depthAfter(parts, event.source === null ? null : runIdOf(event.source))
  for (const match of matches) await answer(parts, match, { event, seen, depth })
}

async function seenEvent(parts: EventTriggersParts, event: EmittedEvent): Promise<SeenEvent> {
  const { messageId: id, name, correlation, source } = event
  const payload = await parts.payloads.value(event.payload)
  return { id, name, correlation, payload, at: new Date(event.at).toISOString(), source }
}

/** Ids that senders choose may come again much later; those that are made here never do. */
async function isFirst(parts: EventTriggersParts, { messageId, at }: EmittedEvent): Promise<boolean> {
  if (/^(of:|message_)/.test(messageId)) return true
  const key = seenKeyOf(messageId)
  const mark = { key, version: 0, value: { at }, dueAt: at + eventRepeatMs }
  if (await writeRegisters(parts, [mark])) return true
  const register = await parts.store.load(parts.partition, 'register', { key })
  // The same event, delivered again.
  return (register?.value as { readonly at?: number } | undefined)?.at === at
}

/** What was told under ids of senders' choice: kept for as long as a repeat shall be known. */
export const seenPrefix = 'event-seen/'

/** Where it is written that an event was seen. */
export const seenKeyOf = (messageId: string): string => `${seenPrefix}${encodeURIComponent(messageId)}`

async function matchesOf(
  parts: EventTriggersParts,
  triggers: readonly TriggerRecord[],
  { event, seen }: { readonly event: EmittedEvent; readonly seen: SeenEvent },
): Promise<readonly Match[]> {
  const matches: Match[] = []
  for (const trigger of triggers) {
    // They went through the kind's schema when they were published.
    const parameters = trigger.parameters as unknown as EventParameters
    if (event.at < trigger.since || !isNamed(parameters.name, event.name)) continue
    matches.push({ trigger, parameters, ...(await looked(parts, trigger, { event, seen })) })
  }
  return matches
}

/** Whether the event fits, and is no repeat. */
async function looked(
  parts: EventTriggersParts,
  trigger: TriggerRecord,
  { event, seen }: { readonly event: EmittedEvent; readonly seen: SeenEvent },
): Promise<Pick<Match, 'leftOut' | 'mark'>> {
  // They went through the kind's schema when they were published.
  const parameters = trigger.parameters as unknown as EventParameters
  try {
    const isWanted = await passes(parts, parameters.filter, { event: seen, now: event.at })
    if (!isWanted) return { leftOut: filteredOut, mark: null }
  } catch (thrown) {
    return { leftOut: failed('Its filter', thrown), mark: null }
  }
  const look = await lookForKey(parts, { name: trigger, parameters, id: event.messageId, event: seen })
  return look.kind === 'not' ? { leftOut: look.skip, mark: null } : { leftOut: null, mark: look.mark }
}

async function keepEvent(
  parts: EventTriggersParts,
  event: EmittedEvent,
  matches: readonly Match[],
): Promise<void> {
  const { messageId, name, correlation, payload, at, source } = event
  const fitting = matches.filter(({ leftOut }) => leftOut?.reason !== 'filtered')
  const met = fitting.map(({ trigger, parameters, leftOut }): MetTrigger => {
    const { workflowId, triggerId } = trigger
    const isGathered = leftOut === null && gathers(parameters)
    const firingId = isGathered ? null : firingIdOf(trigger, { at, id: messageId })
    return { workflowId, triggerId, firingId }
  })
  const id = eventIdOf(event)
  const value = eventValue({ id, messageId, name, correlation, payload, at, source, met })
  // Kept before, by a delivery that was cut short: what it met then is what it met.
  await writeRegisters(parts, [{ key: eventKey(id), version: 0, value }])
}

interface Heard {
  readonly event: EmittedEvent
  readonly seen: SeenEvent
  readonly depth: number
}

async function answer(parts: EventTriggersParts, match: Match, heard: Heard): Promise<void> {
  const { event, depth } = heard
  const { trigger, parameters, leftOut, mark } = match
  const source = { kind: 'event', eventId: eventIdOf(event) } as const
  if (leftOut === null && depth <= triggerDepthMax && gathers(parameters)) {
    await takeOccurrence(parts, trigger, { id: event.messageId, at: event.at, source, mark })
    return
  }
  const toFire: ToFire = {
    // It stays as it is: how old what is known of it is doesn’t matter.
    trigger: { record: trigger, ...neverSeen },
    occurrence: {
      id: event.messageId,
      at: event.at,
      sources: [source],
      slots: null,
      words: `The event “${event.name}” was emitted.`,
      depth,
    },
    move: null,
    guards: [],
    also: mark === null ? [] : [mark],
  }
  const fired = await fireOrSkip(parts, match, { ...heard, toFire })
  if (fired.kind === 'lost') throw new SagasmithError('lost_race')
}

async function fireOrSkip(
  parts: EventTriggersParts,
  { trigger, parameters, leftOut }: Match,
  { event, seen, depth, toFire }: Heard & { readonly toFire: ToFire },
): Promise<Awaited<ReturnType<typeof fire>>> {
  if (leftOut !== null) return skipFiring(parts, toFire, leftOut)
  if (depth > triggerDepthMax) return skipFiring(parts, toFire, loopSkip)
  let input: JsonValue
  try {
    input = await inputOf(parts, parameters.input, { event: seen, now: event.at })
  } catch (thrown) {
    return skipFiring(parts, toFire, failed('The expression for its input', thrown))
  }
  const request = `event:${trigger.workflowId}/${trigger.triggerId}:${event.messageId}`
  const look = await lookForRoom(parts, trigger, { ...parameters, next: runOfRequest(request) })
  if (look.kind === 'none') return skipFiring(parts, toFire, look.skip)
  return fire(parts, { ...toFire, ...look.with, also: [...toFire.also, ...look.also], input, request })
}
