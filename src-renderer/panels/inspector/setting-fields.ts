/** Pieces that the schemas of settings are put together from. Nothing in them takes expressions. */

import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { FieldChoice } from '../../../src-engine/model/task-spec.ts'

/** A span in ms. */
export const duration = (title: string, description: string): JsonObject => ({
  type: 'integer',
  widget: 'duration',
  title,
  description,
  expressions: false,
})

/** A whole number from 1 on. */
export const count = (title: string, description: string, value: number): JsonObject => ({
  type: 'integer',
  title,
  description,
  minimum: 1,
  default: value,
  expressions: false,
})

/** A line of text. */
export const text = (title: string, description: string): JsonObject => ({
  type: 'string',
  title,
  description,
  expressions: false,
})

/** A list of words. */
export const words = (title: string, description: string): JsonObject => ({
  type: 'array',
  title,
  description,
  items: { type: 'string', expressions: false },
  expressions: false,
})

/** One of a few values, each with words of its own. */
export const choice = (
  title: string,
  choices: Readonly<Record<string, FieldChoice>>,
  rest: JsonObject,
): JsonObject => ({
  type: 'string',
  enum: Object.keys(choices),
  // Titles and hints are texts.
  choices: choices as unknown as JsonObject,
  title,
  expressions: false,
  ...rest,
})

/** Shared by nodes and workflows. */
export const priorityChoices: Readonly<Record<string, FieldChoice>> = {
  CRITICAL: { title: 'Critical', hint: 'Before everything else.' },
  HIGH: { title: 'High' },
  NORMAL: { title: 'Normal' },
  LOW: { title: 'Low' },
  MINIMAL: { title: 'Minimal', hint: 'When nothing else waits; what waits long rises by itself.' },
}
