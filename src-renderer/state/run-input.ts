/** What a run starts with when nobody is asked: the defaults of the workflow's input form. */

import type { ErrorRecord } from '../../src-engine/model/errors.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { startRun } from './follow-runs.ts'

/** The default of every field that has one. */
export function inputDefaults(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const entries: [string, JsonValue][] = []
  for (const [key, property] of Object.entries(properties)) {
    const initial = isJsonObject(property) ? property['default'] : undefined
    if (initial !== undefined) entries.push([key, initial])
  }
  return Object.fromEntries(entries)
}

/** What was wrong with which fields of an input that was refused; none where something else was. */
export function inputProblems(refused: ErrorRecord | null): readonly Problem[] {
  const found = refused?.code === 'input_invalid' ? refused.details['problems'] : null
  // The engine writes them as they are (`runtime/admission.ts`).
  return Array.isArray(found) ? found : []
}

/** Starts the open document with its defaults; asks when a field must be given and has none. */
export async function runWithDefaults(designer: Designer): Promise<void> {
  const schema = designer.document.getState().history.document.input ?? {}
  const input = inputDefaults(schema)
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const site = designer.cluster
  if (required.every((name) => String(name) in input))
    await attempt(designer, () => startRun(designer, input, site))
  else {
    designer.sites.getState().setStartAt(site)
    designer.view.getState().setDialog('start')
  }
}
