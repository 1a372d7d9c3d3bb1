/** What the clock makes of triggers: those that are due are decided, within a run of the chores; no other is read. */

import { compositeKind } from '../../model/composite.ts'
import { recordOfThrown } from '../../model/errors.ts'
import type { Logger } from '../../model/ports.ts'
import type { Instant } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import { isTriggerOn, readTrigger, triggerKey, triggerPrefix } from '../../model/trigger.ts'
import { capturePrefix } from '../../model/webhook-capture.ts'
import type { RegisterGuard } from '../register-look.ts'
import { epochOfLook, lookAtRegister } from '../register-look.ts'
import type { ScheduleRun } from '../schedules/schedules.ts'
import { callMarkPrefix } from '../webhooks/call-marks.ts'
import { webhookTestPrefix } from '../webhooks/open-tests.ts'
import { takeCompositeTurn } from './composite-turn.ts'
import type { CronTurnParts } from './cron-turn.ts'
import { takeCronTurn } from './cron-turn.ts'
import { seenPrefix } from './event-triggers.ts'
import { takeGatheredTurn } from './gathering.ts'
import { occurrenceKeyPrefix } from './occurrence-keys.ts'
import type { StoredTrigger } from './trigger-registers.ts'
import { movedTrigger, writeRegisters } from './trigger-registers.ts'

export interface DueTriggersParts extends CronTurnParts {
  readonly log: Logger
}

/** As the chores look at what is due. */
export interface DueTriggers {
  readonly evaluate: (run: ScheduleRun) => Promise<void>
  readonly refresh: () => Promise<void>
  readonly nextAt: () => Instant | null
}

const pageSize = 100
/** In one turn; what is left over is due at once again. */
const pagesMax = 20
/** One that can't be decided is tried again, and keeps the others waiting no longer than that. */
const retryMs = 30 * second

export function createDueTriggers(parts: DueTriggersParts): DueTriggers {
  const { store, partition, clock } = parts
  let nextAt: Instant | null = null
  const refresh = async (): Promise<void> => {
    nextAt = (await store.load(partition, 'dueRegisters', { upTo: clock.now(), limit: 0 })).nextAt
  }
  return {
    refresh,
    nextAt: () => nextAt,
    evaluate: async ({ fence }) => {
      for (let pages = 0; pages < pagesMax; pages += 1) {
        const epoch = epochOfLook(parts)
        const answer = await store.load(partition, 'dueRegisters', { upTo: clock.now(), limit: pageSize })
        nextAt = answer.nextAt
        if (answer.due.length === 0) return
        for (const { key, value, version } of answer.due) {
          const record = key.startsWith(triggerPrefix) ? readTrigger(value) : null
          if (record !== null) await decideOne(parts, { record, epoch, version }, fence)
        }
        const seen = answer.due.map((register) => ({ ...register, epoch }))
        await forget(parts, seen, fence)
      }
    },
  }
}

/** What is kept for a time and then is over: marks and keys of what came before, calls and times of test addresses. */
const passing = [callMarkPrefix, seenPrefix, occurrenceKeyPrefix, capturePrefix, webhookTestPrefix]

/** What comes due there has been kept for as long as it is needed. */
async function forget(
  parts: DueTriggersParts,
  due: readonly Required<RegisterGuard>[],
  fence: RegisterGuard,
): Promise<void> {
  const over = due.filter(({ key }) => passing.some((prefix) => key.startsWith(prefix)))
  if (over.length === 0) return
  // Refused, they are due at the next look.
  await writeRegisters(
    parts,
    over.map(({ key, epoch, version }) => ({ key, epoch, version, value: null })),
    [fence],
  )
}

/** One that is off is not due. */
async function leave(parts: DueTriggersParts, trigger: StoredTrigger, fence: RegisterGuard): Promise<void> {
  await writeRegisters(parts, [movedTrigger(trigger, { record: trigger.record, dueAt: null })], [fence])
}

async function decideOne(
  parts: DueTriggersParts,
  trigger: StoredTrigger,
  fence: RegisterGuard,
): Promise<void> {
  try {
    if (!isTriggerOn(trigger.record)) await leave(parts, trigger, fence)
    else if (trigger.record.kind === 'cron') await takeCronTurn(parts, trigger, fence)
    else if (trigger.record.kind === compositeKind)
      await takeCompositeTurn(parts, trigger.record, { guards: [fence] })
    else await takeGatheredTurn(parts, trigger, fence)
  } catch (thrown) {
    const { workflowId, triggerId } = trigger.record
    parts.log.warn('trigger.failed', { workflowId, triggerId, error: recordOfThrown(thrown).message })
    const key = triggerKey(trigger.record)
    const { register, epoch, version } = await lookAtRegister(parts, key)
    if (register === null) return
    const again = { key, epoch, version, value: register.value, dueAt: parts.clock.now() + retryMs }
    await writeRegisters(parts, [again], [fence])
  }
}
