/** What a map or loop opens its body with. */

import type { AttemptEnd } from '../core/finish-attempt.ts'
import { SagasmithError } from '../model/errors.ts'
import { mapItemsMax, taskOutputBytesMax } from '../model/limits.ts'
import type { TaskOutcome } from '../tasks/task.ts'
import type { AttemptWork } from './attempt-work.ts'
import { keptAsArrived } from './kept-output.ts'
import type { PayloadStore } from './payload-store.ts'

/** The end of an attempt whose body is next. */
export async function opens(
  payloads: PayloadStore,
  input: AttemptWork['input'],
  outcome: Extract<TaskOutcome, { readonly kind: 'items' | 'turn' }>,
): Promise<AttemptEnd> {
  if (outcome.kind === 'turn') {
    const value = await keptAsArrived(payloads, input, outcome.value ?? null)
    const { iteration, delayMs = null } = outcome
    const wait = { kind: 'turn', iteration, value } as const
    return delayMs === null ? { kind: 'opens', wait } : { kind: 'opens', wait, delayMs }
  }
  const { items, limit, tolerated, keys, isObject } = outcome
  if (items.length > mapItemsMax) {
    throw new SagasmithError('map_too_many_items', {
      message: `The map has ${items.length} items; at most ${mapItemsMax} can be worked on at once.`,
      details: { count: items.length, max: mapItemsMax },
    })
  }
  const kept = await keptAsArrived(payloads, input, items)
  const wait = { kind: 'items', items: kept, count: items.length, limit, tolerated } as const
  if (keys === undefined) return { kind: 'opens', wait }
  const named = await payloads.keep(JSON.stringify(keys), taskOutputBytesMax)
  return { kind: 'opens', wait: isObject === true ? { ...wait, isObject } : wait, keys: named }
}
