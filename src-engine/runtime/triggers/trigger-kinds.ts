/** The kinds of triggers that act by themselves: what they need to be read as, and when they come due first. */

import { recordOfThrown } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Instant } from '../../model/time.ts'
import type { TriggerRecord } from '../../model/trigger.ts'
import { isTriggerOn } from '../../model/trigger.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { triggerSpecsByKind } from '../../triggers/specs.ts'
import type { CronPlans } from './cron-kind.ts'
import { waitingDueAt } from './waiting.ts'

/** Started by a person only: there is nothing to keep of it. */
export const manualKind = 'manual'
/** Looks at what happens to runs: at the history of all partitions. */
export const runStatusKind = 'run-status'

/** The parameters with their defaults, or why they can't be used in this document. */
export function readParameters(
  kind: string,
  parameters: JsonObject,
  at: { readonly document: WorkflowDocument; readonly triggerId: string },
): { readonly parameters: JsonObject; readonly problem: string | null } {
  const spec = triggerSpecsByKind.get(kind)
  if (spec === undefined)
    return { parameters, problem: `This Sagasmith has no triggers of the kind “${kind}”.` }
  const read = spec.parameters.safeParse(parameters)
  if (!read.success)
    return { parameters, problem: read.error.issues[0]?.message ?? 'Its parameters don’t fit.' }
  const [problem] = spec.problems?.(parameters, at) ?? []
  if (problem !== undefined) return { parameters, problem: `It ${problem.message}. ${problem.hint}` }
  // Parsed from JSON by a schema that makes JSON.
  return { parameters: read.data as JsonObject, problem: null }
}

/** The trigger with its next slot, and when somebody is to look at it or at what it waits with. */
export interface ArmedTrigger {
  readonly record: TriggerRecord
  /** Null for never. */
  readonly dueAt: Instant | null
}

/** Where a trigger goes on from what is decided of it. */
export function armed(record: TriggerRecord, plans: CronPlans): ArmedTrigger {
  if (!isTriggerOn(record)) return { record: { ...record, nextAt: null }, dueAt: null }
  if (record.kind !== 'cron') return { record, dueAt: waitingDueAt(record) }
  try {
    const { calculator } = plans.of(record)
    const nextAt = calculator.next(record.decidedUpTo)
    return {
      record: { ...record, nextAt },
      dueAt: nextAt === null ? null : calculator.fireAt(nextAt),
    }
  } catch (thrown) {
    return { record: { ...record, nextAt: null, problem: recordOfThrown(thrown).message }, dueAt: null }
  }
}
