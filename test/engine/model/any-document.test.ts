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

/** Which fields of a schema none of the values had that came so far. */
function fieldsLeft(schema: JsonObject) {
  const left = new Set(fieldsOfSchema(schema))
  return {
    left: (): readonly string[] => [...left],
    see: (value: JsonValue): void => {
      if (left.size > 0) for (const field of fieldsOfValue(schema, value)) left.delete(field)
    },
  }
}

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

/** The same of the parameters of each kind. */
function parametersLeft(what: keyof typeof placedAs) {
  const [specs, placedIn] = placedAs[what]
  const byKind = new Map(
    [...specs].map(([kind, { parameters }]) => [kind, fieldsLeft(inputJsonSchema(parameters))]),
  )
  return {
    left: () => [...byKind].flatMap(([kind, fields]) => fields.left().map((field) => `${kind}: ${field}`)),
    see: (document: WorkflowDocument): void => {
      for (const { kind, parameters = {} } of placedIn(document)) byKind.get(kind)?.see(parameters)
    },
  }
}

// Documents are plain JSON data.
const asData = (document: WorkflowDocument): JsonValue => document as unknown as JsonValue

/** What isn't among so many is as good as never drawn. */
const drawnMax = 10_000
/** Before so many nothing is looked for. */
const firstPortion = 700
const portion = 100
/** Of forty the one that has drawn everything soonest, with 1,300 documents. */
const seed = 40_000

const ofDocuments = fieldsLeft(documentJsonSchema())
const ofKinds = { task: parametersLeft('task'), trigger: parametersLeft('trigger') }
const drawn = drawUntilAllIsThere()

/** The same ones each time, and no more than it takes: to draw them is nearly all that this file costs. */
function drawUntilAllIsThere(): readonly WorkflowDocument[] {
  const all: WorkflowDocument[] = []
  const isAllThere = (): boolean =>
    [ofDocuments, ofKinds.task, ofKinds.trigger].every(({ left }) => left().length === 0)
  while (all.length < drawnMax && !isAllThere()) {
    const numRuns = all.length === 0 ? firstPortion : portion
    for (const document of fc.sample(anyDocument, { numRuns, seed: seed + all.length })) {
      all.push(document)
      ofDocuments.see(asData(document))
      ofKinds.task.see(document)
      ofKinds.trigger.see(document)
    }
  }
  return all
}

test('each field that a document may have is drawn', () => {
  expect(ofDocuments.left()).toEqual([])
})

test.for(['task', 'trigger'] as const)('each parameter of each %s kind is drawn', (what) => {
  expect(ofKinds[what].left()).toEqual([])
})

test('a field that is never drawn would be told', () => {
  const schema = documentJsonSchema()
  const { properties } = schema as { readonly properties: JsonObject }
  const later = {
    ...schema,
    properties: { ...properties, mood: { type: 'object', properties: { tone: {} } } },
  }
  const ofLater = fieldsLeft(later)
  for (const document of drawn) ofLater.see(asData(document))
  expect(ofLater.left()).toEqual(['mood', 'mood.tone'])
})
