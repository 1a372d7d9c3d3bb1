/** What runs of a workflow began with lately, as its form was filled in: remembered on this computer. */

import type { JsonObject } from '../../src-engine/model/json.ts'
import { canonicalJson, isJsonObject } from '../../src-engine/model/json.ts'
import type { Memory } from './services.ts'

export interface LastInput {
  readonly at: number
  readonly value: JsonObject
}

/** What a list shows at a glance. */
const keptMax = 5

const keyOf = (workflowId: string): string => `sagasmith.inputs.${workflowId}`
/** Where only the last answers were remembered, before there were several. */
const singleKeyOf = (workflowId: string): string => `sagasmith.input.${workflowId}`

/** Newest first; those that say the same once. */
export function lastInputs(memory: Memory, workflowId: string): readonly LastInput[] {
  const kept = read(memory, keyOf(workflowId))
  if (Array.isArray(kept)) return kept.filter(isLastInput)
  const single = read(memory, singleKeyOf(workflowId))
  return isJsonObject(single) ? [{ at: 0, value: single }] : []
}

export function rememberInput(memory: Memory, workflowId: string, input: LastInput): void {
  const same = canonicalJson(input.value)
  const others = lastInputs(memory, workflowId).filter(({ value }) => canonicalJson(value) !== same)
  memory.write(keyOf(workflowId), JSON.stringify([input, ...others].slice(0, keptMax)))
}

function read(memory: Memory, key: string): unknown {
  try {
    return JSON.parse(memory.read(key) ?? 'null')
  } catch {
    // Not ours.
    return null
  }
}

const isLastInput = (one: unknown): one is LastInput =>
  typeof one === 'object' &&
  one !== null &&
  'at' in one &&
  typeof one.at === 'number' &&
  'value' in one &&
  isJsonObject(one.value)
