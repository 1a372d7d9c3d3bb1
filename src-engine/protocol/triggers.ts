/** Methods about triggers: what a schedule will do. */

import type { JsonObject } from '../model/json.ts'
import type { SchedulePreview } from '../model/schedule-preview.ts'
import type { Instant } from '../model/time.ts'

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

export interface TriggersApi {
  readonly 'triggers.preview': {
    readonly input: SchedulePreviewRequest
    readonly output: SchedulePreviewAnswer
  }
}
