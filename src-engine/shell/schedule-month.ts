/** The month of everything that is scheduled: published schedules, with how long their runs took lately. */

import type { RunId, WorkflowId } from '../model/ids.ts'
import { homePartition } from '../model/partition.ts'
import { runTookMs } from '../model/run-time.ts'
import type { Millis } from '../model/time.ts'
import { isTriggerOn } from '../model/trigger.ts'
import type { ScheduleMonth } from '../protocol/triggers.ts'
import { listTriggers } from '../runtime/triggers/trigger-registers.ts'
import type { Store } from '../store/store.ts'
import type { PlannedSchedule } from '../triggers/cron/month-fires.ts'
import type { MonthRequest } from '../triggers/cron/month-view.ts'
import { monthOf } from '../triggers/cron/month-view.ts'

/** The middle one of so many runs that ended well is how long the next one is expected to take. */
const learnedRuns = 21

/** The month of the schedules that are on. */
export async function publishedMonth(store: Store, request: MonthRequest): Promise<ScheduleMonth> {
  const triggers = await listTriggers({ store, partition: homePartition })
  const schedules = triggers
    .map(({ record }) => record)
    .filter((one) => one.kind === 'cron' && isTriggerOn(one))
  const durations = new Map<WorkflowId, Millis | null>()
  const planned: PlannedSchedule[] = []
  const titles: Record<string, string> = {}
  for (const { workflowId, triggerId, title, workflowTitle, parameters } of schedules) {
    if (!durations.has(workflowId)) durations.set(workflowId, await learnedDuration(store, workflowId))
    const id = `${workflowId}/${triggerId}`
    titles[id] = title === null ? workflowTitle : `${workflowTitle}: ${title}`
    planned.push({
      id,
      // They went through the spec's schema when they were published.
      parameters: parameters as unknown as PlannedSchedule['parameters'],
      durationMs: durations.get(workflowId) ?? null,
    })
  }
  return { ...monthOf(planned, request), titles }
}

/** How long the runs of a workflow took lately, from their start to their end; null while none has ended well. */
async function learnedDuration(store: Store, workflowId: WorkflowId): Promise<Millis | null> {
  const filter = { statuses: ['SUCCEEDED'], workflowId, includeCore: false } as const
  const page: { readonly after: RunId | null; readonly limit: number } = { after: null, limit: learnedRuns }
  const runs = await store.list(homePartition, 'runs', { filter, page })
  const spans = runs.flatMap((run) => runTookMs(run) ?? []).sort((a, b) => a - b)
  return spans[Math.floor(spans.length / 2)] ?? null
}
