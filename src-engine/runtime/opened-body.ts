/** What a map or loop opens its body with. */

import { createHash } from 'node:crypto'
import type { OpenedItems } from '../core/bodies.ts'
import type { DoneItems } from '../core/done-items.ts'
import type { AttemptEnd } from '../core/finish-attempt.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { JsonValue } from '../model/json.ts'
import { canonicalJson } from '../model/json.ts'
import { mapItemsMax, takenStretchesMax, taskOutputBytesMax } from '../model/limits.ts'
import type { Payload } from '../model/payload.ts'
import { isFleeting } from '../model/payload.ts'
import type { ItemPlace } from '../model/taken-items.ts'
import { takenStretches } from '../model/taken-items.ts'
import type { TaskOutcome } from '../tasks/task.ts'
import type { AttemptWork } from './attempt-work.ts'
import { keptAsArrived } from './kept-output.ts'
import type { PayloadStore } from './payload-store.ts'

/** The end of an attempt whose body is next. */
export async function opens(
  payloads: PayloadStore,
  work: Pick<AttemptWork, 'input' | 'done'>,
  outcome: Extract<TaskOutcome, { readonly kind: 'items' | 'turn' }>,
): Promise<AttemptEnd> {
  if (outcome.kind === 'turn') {
    const value = await keptAsArrived(payloads, work.input, outcome.value ?? null)
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
  const kept = await keptAsArrived(payloads, work.input, items)
  const wait = { kind: 'items', items: kept, count: items.length, limit, tolerated } as const
  const taken = await takenOver(payloads, work, { ...outcome, kept })
  if (keys === undefined) return { kind: 'opens', wait, ...taken }
  const named = await payloads.keep(JSON.stringify(keys), taskOutputBytesMax)
  return { kind: 'opens', wait: isObject === true ? { ...wait, isObject } : wait, keys: named, ...taken }
}

type Items = Extract<TaskOutcome, { readonly kind: 'items' }>

/** What of the items was done in an earlier generation, and what a later one knows them by. */
async function takenOver(
  payloads: PayloadStore,
  { done = null }: Pick<AttemptWork, 'done'>,
  { items, keys, kept }: Pick<Items, 'items' | 'keys'> & { readonly kept: Payload },
): Promise<{ readonly items?: OpenedItems }> {
  if (done === null) return {}
  const own = items.map((item, index) => digestOf(done, keys?.[index] ?? index, item))
  const places: (ItemPlace | null)[] = own.map(() => null)
  for (const { digests, placeOf } of done.earlier) {
    const known = new Map(((await readDigests(payloads, digests)) ?? []).map((digest, at) => [digest, at]))
    own.forEach((digest, index) => {
      const at = places[index] === null ? known.get(digest) : undefined
      if (at !== undefined) places[index] = placeOf(at)
    })
  }
  const taken = takenStretches(places).slice(0, takenStretchesMax)
  const json = JSON.stringify(own)
  // They tell of items that aren't kept.
  const digests = isFleeting(kept) ? await payloads.keepFleeting(json, null) : await payloads.keep(json)
  return { items: taken.length === 0 ? { digests } : { digests, taken } }
}

/** Null for those that went with their items: then nothing is taken over. */
async function readDigests(payloads: PayloadStore, digests: Payload): Promise<readonly string[] | null> {
  try {
    // Written above, as a list of texts.
    return (await payloads.value(digests)) as readonly string[]
  } catch (thrown) {
    if (recordOfThrown(thrown).code !== 'output_not_kept') throw thrown
    return null
  }
}

/** Equal where an item has the same key and content, and the steps inside would do the same with it. */
const digestOf = ({ meaning }: DoneItems, key: string | number, item: JsonValue): string =>
  createHash('sha256')
    .update(canonicalJson([meaning, key, item]))
    .digest('base64url')
    .slice(0, digestChars)

/** 96 bits: none of a million items has that of another one. */
const digestChars = 16
