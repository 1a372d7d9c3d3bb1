/** The forms of undoing: when a run is undone, and how often and how long what undoes a step is tried. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { RollbackCause } from '../../../src-engine/model/workflow.ts'
import { rollbackWords, undo as words } from '../../text/saga-words.ts'
import { poolField, retryField, routeField, timeoutField } from './settings-schema.ts'

/** Tries of what undoes a step, where it doesn't say. */
export const undoAttemptsDefault = 3

/** The ends of a run after which what was done can be undone by itself. */
export const rollbackCases: readonly RollbackCause[] = [
  'failed',
  'timed-out',
  'cancelled',
  'denied',
  'quarantined',
]

/** A field of the workflow's settings. */
export const rollbackField: JsonObject = {
  type: 'array',
  widget: 'choices',
  title: rollbackWords.title,
  group: rollbackWords.group,
  description: rollbackWords.description,
  default: [...rollbackCases],
  items: {
    type: 'string',
    enum: [...rollbackCases],
    choices: rollbackWords.choices as unknown as JsonObject,
  },
  expressions: false,
}

/** Fields of a node's `compensation` that every way of undoing has. */
export const undoSettingsSchema: JsonObject = {
  type: 'object',
  properties: {
    input: {
      title: words.input,
      widget: 'code',
      language: 'json',
      group: words.inputGroup,
      placeholder: '{ "id": "{{ original.output.id }}" }',
      description: words.inputHint,
    },
    retry: withThreeTries(retryField),
    timeout: timeoutField,
    idempotencyKey: { type: 'string', title: words.key, group: words.keyGroup, description: words.keyHint },
    labels: {
      type: 'object',
      widget: 'key-value',
      title: words.labels,
      group: words.keyGroup,
      description: words.labelsHint,
      additionalProperties: { type: 'string' },
    },
    env: {
      type: 'object',
      widget: 'key-value',
      title: words.env,
      group: words.keyGroup,
      description: words.envHint,
      additionalProperties: { type: 'string' },
    },
    pool: poolField,
    route: routeField,
  },
}

/** What undoes is tried more than once unless it says otherwise. */
function withThreeTries(retry: JsonObject): JsonObject {
  const properties = isJsonObject(retry['properties']) ? retry['properties'] : {}
  const attempts = isJsonObject(properties['maxAttempts']) ? properties['maxAttempts'] : {}
  return {
    ...retry,
    properties: { ...properties, maxAttempts: { ...attempts, default: undoAttemptsDefault } },
  }
}
