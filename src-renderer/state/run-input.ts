/** What a run starts with when nobody is asked: the defaults of the workflow's input form. */

import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
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
