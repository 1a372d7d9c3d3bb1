/** Generated workflow documents: every section, right and wrong forms, fields of other programs, hostile texts. */

import fc from 'fast-check'
import { z } from 'zod'
import { documentJsonSchema } from '../../src-engine/model/document-json-schema.ts'
import type { JsonObject, JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import { inputJsonSchema } from '../../src-engine/model/schema-walk.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { isDocumentId } from '../../src-engine/model/workflow-schema.ts'
import { taskSpecs, taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { triggerSpecs, triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { drawFields, drawSchema, fieldsOfSchema } from './draw-schema.ts'

/** What would end a text, a comment or a line somewhere, or call something. */
const hostile = [
  "it's",
  'say "hi"',
  '`tick` ${process.exit(1)}',
  '*/ process.exit(1) /*',
  '// no comment',
  '</script><script>alert(1)</script>',
  ']]></metadata><x/>',
  'two\nlines',
  'trailing  \nspace ',
  'win\r\ndows',
  '\ttab\u0000null\u001besc',
  'line\u2028sep\u2029par',
  '\ud800 alone \udc00',
  'right\u202eto left\u200b',
  '\\n \\u0041 \\',
  '{{ input.name }}',
  '{{ nodes.a.output }} and {{ vars.x }}',
  '{{ never closed',
  '日本語 🎉',
  '-->',
  '',
]

const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ minLength: 90, maxLength: 150 }),
)
const number = fc.oneof(
  fc.integer({ min: -5, max: 100_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, 1e-7, 0.1, 9_007_199_254_740_991),
)
const fieldName = fc.oneof(
  fc.constantFrom(
    'x-owner',
    'a b',
    '10',
    '9',
    'constructor',
    'toString',
    'hasOwnProperty',
    'default',
    'é',
    "it's",
  ),
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'),
)

/** Any JSON, a few levels deep. */
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 60 }),
    fc.dictionary(fieldName, tie('value'), { maxKeys: 4 }),
  ),
})).value
const anyFields = fc.dictionary(fieldName, json, { maxKeys: 3 })

const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

const retry = fc.record(
  {
    maxAttempts: fc.integer({ min: 1, max: 5 }),
    backoff: fc.constantFrom('fixed', 'exponential'),
    delayMs: fc.integer({ min: 0, max: 5_000 }),
    retryOn: fc.array(text, { maxLength: 2 }),
    retryIf: text,
  },
  { requiredKeys: [] },
)

/** Kinds with many parameters are drawn more often. */
const kinds = [...taskSpecsByKind].flatMap(([kind, { parameters }]) => {
  const fields = fieldsOfSchema(inputJsonSchema(parameters)).length
  return Array.from({ length: 1 + Math.floor(fields / 5) }, () => kind)
})
const triggerKinds = Object.keys(triggerSpecs)

const id = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'fetch-orders', '2nd', '10', '9'),
  fc
    .string({ unit: fc.constantFrom(...'abcXYZ019_-'.split('')), minLength: 1, maxLength: 8 })
    .filter(isDocumentId),
)

/** Everything that the schema of a document knows, each section as it describes it. */
const documentFields = fieldArbitraries(documentJsonSchema(), id)
const nodeFields = fieldArbitraries(entrySchema('nodes'), fieldName)

function fieldArbitraries(
  schema: JsonObject,
  name: fc.Arbitrary<string>,
): Readonly<Record<string, fc.Arbitrary<JsonValue>>> {
  const { properties } = schema
  const fields = Object.entries(isJsonObject(properties) ? properties : {})
  return Object.fromEntries(
    fields.map(([key, field]) => [key, drawSchema(isJsonObject(field) ? field : {}, { text, json, name })]),
  )
}

/** The schema of each entry of a section. */
function entrySchema(section: string): JsonObject {
  const { properties } = documentJsonSchema()
  const found = isJsonObject(properties) ? properties[section] : undefined
  const entry = isJsonObject(found) ? found['additionalProperties'] : undefined
  if (!isJsonObject(entry)) throw new Error(`No schema of the entries of ${section}.`)
  return entry
}

/** The names of all that a kind may be told. */
function fieldsOf(kind: string): readonly string[] {
  const { properties } = inputJsonSchema(taskSpecs[kind as keyof typeof taskSpecs].parameters)
  return properties !== undefined && isJsonObject(properties) ? Object.keys(properties) : []
}

/** Parameters as their form describes them, or as a new node has them, some of them changed, some of them wrong. */
function parametersOf(
  { defaults, parameters }: { readonly defaults: JsonObject; readonly parameters: z.ZodType },
  fields: readonly string[] = [],
): fc.Arbitrary<JsonObject | undefined> {
  const right = drawSchema(inputJsonSchema(parameters), { text, json, name: fieldName })
  const changed = fc.dictionary(
    fc.oneof(fc.constantFrom(...Object.keys(defaults), ...fields, 'extra'), fieldName),
    json,
    {
      maxKeys: 3,
    },
  )
  return fc.oneof(
    { weight: 4, arbitrary: right.map((value) => (isJsonObject(value) ? value : {})) },
    fc.constant(defaults),
    fc.constant(undefined),
    changed.map((more) => ({ ...defaults, ...more })),
    anyFields,
  )
}

/** What is drawn of a kind, made once: to make it anew for each node took as long as to draw with it. */
function ofKind<Value>(make: (kind: string) => fc.Arbitrary<Value>): (kind: string) => fc.Arbitrary<Value> {
  const made = new Map<string, fc.Arbitrary<Value>>()
  return (kind) => {
    const known = made.get(kind) ?? make(kind)
    made.set(kind, known)
    return known
  }
}

const knownNode = fc.constantFrom(...kinds).chain(
  ofKind((kind) =>
    fc.record(
      {
        kind: fc.constant(kind),
        title: sometimes(text),
        note: sometimes(text),
        // The catalogue is typed by kind; here any of them is meant.
        parameters: parametersOf(taskSpecs[kind as keyof typeof taskSpecs], fieldsOf(kind)),
        retry: sometimes(fc.oneof({ weight: 4, arbitrary: retry }, { weight: 1, arbitrary: anyFields })),
        timeout: sometimes(fc.record({ attemptMs: fc.integer({ min: 1, max: 60_000 }) })),
        concurrency: sometimes(
          fc.record({ running: fc.constantFrom('TASK', 'KEYS'), limit: fc.integer({ min: 1, max: 9 }) }),
        ),
        sideEffect: sometimes(fc.constantFrom('pure', 'unsafe', 'other')),
        parent: sometimes(fc.constantFrom('a', 'b', 'nobody')),
        compensation: sometimes(
          fc.oneof(
            fc.constantFrom('b', 'nobody').map((node) => ({ node })),
            fc.record({ task: fc.record({ kind: fc.constantFrom('log', 'alien'), parameters: anyFields }) }),
            text.map((impossible) => ({ impossible })),
          ),
        ),
        tags: sometimes(fc.array(text, { maxLength: 3 })),
        fallbackOutput: sometimes(json),
        outputSchema: sometimes(anyFields),
        disabled: sometimes(fc.boolean()),
        skipIf: sometimes(text),
        onSkip: sometimes(fc.constantFrom('skip', 'pass')),
        stopAfterIf: sometimes(text),
        stopAs: sometimes(fc.constantFrom('succeeded', 'failed', 'cancelled')),
        redact: sometimes(
          fc.array(
            text.filter((one) => one !== ''),
            { maxLength: 3 },
          ),
        ),
        cache: sometimes(
          fc.record({ ttlMs: fc.integer({ min: 1, max: 60_000 }), key: text }, { requiredKeys: ['ttlMs'] }),
        ),
        mocks: sometimes(fc.record({ good: fc.record({ output: json }) })),
      },
      { requiredKeys: ['kind'] },
    ),
  ),
)
/** As the schema describes it, whatever it says by now. */
const describedNode = fc.constantFrom(...kinds).chain(
  ofKind((kind) => {
    const { kind: _kind, parameters: _parameters, ...others } = nodeFields
    const own = parametersOf(taskSpecs[kind as keyof typeof taskSpecs])
    return fc.tuple(drawFields(Object.entries(others)), own).map(([settings, parameters]) => ({
      ...settings,
      kind,
      ...(parameters === undefined ? {} : { parameters }),
    }))
  }),
)
const node = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: knownNode },
      { weight: 3, arbitrary: describedNode },
      fc.record({ kind: fc.constant('alien.kind') }),
    ),
    anyFields,
  )
  .chain(([known, more]) => fc.boolean().map((plain) => (plain ? known : { ...more, ...known })))

const end = fc.record({
  node: fc.constantFrom('a', 'b', 'nobody', 'x:y'),
  port: fc.constantFrom('out', 'in', 'true', 'a:b', 'error'),
})
const edge = fc.oneof(
  { weight: 4, arbitrary: fc.record({ from: end, to: end, label: text }, { requiredKeys: ['from', 'to'] }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyFields, end, end)
      .map(([more, from, to]) => ({ ...more, from: { ...from, z: 1 }, to })),
  },
)
const trigger = fc.constantFrom(...triggerKinds, 'moon').chain(
  ofKind((kind) =>
    fc.record(
      {
        kind: fc.constant(kind),
        title: text,
        enabled: fc.boolean(),
        parameters: parametersOf(
          triggerSpecsByKind.get(kind) ?? { defaults: {}, parameters: z.looseObject({}) },
        ).map((value) => value ?? {}),
      },
      { requiredKeys: ['kind'] },
    ),
  ),
)
const place = fc.record({ x: number, y: number })

const { nodes: _nodes, edges: _edges, triggers: _triggers, ...otherSections } = documentFields
const describedSections = fc.record(
  { ...otherSections, triggers: fc.dictionary(id, trigger, { maxKeys: 3 }) },
  { requiredKeys: [] },
)

const likelySections = fc.record(
  {
    description: text,
    input: fc.oneof(anyFields, fc.constant({ type: 'object', properties: { name: { type: 'string' } } })),
    variables: anyFields,
    settings: fc.oneof(
      fc.record({ onFailure: fc.constantFrom('stop', 'finish'), output: text }, { requiredKeys: [] }),
      anyFields,
    ),
    capabilities: fc.record({ hosts: fc.array(text, { maxLength: 2 }) }),
    triggers: fc.dictionary(id, trigger, { maxKeys: 2 }),
    sagaScopes: fc.dictionary(
      id,
      fc.record({ nodes: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }) }),
      {
        maxKeys: 2,
      },
    ),
    notes: fc.dictionary(id, fc.record({ text }), { maxKeys: 2 }),
    frames: fc.dictionary(id, fc.record({ title: text, nodes: fc.array(id, { maxLength: 2 }) }), {
      maxKeys: 2,
    }),
    layout: fc.record(
      { nodes: fc.dictionary(id, place, { maxKeys: 4 }), future: json },
      { requiredKeys: ['nodes'] },
    ),
  },
  { requiredKeys: [] },
)

const sections = fc.oneof(likelySections, describedSections)

/** Documents that can be opened; many have problems that keep them from running. */
export const anyDocument: fc.Arbitrary<WorkflowDocument> = fc
  .tuple(
    fc.dictionary(id, node, { maxKeys: 5 }),
    fc.dictionary(id, edge, { maxKeys: 5 }),
    sections,
    fc.dictionary(
      fieldName.filter((name) => !['id', 'title', 'nodes', 'edges', 'format'].includes(name)),
      json,
      { maxKeys: 2 },
    ),
    text,
  )
  .map(([nodes, edges, others, unknown, title]) => {
    const parts: unknown = {
      ...unknown,
      ...others,
      format: 'sagasmith.workflow',
      schemaVersion: 1,
      id: 'w',
      title,
      nodes,
      edges,
    }
    // What wasn't generated is undefined; in JSON it isn't there.
    return parseDocument(JSON.parse(JSON.stringify(parts)))
  })
  .filter((read) => read.ok)
  .map((read) => read.value.document)
