/**
 * A document as a TypeScript module that builds it with the SDK. Run, it gives the same document to the byte;
 * `read-code.ts` reads it back without running it. Ids are the names; what has no type is wrapped in `kept`
 * and `extra`.
 */

import { documentJsonSchema } from '../document-json-schema.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject, sortedKeys } from '../json.ts'
import type { SchemaCursor } from '../schema-walk.ts'
import { inputJsonSchema, schemaCursor } from '../schema-walk.ts'
import type { TaskSpec } from '../task-spec.ts'
import type { WorkflowDocument } from '../workflow.ts'
import { inputPort, outputPort } from '../workflow.ts'
import type { Code, CodeField } from './code-text.ts'
import { callOf, codeOf, objectOf, printed } from './code-text.ts'
import { fitsType } from './fits-type.ts'
import { defineFunction, endText, extraFunction, keepFunction, sdkModule } from './workflow-definition.ts'

/** The kinds whose parameters and types the SDK knows. */
export interface KnownKinds {
  readonly tasks: ReadonlyMap<string, TaskSpec>
  readonly triggers: ReadonlyMap<string, { readonly parameters: TaskSpec['parameters'] }>
}

interface Writing {
  readonly known: KnownKinds
  readonly nodes: JsonObject
}

/** The text of the module, with a line break at its end. */
export function writeCode(document: WorkflowDocument, known: KnownKinds): string {
  // A document is JSON; its type has no index signature.
  const json = document as unknown as JsonObject
  const writing: Writing = { known, nodes: isJsonObject(json['nodes']) ? json['nodes'] : {} }
  const body = objectOf(documentFields(json, writing), true)
  const call = `export default ${defineFunction}(`
  const text = `${call}${printed(body, { indent: 0, column: call.length, room: 1 })})\n`
  const names = [defineFunction, ...[extraFunction, keepFunction].filter((name) => calls(body, name))]
  return `import { ${names.join(', ')} } from '${sdkModule}'\n\n${text}`
}

/** Whether the code calls a function somewhere in it. */
function calls(code: Code, name: string): boolean {
  if (code.kind === 'call') return code.name === name || calls(code.argument, name)
  if (code.kind === 'list') return code.items.some((item) => calls(item, name))
  return code.kind === 'object' && code.fields.some(({ value }) => calls(value, name))
}

const kept = (value: JsonValue): Code => callOf(keepFunction, codeOf(value, false))

/** The sections of a document in the order in which a person reads them. */
const sectionWriters: Readonly<Record<string, (id: string, value: JsonObject, writing: Writing) => Code>> = {
  triggers: (_id, value, writing) => triggerCode(value, writing),
  nodes: (_id, value, writing) => nodeCode(value, writing),
  edges: (_id, value, writing) => edgeCode(value, writing),
}

function documentFields(json: JsonObject, writing: Writing): readonly CodeField[] {
  const schema = documentSchema()
  const fields: CodeField[] = []
  const unknown: Record<string, JsonValue> = {}
  for (const key of [...fieldOrder(schema), ...sortedKeys(json)]) {
    const value = Object.hasOwn(json, key) ? json[key] : undefined
    if (value === undefined || writtenElsewhere.has(key) || fields.some((field) => field.key === key))
      continue
    const property = propertyOf(schema, key)
    if (property === null) put(unknown, key, value)
    else fields.push({ key, value: sectionCode(key, value, { property, writing }) })
  }
  return withUnknown(fields, unknown)
}

/** `defineWorkflow` adds them. */
const writtenElsewhere: ReadonlySet<string> = new Set(['format', 'schemaVersion'])

function sectionCode(
  key: string,
  value: JsonValue,
  { property, writing }: { readonly property: SchemaCursor; readonly writing: Writing },
): Code {
  const write = sectionWriters[key]
  if (write !== undefined && isJsonObject(value)) {
    const fields = sortedKeys(value).map((id) => {
      const item = value[id] as JsonValue
      return { key: id, value: isJsonObject(item) ? write(id, item, writing) : kept(item) }
    })
    return objectOf(fields, true)
  }
  if (!fitsType(property, value, { expressions: false })) return kept(value)
  if (key === 'sagaScopes' && !namesNodes(value, writing)) return kept(value)
  return key === 'layout' && isJsonObject(value) ? layoutCode(value) : codeOf(value)
}

const namesNodes = (scopes: JsonValue, { nodes }: Writing): boolean =>
  isJsonObject(scopes) &&
  Object.values(scopes).every(
    (scope) => isJsonObject(scope) && Array.isArray(scope['nodes']) && scope['nodes'].every(isOneOf(nodes)),
  )

const isOneOf =
  (nodes: JsonObject) =>
  (id: unknown): boolean =>
    typeof id === 'string' && Object.hasOwn(nodes, id)

/** A line for each thing that has a place. */
function layoutCode(layout: JsonObject): Code {
  const fields = sortedKeys(layout).map((key) => {
    const places = layout[key] as JsonValue
    if (!isJsonObject(places)) return { key, value: codeOf(places) }
    const items = sortedKeys(places).map((id) => ({ key: id, value: codeOf(places[id] as JsonValue) }))
    return { key, value: objectOf(items, true) }
  })
  return objectOf(fields, true)
}

function nodeCode(node: JsonObject, { known, nodes }: Writing): Code {
  const spec = typeof node['kind'] === 'string' ? known.tasks.get(node['kind']) : undefined
  const parameters = parametersCode(node['parameters'], spec)
  if (spec === undefined || parameters === 'impossible') return kept(node)
  const has = isOneOf(nodes)
  return recordCode(node, recordSchema('nodes'), (key, value) => {
    if (key === 'parameters') return parameters
    const undoes = key === 'compensation' && isJsonObject(value) ? value['node'] : undefined
    const isAstray = (key === 'parent' && !has(value)) || (undoes !== undefined && !has(undoes))
    return isAstray ? kept(value) : null
  })
}

function triggerCode(trigger: JsonObject, { known }: Writing): Code {
  const spec = typeof trigger['kind'] === 'string' ? known.triggers.get(trigger['kind']) : undefined
  const parameters = parametersCode(trigger['parameters'], spec)
  if (spec === undefined || parameters === 'impossible') return kept(trigger)
  return recordCode(trigger, recordSchema('triggers'), (key) => (key === 'parameters' ? parameters : null))
}

/** Null when there are none; `impossible` when there must be some. */
function parametersCode(
  value: JsonValue | undefined,
  spec: Pick<TaskSpec, 'parameters'> | undefined,
): Code | null | 'impossible' {
  if (spec === undefined) return 'impossible'
  const cursor = schemaCursor(inputJsonSchema(spec.parameters))
  const required = cursor.schema['required']
  const needed = Array.isArray(required) ? required : []
  if (value === undefined) return needed.length === 0 ? null : 'impossible'
  if (!isJsonObject(value)) return kept(value)
  if (!needed.every((key) => typeof key === 'string' && Object.hasOwn(value, key))) return kept(value)
  const fields: CodeField[] = []
  const unknown: Record<string, JsonValue> = {}
  for (const key of orderedKeys(cursor, value)) {
    const item = value[key] as JsonValue
    const property = propertyOf(cursor, key)
    if (property === null) put(unknown, key, item)
    else
      fields.push({ key, value: fitsType(property, item, { expressions: true }) ? codeOf(item) : kept(item) })
  }
  return objectOf(withUnknown(fields, unknown))
}

/** One entry of a section, field by field; `special` says how a field is written, null for as usual. */
function recordCode(
  entry: JsonObject,
  cursor: SchemaCursor,
  special: (key: string, value: JsonValue) => Code | null,
): Code {
  const fields: CodeField[] = []
  const unknown: Record<string, JsonValue> = {}
  for (const key of orderedKeys(cursor, entry)) {
    const value = entry[key] as JsonValue
    const property = propertyOf(cursor, key)
    if (property === null) put(unknown, key, value)
    else {
      const fits = fitsType(property, value, { expressions: false })
      fields.push({ key, value: special(key, value) ?? (fits ? codeOf(value) : kept(value)) })
    }
  }
  return objectOf(withUnknown(fields, unknown), fields.length > 1)
}

function edgeCode(edge: JsonObject, { nodes }: Writing): Code {
  const { from, to, label, ...others } = edge
  const texts = [endText(from, outputPort), endText(to, inputPort)]
  const has = isOneOf(nodes)
  const isKnown = isJsonObject(from) && isJsonObject(to) && has(from['node']) && has(to['node'])
  const [start, end] = texts
  const isPair = start !== null && end !== null && start !== undefined && end !== undefined
  const hasLabel = label === undefined || typeof label === 'string'
  if (!isKnown || !isPair || !hasLabel || Object.keys(others).length > 0) return kept(edge)
  const items = [start, end].map((text) => codeOf(text))
  return {
    kind: 'list',
    isNumbers: false,
    items: label === undefined ? items : [...items, objectOf([{ key: 'label', value: codeOf(label) }])],
  }
}

function withUnknown(fields: readonly CodeField[], unknown: JsonObject): readonly CodeField[] {
  return Object.keys(unknown).length === 0
    ? fields
    : [...fields, { key: null, value: callOf(extraFunction, codeOf(unknown, false)) }]
}

/** Sets a field whatever its name is. */
function put(record: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
}

let documentCursor: SchemaCursor | null = null

/** Made once: the schema is the same for all documents. */
function documentSchema(): SchemaCursor {
  documentCursor ??= schemaCursor(documentJsonSchema())
  return documentCursor
}

function recordSchema(section: string): SchemaCursor {
  const { root } = documentSchema()
  const items = propertyOf(documentSchema(), section)?.schema['additionalProperties']
  return { root, schema: isJsonObject(items) ? items : {} }
}

/** Null for a field that the schema doesn't name. */
function propertyOf({ root, schema }: SchemaCursor, key: string): SchemaCursor | null {
  const properties = schema['properties']
  if (!isJsonObject(properties) || !Object.hasOwn(properties, key)) return null
  const own = properties[key]
  return isJsonObject(own) ? { root, schema: own } : null
}

const fieldOrder = ({ schema }: SchemaCursor): readonly string[] =>
  isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : []

/** The keys of a value, those of the schema first and in its order. */
function orderedKeys(cursor: SchemaCursor, value: JsonObject): readonly string[] {
  const known = fieldOrder(cursor).filter((key) => Object.hasOwn(value, key))
  return [...known, ...sortedKeys(value).filter((key) => !known.includes(key))]
}
