/** Whether an event is one of those that a trigger waits for: by its name, and by what it carries. */

import type { JsonObject, JsonValue } from '../../model/json.ts'
import { canonicalJson, isJsonObject } from '../../model/json.ts'
import type { TaskHost } from '../task-host.ts'

/** What expressions of triggers see as `event`. */
export interface SeenEvent {
  readonly id: string
  readonly name: string
  readonly correlation: string | null
  readonly payload: JsonValue
  readonly at: string
  readonly source: string | null
}

/** A star stands for any part of a name, an empty one too. */
export function isNamed(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const parts = pattern.split('*')
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** Every field that is named is there and equal; objects inside are looked at the same way. */
function isSubset(wanted: JsonValue, found: JsonValue | undefined): boolean {
  if (!isJsonObject(wanted)) return found !== undefined && canonicalJson(wanted) === canonicalJson(found)
  if (!isJsonObject(found)) return false
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(found, key) && isSubset(value ?? null, found[key]),
  )
}

export interface ExpressionParts {
  readonly host: Pick<TaskHost, 'resolver' | 'specsByKind'>
}

/** The value of an expression that sees the event as `event`. Throws what evaluating it throws. */
async function evaluateOnEvent(
  { host }: ExpressionParts,
  text: string,
  given: { readonly event: SeenEvent; readonly now: number },
): Promise<JsonValue> {
  const spec = host.specsByKind.get('transform')
  if (spec === undefined) return null
  const input: JsonObject = { event: { ...given.event } }
  const { now } = given
  const { id } = given.event
  const resolved = await host.resolver.resolveParameters({
    // Expressions see the input of a step; within it, the event has its own name.
    parameters: { expression: `input.(\n${text}\n)` },
    spec,
    scope: {
      input: () => input,
      nodes: async () => ({}),
      run: () => ({ id, generation: 0, now, attempt: 0, input }),
      vars: {},
      now,
      seed: id,
    },
  })
  return (resolved as { readonly expression?: JsonValue }).expression ?? null
}

/** Whether the event passes a filter: an object of fields, an expression, or nothing. */
export async function passes(
  parts: ExpressionParts,
  filter: JsonValue | undefined,
  given: { readonly event: SeenEvent; readonly now: number },
): Promise<boolean> {
  if (isJsonObject(filter)) return isSubset(filter, given.event.payload)
  if (typeof filter !== 'string' || filter.trim() === '') return true
  return (await evaluateOnEvent(parts, filter, given)) === true
}

/** What the run gets: what the event carries, or what an expression makes of it. */
export async function inputOf(
  parts: ExpressionParts,
  input: JsonValue | undefined,
  given: { readonly event: SeenEvent; readonly now: number },
): Promise<JsonValue> {
  if (typeof input !== 'string') return input ?? given.event.payload
  return input.trim() === '' ? given.event.payload : evaluateOnEvent(parts, input, given)
}

/** The key of an event, as a text; null where it has none. */
export async function keyOf(
  parts: ExpressionParts,
  text: string,
  given: { readonly event: SeenEvent; readonly now: number },
): Promise<string | null> {
  const value = await evaluateOnEvent(parts, text, given)
  return value === null ? null : canonicalJson(value)
}
