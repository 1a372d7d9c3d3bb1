/** One schedule that is due: its slots are decided one after the other, oldest first, each with its record. */

import { recordOfThrown } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { triggerLineMax } from '../../model/limits.ts'
import { runMachine } from '../../model/run-status.ts'
import type { Instant } from '../../model/time.ts'
import type { SkipReason, TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type { RegisterGuard } from '../register-look.ts'
import type { CronPlan, CronPlans } from './cron-kind.ts'
import type { SlotDecision } from './cron-slots-due.ts'
import { decideSlots } from './cron-slots-due.ts'
import type { SeenEvent } from './event-match.ts'
import { inputOf } from './event-match.ts'
import { fire } from './fire.ts'
import type { OverlapParts } from './overlap.ts'
import { isLineFull, lineOf } from './overlap.ts'
import type { Fired, FireParts, Occurrence, ToFire } from './start-firing.ts'
import { skipFiring } from './start-firing.ts'
import { armed } from './trigger-kinds.ts'
import type { StoredTrigger } from './trigger-registers.ts'
import { loadTrigger, movedTrigger, writeRegisters } from './trigger-registers.ts'

export interface CronTurnParts extends FireParts, OverlapParts {
  readonly plans: CronPlans
}

const racesMax = 5

/** Decides every slot that is due; resolves with how many runs it started. */
export async function takeCronTurn(
  parts: CronTurnParts,
  due: StoredTrigger,
  fence: RegisterGuard,
): Promise<number> {
  let trigger: StoredTrigger | null = due
  let started = 0
  for (let races = 0; trigger !== null && races <= racesMax; ) {
    const { record } = trigger
    if (!isTriggerOn(record)) return started
    const plan = parts.plans.of(record)
    const now = parts.clock.now()
    const decision = decideSlots(plan.calculator, { decidedUpTo: record.decidedUpTo, now }, plan.catchUp)
    if (decision.kind === 'wait') {
      await wait(parts, trigger, fence)
      return started
    }
    const fired = await decided(parts, { trigger, plan, fence }, decision)
    if (fired.kind === 'started') started += 1
    if (fired.kind === 'lost') races += 1
    trigger = await loadTrigger(parts, record)
  }
  return started
}

/** It came due and nothing is to be decided: a clock went back, or it was looked at before. */
async function wait(parts: CronTurnParts, trigger: StoredTrigger, fence: RegisterGuard): Promise<void> {
  await writeRegisters(parts, [movedTrigger(trigger, armed(trigger.record, parts.plans))], [fence])
}

interface Turn {
  readonly trigger: StoredTrigger
  readonly plan: CronPlan
  readonly fence: RegisterGuard
}

async function decided(
  parts: CronTurnParts,
  turn: Turn,
  decision: Exclude<SlotDecision, { kind: 'wait' }>,
): Promise<Fired> {
  const upTo = decision.kind === 'skip' ? decision.to : decision.slot
  const fired = toFire(parts, turn, { decision, upTo })
  const answer = await (decision.kind === 'skip'
    ? skipFiring(parts, fired, { reason: decision.reason, words: missedWords(decision) })
    : start(parts, turn, { fired, slot: decision.slot }))
  if (answer.kind !== 'known') return answer
  // Decided before: by a trigger of this name that was there before this one, or before a clock went back.
  const { move, trigger } = fired
  if (move === null) return answer
  return (await writeRegisters(parts, [movedTrigger(trigger, move)], fired.guards))
    ? answer
    : { kind: 'lost' }
}

function toFire(
  parts: CronTurnParts,
  { trigger, fence }: Turn,
  at: { readonly decision: Exclude<SlotDecision, { kind: 'wait' }>; readonly upTo: Instant },
): ToFire {
  const { decision, upTo } = at
  const slots =
    decision.kind === 'skip'
      ? { from: decision.from, to: decision.to, count: decision.count }
      : { from: upTo, to: upTo, count: 1 }
  const occurrence: Occurrence = {
    id: 'slot',
    at: upTo,
    sources: [{ kind: 'slot', slot: upTo }],
    slots,
    words: `Its schedule was due at ${textOf(upTo)}.`,
    depth: 1,
  }
  const move = armed({ ...trigger.record, decidedUpTo: upTo }, parts.plans)
  return { trigger, occurrence, move, guards: [fence], also: [] }
}

async function start(
  parts: CronTurnParts,
  { trigger, plan }: Turn,
  { fired, slot }: { readonly fired: ToFire; readonly slot: Instant },
): Promise<Fired> {
  const { record } = trigger
  const skip = await inTheWay(parts, record, plan)
  if (skip !== null) return skipFiring(parts, fired, { reason: skip, words: skipWords[skip](slot) })
  let input: JsonValue
  try {
    input = await inputOf(parts, plan.input, { event: slotEvent(fired, slot), now: slot })
  } catch (thrown) {
    const words = `The expression for its input failed: ${recordOfThrown(thrown).message}`
    return skipFiring(parts, fired, { reason: 'expression_failed', words })
  }
  const isInLine = plan.overlap === 'queue' || plan.overlap === 'cancel-running'
  return fire(parts, {
    ...fired,
    input,
    request: `cron:${record.workflowId}/${record.triggerId}:${textOf(slot)}`,
    ...(isInLine ? { line: lineOf(record) } : {}),
  })
}

/** What expressions see of a slot. */
const slotEvent = ({ occurrence }: ToFire, slot: Instant): SeenEvent => ({
  id: `${occurrence.id}:${textOf(slot)}`,
  name: 'slot',
  correlation: null,
  payload: { slot: textOf(slot) },
  at: textOf(slot),
  source: null,
})

/** Why this slot starts nothing, if the run before it is in its way; what is to be cancelled for it is. */
async function inTheWay(
  parts: CronTurnParts,
  record: TriggerRecord,
  { overlap }: CronPlan,
): Promise<'still_running' | 'queue_full' | null> {
  const before = record.lastFired?.runId ?? null
  // What starts runs with others has none of its own.
  if (overlap === 'allow' || before === null || record.conditionOf.length > 0) return null
  if (overlap === 'queue') return (await isLineFull(parts, record)) ? 'queue_full' : null
  const run = await parts.store.load(parts.partition, 'run', { runId: before })
  if (run === null || runMachine.final.has(run.status)) return null
  if (overlap === 'skip') return 'still_running'
  await parts.cancelRun(before)
  return null
}

const textOf = (at: Instant): string => new Date(at).toISOString()

const skipWords: Readonly<Record<'still_running' | 'queue_full', (slot: Instant) => string>> = {
  still_running: (slot) => `It was due at ${textOf(slot)}, and the run before it still went on.`,
  queue_full: (slot) =>
    `It was due at ${textOf(slot)}, and ${triggerLineMax} of its runs stood in line already.`,
}

const missedReasons: Readonly<Record<Extract<SlotDecision, { kind: 'skip' }>['reason'], string>> = {
  missed: 'nobody was there, and it doesn’t make up for that',
  outside_window: 'nobody was there, and it is longer ago than it makes up for',
  too_many_missed: 'nobody was there, and newer ones are made up for',
} satisfies Partial<Record<SkipReason, string>>

function missedWords({ reason, from, to, count }: Extract<SlotDecision, { kind: 'skip' }>): string {
  const when = count === 1 ? `at ${textOf(from)}` : `${count} times from ${textOf(from)} to ${textOf(to)}`
  return `It was due ${when}: ${missedReasons[reason]}.`
}
