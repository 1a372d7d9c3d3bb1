/** What a step sees of the map or loop around it, and what a map or loop sees of its own body. */

import { mapResults } from '../core/bodies.ts'
import type { CompiledNode } from '../core/compile.ts'
import type { NodeInput } from '../core/node-input.ts'
import type { RunState } from '../core/run-state.ts'
import type { ScopeInput } from '../core/scope-input.ts'
import { inlineItem, scopeInputOf } from '../core/scope-input.ts'
import { placeOf } from '../core/scope-path.ts'
import { runsBodyOnce } from '../model/containers.ts'
import type { InvocationRecord, Wait } from '../model/invocation.ts'
import type { JsonValue } from '../model/json.ts'
import type { Payload } from '../model/payload.ts'
import type { TaskContext } from '../tasks/task.ts'
import type { PayloadStore } from './payload-store.ts'

/** The item or turn that a step belongs to. */
export interface StepSurroundings {
  readonly index: number
  /** The item, or the value that the turn began with. */
  readonly value: ScopeInput
}

/** What surrounds a step at `path`, which isn't empty. */
export function around(state: RunState, path: string): StepSurroundings {
  const at = repeatedAround(state, path)
  const value = scopeInputOf(state, at, (id) => state.invocations.get(id))
  return { index: placeOf(at).index, value }
}

/** What repeats nothing is seen through: the item inside of a semaphore is that of the map around it. */
function repeatedAround({ workflow }: RunState, path: string): string {
  for (let at = path; at !== ''; at = placeOf(at).parent) {
    const kind = workflow.nodeById.get(placeOf(at).container)?.kind
    if (kind === undefined || !runsBodyOnce(kind)) return at
  }
  return path
}

/** What the items of a map gave, or the signals of a wait carried, once all are there; null for everything else. */
export function resultsOf(
  state: RunState,
  node: CompiledNode,
  record: InvocationRecord,
): readonly NodeInput[] | null {
  const { wait } = record
  if (wait?.kind === 'signal') return wait.collected?.map((payload) => ({ kind: 'single', payload })) ?? null
  if (wait?.kind !== 'items') return null
  return mapResults({ node, map: record, count: wait.count }, (id) => state.invocations.get(id), state)
}

/** Lists that were read already: each item of a map looks into the same one. */
const storedLists = new WeakMap<Payload, readonly JsonValue[]>()

/** One item of a list, wherever it is stored. */
export async function storedItem(payloads: PayloadStore, items: Payload, index: number): Promise<JsonValue> {
  let list = storedLists.get(items)
  if (list === undefined) {
    // Written by the map's attempt as a list.
    list = (await payloads.value(items)) as readonly JsonValue[]
    storedLists.set(items, list)
  }
  return list[index] ?? null
}

function scopeValue(payloads: PayloadStore, value: ScopeInput): JsonValue | Promise<JsonValue> {
  if (value.kind === 'single') return payloads.value(value.payload)
  const inline = inlineItem(value.items, value.index)
  return inline === null ? storedItem(payloads, value.items, value.index) : payloads.value(inline)
}

/** Whether expressions of the step see `item` and `loop`: inside of maps and loops, and in a loop itself. */
export const isInBody = (work: {
  readonly around: StepSurroundings | null
  readonly record: Pick<InvocationRecord, 'wait'>
  readonly node?: Pick<CompiledNode, 'body'>
}): boolean => work.around !== null || work.record.wait !== null || (work.node?.body ?? null) !== null

/** What expressions see as `item` and as `loop`. */
export async function aroundValue(
  payloads: PayloadStore,
  work: {
    readonly around: StepSurroundings | null
    readonly record: Pick<InvocationRecord, 'wait'>
    readonly node?: Pick<CompiledNode, 'kind'>
    readonly inputValue: () => JsonValue | Promise<JsonValue>
  },
  root: 'item' | 'loop',
): Promise<JsonValue> {
  const { around: surroundings, record } = work
  if (root === 'item') return surroundings === null ? null : scopeValue(payloads, surroundings.value)
  // A loop's own condition sees its next turn, the steps of its body the one they are part of.
  if (record.wait?.kind === 'turn') {
    return placeInLoop(record.wait.iteration, await payloads.value(record.wait.value))
  }
  if (work.node?.kind === 'loop') return placeInLoop(0, await work.inputValue())
  if (surroundings === null) return placeInLoop(0, null)
  return placeInLoop(surroundings.index, await scopeValue(payloads, surroundings.value))
}

const placeInLoop = (index: number, value: JsonValue): JsonValue => ({ index, iteration: index + 1, value })

/** Where a loop stands before its first turn, and whatever is no loop. */
export const firstTurn = (input: JsonValue): TaskContext['turn'] => ({ iteration: 0, value: input })

/** Where a loop stands: turns taken, and its value so far. */
export async function turnOf(
  payloads: PayloadStore,
  { iteration, value }: Extract<Wait, { readonly kind: 'turn' }>,
): Promise<TaskContext['turn']> {
  return { iteration, value: await payloads.value(value) }
}
