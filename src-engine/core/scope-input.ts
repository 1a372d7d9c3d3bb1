/** What the first nodes of a level get: the run's input, a map's item, or a loop's value. */

import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { Payload } from '../model/payload.ts'
import type { Generations } from './run-state.ts'
import { forwardId } from './run-state.ts'
import { placeOf } from './scope-path.ts'

export type ScopeInput =
  | { readonly kind: 'single'; readonly payload: Payload }
  /** One of a list that is stored as a whole. */
  | { readonly kind: 'item'; readonly items: Payload; readonly index: number }

const nothing: Payload = { kind: 'inline', json: 'null' }

/** The input of the level at `path`; null values once its container has ended. */
export function scopeInputOf(
  at: Generations,
  path: string,
  recordOf: (id: InvocationId) => InvocationRecord | undefined,
): ScopeInput {
  if (path === '') return { kind: 'single', payload: at.run.input }
  const { parent, container, index } = placeOf(path)
  const wait = recordOf(forwardId(at, container, parent))?.wait
  if (wait?.kind === 'items') return { kind: 'item', items: wait.items, index }
  return { kind: 'single', payload: wait?.kind === 'turn' ? wait.value : nothing }
}

/** Lists that were split already: a map opens its items one after the other. */
const splitLists = new WeakMap<Payload, readonly string[]>()

/** An item of an inline list as a payload; null when the list is stored elsewhere. */
export function inlineItem(items: Payload, index: number): Payload | null {
  if (items.kind !== 'inline') return null
  let texts = splitLists.get(items)
  if (texts === undefined) {
    // Written by the map's attempt as a list.
    const values = JSON.parse(items.json) as readonly unknown[]
    texts = values.map((value) => JSON.stringify(value ?? null))
    splitLists.set(items, texts)
  }
  return { kind: 'inline', json: texts[index] ?? 'null' }
}
