/** Resolves the items of a map; once they are done, hands on what they gave. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { plainText } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { MapParameters } from './spec.ts'

export const mapRun: TaskRun<MapParameters> = {
  async execute(parameters, context) {
    if (context.results !== null) return completed([...context.results])
    const items = batches(itemsOf(parameters.items, context.input), parameters.batchSize)
    if (items.length === 0) return completed([])
    const { tolerate, tolerateUnit, limit } = parameters
    const tolerated = Math.floor(tolerateUnit === 'percent' ? (items.length * tolerate) / 100 : tolerate)
    return { kind: 'items', items, limit, tolerated }
  },
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
