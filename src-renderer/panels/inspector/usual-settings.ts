/**
 * What counts for a node where it says nothing itself, and who says it: its kind, its workflow, the engine's
 * settings, the pools. The form shows it as the value, with its origin beside it. Pure.
 */

import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import { inputJsonSchema } from '../../../src-engine/model/schema-walk.ts'
import type { TaskSpec } from '../../../src-engine/model/task-spec.ts'
import type { WorkflowNode, WorkflowSettings } from '../../../src-engine/model/workflow.ts'
import { defaultPool } from '../../../src-engine/model/workflow.ts'
import { fieldsOf } from '../../forms/schema-fields.ts'
import { fill, origins } from '../../text/messages.ts'

/** What is known about the engine; null until it has answered. */
export interface EngineFacts {
  /** Its setting `reroute_on_concurrency_control`. */
  readonly reroutes: boolean | null
  /** Pools by the topics that are mapped to them; null until it has answered. */
  readonly poolsByTopic: ReadonlyMap<string, readonly string[]> | null
}

export interface UsualOf {
  readonly node: WorkflowNode
  /** Undefined for a kind that nothing here knows. */
  readonly spec: TaskSpec | undefined
  readonly settings: WorkflowSettings | undefined
  readonly engine: EngineFacts
}

/** A default and who says so. */
interface Usual {
  readonly value: JsonValue | undefined
  readonly origin: string
}

/** The schema of a node's settings with the defaults that count for this node, each with its origin. */
export function withUsual(schema: JsonObject, of: UsualOf): JsonObject {
  const properties = propertiesOf(schema, '', usualByField(of))
  return { ...schema, properties: { ...properties, ...withKeyNames(properties['concurrency'], of.spec) } }
}

/** The key of concurrency control is picked from the parameters that the kind has. */
function withKeyNames(concurrency: JsonValue | undefined, spec: TaskSpec | undefined): JsonObject {
  if (!isJsonObject(concurrency) || !isJsonObject(concurrency['properties']) || spec === undefined) return {}
  const fields = fieldsOf(inputJsonSchema(spec.parameters))
  const items: JsonObject = {
    type: 'string',
    enum: fields.map(({ key }) => key),
    choices: Object.fromEntries(fields.map(({ key, title }) => [key, { title }])),
    expressions: false,
  }
  const { keys } = concurrency['properties']
  if (!isJsonObject(keys) || fields.length === 0) return {}
  // A key that is there keeps its place among the fields.
  const properties = { ...concurrency['properties'], keys: { ...keys, items } }
  return { concurrency: { ...concurrency, properties } }
}

/** The fields of an object, each with its default and whose it is. */
function propertiesOf(schema: JsonObject, path: string, usual: ReadonlyMap<string, Usual>): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).map(([key, property]) => {
      const own = path === '' ? key : `${path}.${key}`
      return [key, isJsonObject(property) ? withDefault(property, own, usual) : property]
    }),
  )
}

function withDefault(schema: JsonObject, path: string, usual: ReadonlyMap<string, Usual>): JsonObject {
  if (isJsonObject(schema['properties'])) return { ...schema, properties: propertiesOf(schema, path, usual) }
  const known = usual.get(path)
  if (known === undefined)
    return schema['default'] === undefined ? schema : { ...schema, origin: origins.plain }
  const { value, origin } = known
  return { ...schema, origin, ...(value === undefined ? {} : { default: value }) }
}

function usualByField({ node, spec, settings, engine }: UsualOf): ReadonlyMap<string, Usual> {
  const fields = new Map<string, Usual>()
  const sideEffect = node.sideEffect ?? spec?.sideEffect ?? 'unsafe'
  fields.set('sideEffect', { value: spec?.sideEffect ?? 'unsafe', origin: origins.kind })
  fields.set('onLost', { value: sideEffect === 'unsafe' ? 'ask' : 'retry', origin: origins.sideEffect })
  if (settings?.priority !== undefined) {
    fields.set('priority', { value: settings.priority, origin: origins.workflow })
  }
  if (engine.reroutes !== null) {
    const value = engine.reroutes ? 'reroute' : 'final'
    fields.set('concurrency.onFull', { value, origin: origins.engine })
  }
  const pool = usualPool(node, engine)
  if (pool !== null) fields.set('pool', pool)
  fields.set('title', { value: undefined, origin: spec?.title ?? node.kind })
  fields.set('route.topic', { value: node.kind, origin: origins.topic })
  return fields
}

/** The names of those pools; null while nobody knows, and where there is none. */
export function usualPoolName(node: WorkflowNode, engine: EngineFacts): string | null {
  const value = usualPool(node, engine)?.value
  return typeof value === 'string' ? value : null
}

/** The pools that a node which names none goes to. */
function usualPool({ kind, route }: WorkflowNode, { poolsByTopic }: EngineFacts): Usual | null {
  if (poolsByTopic === null) return null
  const mapped = poolsByTopic.get(route?.topic ?? kind)
  if (mapped !== undefined) {
    return { value: mapped.join(', '), origin: fill(origins.mapped, { topic: route?.topic ?? kind }) }
  }
  // A topic of one's own that no pool is mapped to is nobody's work.
  if (route?.topic !== undefined) return { value: undefined, origin: origins.unmapped }
  return { value: defaultPool, origin: origins.plain }
}
