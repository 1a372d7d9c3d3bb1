/** The catalogue of trigger kinds. Data only: they are validated with the document. */

import type { TriggerSpec } from '../model/trigger-spec.ts'
import { compositeSpec } from './composite/spec.ts'
import { cronSpec } from './cron/spec.ts'
import { eventSpec } from './event/spec.ts'
import { fileWatchSpec } from './file-watch/spec.ts'
import { manualSpec } from './manual/spec.ts'
import { redisStreamSpec } from './redis-stream/spec.ts'
import { runStatusSpec } from './run-status/spec.ts'
import { webhookSpec } from './webhook/spec.ts'

export const triggerSpecs = {
  manual: manualSpec,
  cron: cronSpec,
  event: eventSpec,
  webhook: webhookSpec,
  'file-watch': fileWatchSpec,
  'redis-stream': redisStreamSpec,
  'run-status': runStatusSpec,
  composite: compositeSpec,
} satisfies Record<string, TriggerSpec>

/** Every spec by its kind; a kind that isn't here is unknown. */
export const triggerSpecsByKind: ReadonlyMap<string, TriggerSpec> = new Map<string, TriggerSpec>(
  Object.entries(triggerSpecs),
)
