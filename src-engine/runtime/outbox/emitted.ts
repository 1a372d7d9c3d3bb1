/** The end of an attempt that tells an event. */

import type { AttemptEnd } from '../../core/finish-attempt.ts'
import { runId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { Payload } from '../../model/payload.ts'
import type { Instant } from '../../model/time.ts'
import type { TaskOutcome } from '../../tasks/task.ts'
import type { PayloadStore } from '../payload-store.ts'

/** The event with its payload where it belongs; `output` is what the step hands on. */
export async function emitted(
  payloads: PayloadStore,
  outcome: Extract<TaskOutcome, { readonly kind: 'emits' }>,
  of: { readonly record: InvocationRecord; readonly output: Payload; readonly at: Instant },
): Promise<AttemptEnd> {
  const { messageId, name, correlation } = outcome
  const { record, output, at } = of
  const payload = await payloads.keep(JSON.stringify(outcome.payload ?? null), taskOutputBytesMax)
  const to = outcome.runId === null ? null : runId(outcome.runId)
  const event = { messageId, name, correlation, payload, runId: to, at, source: record.id }
  return { kind: 'emits', event, output }
}
