/** Methods about triggers: what a schedule will do, and all of them in a month. */

import type { JsonObject } from '../model/json.ts'
import type { MonthView } from '../model/month-view.ts'
import type { SchedulePreview } from '../model/schedule-preview.ts'
import type { Instant } from '../model/time.ts'
import type { TriggerDeskApi } from './trigger-views.ts'

/** A schedule as a form has it, perhaps half written. */
export interface SchedulePreviewRequest {
  /** The parameters of a trigger of the kind `cron`. */
  readonly parameters: JsonObject
  /** The first slot is this one or comes after it; null for now. */
  readonly from: Instant | null
  /** From 1 to 100. */
  readonly count: number
}

export type SchedulePreviewAnswer =
  | ({ readonly kind: 'schedule' } & SchedulePreview)
  /** It can't be read as it is; `field` says which parameter is to blame. */
  | { readonly kind: 'problem'; readonly field: string; readonly message: string }

/** A month of the clocks of a zone. */
export interface ScheduleMonthRequest {
  readonly timeZone: string
  readonly year: number
  /** From 1. */
  readonly month: number
  /** How many runs can go on at once; null for what this engine can do. */
  readonly workers: number | null
}

/** Of all published schedules that are on. */
export interface ScheduleMonth extends MonthView {
  /** What people call the schedules, by their ids in the view. */
  readonly titles: Readonly<Record<string, string>>
}

export interface TriggersApi extends TriggerDeskApi {
  /** Throws `bad_request` for a zone that nobody knows. */
  readonly 'triggers.month': { readonly input: ScheduleMonthRequest; readonly output: ScheduleMonth }
  readonly 'triggers.preview': {
    readonly input: SchedulePreviewRequest
    readonly output: SchedulePreviewAnswer
  }
}
