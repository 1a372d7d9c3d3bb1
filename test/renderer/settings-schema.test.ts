import { describe, expect, test } from 'vitest'
import { documentJsonSchema } from '../../src-engine/model/document-json-schema.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { settingsSchema } from '../../src-renderer/panels/inspector/settings-schema.ts'
import { undoSettingsSchema } from '../../src-renderer/panels/inspector/undo-schema.ts'
import { workflowSettingsSchema } from '../../src-renderer/panels/inspector/workflow-settings-schema.ts'

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})
const at = (schema: JsonObject, ...path: readonly string[]): JsonObject =>
  path.reduce((inner, key) => objectOf(inner[key]), schema)

const document = documentJsonSchema()
const nodeSchema = at(document, 'properties', 'nodes', 'additionalProperties')
const documentSettings = at(document, 'properties', 'settings')

/** Fields of the form, also inside of objects, that the document's schema doesn't know. */
function unknownFields(form: JsonObject, known: JsonObject, path = ''): readonly string[] {
  return Object.entries(objectOf(form['properties'])).flatMap(([key, field]) => {
    const place = path === '' ? key : `${path}.${key}`
    const target = objectOf(known['properties'])[key]
    if (target === undefined) return [place]
    return unknownFields(objectOf(field), objectOf(target), place)
  })
}

/** Choices that the form offers and a document may not hold. */
function unknownChoices(form: JsonObject, known: JsonObject, path = ''): readonly string[] {
  return Object.entries(objectOf(form['properties'])).flatMap(([key, field]) => {
    const offered = objectOf(field)['enum']
    const target = at(known, 'properties', key)
    const taken = target['enum']
    const own =
      Array.isArray(offered) && Array.isArray(taken) ? offered.filter((one) => !taken.includes(one)) : []
    return [
      ...own.map((one) => `${path}${key}: ${String(one)}`),
      ...unknownChoices(objectOf(field), target, `${path}${key}.`),
    ]
  })
}

describe('the forms of settings', () => {
  test('every field of a node’s settings is one that a document knows', () => {
    expect(Object.keys(at(nodeSchema, 'properties'))).toContain('concurrency')
    expect(unknownFields(settingsSchema, nodeSchema)).toEqual([])
  })

  test('every field of a workflow’s settings is one that a document knows', () => {
    const { hosts, ...own } = objectOf(workflowSettingsSchema['properties'])
    expect(hosts).toBeDefined()
    expect(unknownFields({ properties: own }, documentSettings)).toEqual([])
  })

  test('every field of what undoes a node is one that a document knows', () => {
    expect(unknownFields(undoSettingsSchema, at(nodeSchema, 'properties', 'compensation'))).toEqual([])
  })

  test('all that a document may say of undoing a node has its form', () => {
    const known = Object.keys(at(nodeSchema, 'properties', 'compensation', 'properties'))
    // The ways of undoing have forms of their own.
    const ways = ['node', 'task', 'impossible']
    const fields = Object.keys(objectOf(undoSettingsSchema['properties']))
    expect(fields.toSorted()).toEqual(known.filter((key) => !ways.includes(key)).toSorted())
    const route = at(undoSettingsSchema, 'properties', 'route', 'properties')
    expect(Object.keys(route)).toEqual(['topic', 'labels', 'requires', 'preferredPool', 'preferredRunner'])
  })

  test('no choice is offered that a document may not hold', () => {
    expect(unknownChoices(settingsSchema, nodeSchema)).toEqual([])
    expect(unknownChoices(workflowSettingsSchema, documentSettings)).toEqual([])
  })

  test('a field that no document knows is noticed', () => {
    const form = { properties: { retry: { properties: { times: { type: 'integer' } } } } }
    expect(unknownFields(form, nodeSchema)).toEqual(['retry.times'])
  })

  test('each setting of running control, routing and lost work has its form', () => {
    const fields = Object.keys(objectOf(settingsSchema['properties']))
    const wanted = [
      ...['retry', 'timeout', 'concurrency', 'rateLimit', 'priority', 'pool', 'route', 'tags'],
      ...['sideEffect', 'onLost', 'outputSchema'],
    ]
    expect(fields).toEqual(expect.arrayContaining(wanted))
  })
})
