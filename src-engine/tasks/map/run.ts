/** Resolves the items of a map; once they are done, hands on what they gave. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { plainText } from '../json-text.ts'
import type { TaskContext, TaskOutcome, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import type { KeyedItems } from './keys.ts'
import { keyedItems } from './keys.ts'
import type { MapParameters } from './spec.ts'

/** Keys are asked of each item by an expression of its own. */
export const createMapRun = ({ evaluate }: Pick<TaskPorts, 'evaluate'>): TaskRun<MapParameters> => ({
  async execute(parameters, context) {
    const all = batches(itemsOf(parameters.items, context.input), parameters.batchSize)
    if (parameters.key.trim() === '') {
      return context.results === null ? opened(parameters, all) : completed([...context.results])
    }
    const keyed = await keyedItems(all, parameters, { evaluate, context })
    return context.results === null
      ? opened(parameters, keyed.items, keyed)
      : completed(resultsOf(context.results, keyed, parameters))
  },
})

function opened(parameters: MapParameters, items: readonly JsonValue[], keyed?: KeyedItems): TaskOutcome {
  const isObject = keyed !== undefined && parameters.gives === 'object'
  if (items.length === 0) return completed(isObject ? {} : [])
  const { tolerate, tolerateUnit, limit } = parameters
  const tolerated = Math.floor(tolerateUnit === 'percent' ? (items.length * tolerate) / 100 : tolerate)
  const named = keyed === undefined ? {} : { keys: keyed.keys, ...(isObject ? { isObject } : {}) }
  return { kind: 'items', items, limit, tolerated, ...named }
}

function resultsOf(
  results: NonNullable<TaskContext['results']>,
  { keys }: KeyedItems,
  { gives }: MapParameters,
): JsonValue {
  if (gives !== 'object') return [...results]
  return Object.fromEntries(keys.map((key, index) => [key, results[index] ?? null]))
}

function itemsOf(value: unknown, input: JsonValue): readonly JsonValue[] {
  // A parameter's value is JSON by its making.
  const items = (value === '' || value === undefined ? input : value) as JsonValue
  if (Array.isArray(items)) return items
  if (items === null) return []
  throw new SagasmithError('task_input_invalid', {
    message: `“Items” is ${plainText(items)}, which is not a list.`,
    hint: 'Give a list, such as [input] for a single item.',
    details: { field: 'items' },
  })
}

function batches(items: readonly JsonValue[], size: number): readonly JsonValue[] {
  if (size === 1) return items
  const lists: JsonValue[] = []
  for (let start = 0; start < items.length; start += size) lists.push(items.slice(start, start + size))
  return lists
}
