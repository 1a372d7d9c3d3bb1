/** The documents that tests generate have everything that a document may have: else they prove little about it. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentJsonSchema } from '../../../src-engine/model/document-json-schema.ts'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { anyDocument } from '../../support/any-document.ts'
import { fieldsOfSchema, fieldsOfValue } from '../../support/draw-schema.ts'

/** The same ones each time. */
const drawn: readonly WorkflowDocument[] = fc.sample(anyDocument, { numRuns: 10_000, seed: 4711 })

const missing = (schema: JsonObject, values: readonly JsonValue[]): readonly string[] => {
  const found = new Set(values.flatMap((value) => fieldsOfValue(schema, value)))
  return fieldsOfSchema(schema).filter((field) => !found.has(field))
}

test('each field that a document may have is drawn', () => {
  // Documents are plain JSON data.
  expect(missing(documentJsonSchema(), drawn as unknown as readonly JsonValue[])).toEqual([])
})

interface Placed {
  readonly kind: string
  readonly parameters?: JsonObject
}

test.for([
  ['task', taskSpecsByKind, ({ nodes }: WorkflowDocument): readonly Placed[] => Object.values(nodes)],
  [
    'trigger',
    triggerSpecsByKind,
    ({ triggers = {} }: WorkflowDocument): readonly Placed[] => Object.values(triggers),
  ],
] as const)('each parameter of each %s kind is drawn', ([, specs, placedIn]) => {
  const byKind = Map.groupBy(drawn.flatMap(placedIn), ({ kind }) => kind)
  const never = [...specs].flatMap(([kind, { parameters }]) => {
    const given = (byKind.get(kind) ?? []).map((placed) => placed.parameters ?? {})
    return missing(inputJsonSchema(parameters), given).map((field) => `${kind}: ${field}`)
  })
  expect(never).toEqual([])
})

test('a field that is never drawn would be told', () => {
  const schema = documentJsonSchema()
  const { properties } = schema as { readonly properties: JsonObject }
  const later = {
    ...schema,
    properties: { ...properties, mood: { type: 'object', properties: { tone: {} } } },
  }
  expect(missing(later, drawn as unknown as readonly JsonValue[])).toEqual(['mood', 'mood.tone'])
})
