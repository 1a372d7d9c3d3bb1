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

const missing = (schema: JsonObject, values: readonly JsonValue[]): readonly string[] => {
  const found = new Set(values.flatMap((value) => fieldsOfValue(schema, value)))
  return fieldsOfSchema(schema).filter((field) => !found.has(field))
}

// Documents are plain JSON data.
const missingFields = (schema: JsonObject, documents: readonly WorkflowDocument[]): readonly string[] =>
  missing(schema, documents as unknown as readonly JsonValue[])

interface Placed {
  readonly kind: string
  readonly parameters?: JsonObject
}

const placedAs = {
  task: [taskSpecsByKind, ({ nodes }: WorkflowDocument): readonly Placed[] => Object.values(nodes)],
  trigger: [
    triggerSpecsByKind,
    ({ triggers = {} }: WorkflowDocument): readonly Placed[] => Object.values(triggers),
  ],
} as const

function missingParameters(
  what: keyof typeof placedAs,
  documents: readonly WorkflowDocument[],
): readonly string[] {
  const [specs, placedIn] = placedAs[what]
  const byKind = Map.groupBy(documents.flatMap(placedIn), ({ kind }) => kind)
  return [...specs].flatMap(([kind, { parameters }]) => {
    const given = (byKind.get(kind) ?? []).map((placed) => placed.parameters ?? {})
    return missing(inputJsonSchema(parameters), given).map((field) => `${kind}: ${field}`)
  })
}

/** What isn't among so many is as good as never drawn. */
const drawnMax = 10_000
/** Before so many nothing is looked for. */
const firstPortion = 700
const portion = 100
/** Of forty the one that has drawn everything soonest, with 1,300 documents. */
const seed = 40_000

const drawn = drawUntilAllIsThere()

/** The same ones each time, and no more than it takes: to draw them is nearly all that this file costs. */
function drawUntilAllIsThere(): readonly WorkflowDocument[] {
  const all: WorkflowDocument[] = []
  const isAllThere = (): boolean =>
    missingFields(documentJsonSchema(), all).length === 0 &&
    missingParameters('task', all).length === 0 &&
    missingParameters('trigger', all).length === 0
  while (all.length < drawnMax && !isAllThere())
    all.push(
      ...fc.sample(anyDocument, {
        numRuns: all.length === 0 ? firstPortion : portion,
        seed: seed + all.length,
      }),
    )
  return all
}

test('each field that a document may have is drawn', () => {
  expect(missingFields(documentJsonSchema(), drawn)).toEqual([])
})

test.for(['task', 'trigger'] as const)('each parameter of each %s kind is drawn', (what) => {
  expect(missingParameters(what, drawn)).toEqual([])
})

test('a field that is never drawn would be told', () => {
  const schema = documentJsonSchema()
  const { properties } = schema as { readonly properties: JsonObject }
  const later = {
    ...schema,
    properties: { ...properties, mood: { type: 'object', properties: { tone: {} } } },
  }
  expect(missingFields(later, drawn)).toEqual(['mood', 'mood.tone'])
})
