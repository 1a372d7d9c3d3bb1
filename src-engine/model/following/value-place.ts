/** A place in the data of a run: where a value stands, and what stands there. */

import type { FieldPath } from '../field-hints.ts'
import type { RunId } from '../ids.ts'
import type { JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'

export interface ValuePlace {
  readonly runId: RunId
  /**
   * `run.input` and `vars` belong to the run; the others to a step: `input` is what arrived at it, `parameters`
   * what it was called with, `output` what it gave.
   */
  readonly of: 'run.input' | 'vars' | 'input' | 'parameters' | 'output'
  /** Null for what belongs to the run. */
  readonly nodeId: string | null
  /** The item or turn of the step, as records have it; empty outside of maps and loops. */
  readonly path: string
  /** Names of fields and places in lists, from the value down. */
  readonly field: FieldPath
}

/** What stands at a field; null where there is nothing, undefined where the value isn't known. */
export function valueInside(value: JsonValue | undefined, field: FieldPath): JsonValue | undefined {
  let at = value
  for (const step of field) {
    if (at === undefined) return undefined
    if (typeof step === 'number') at = Array.isArray(at) ? ((at as readonly JsonValue[])[step] ?? null) : null
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? (at[step] ?? null) : null
  }
  return at
}

/** As far as a field can be followed: a name below a list means all of its members. */
export function fieldWithin(value: JsonValue | undefined, field: FieldPath): FieldPath {
  let at = value
  for (const [index, step] of field.entries()) {
    if (Array.isArray(at) && typeof step === 'string') return field.slice(0, index)
    at = valueInside(at, [step])
  }
  return field
}

/** Whether one of two places lies within the other. */
export function touches(a: ValuePlace, b: ValuePlace): boolean {
  if (a.runId !== b.runId || a.of !== b.of || a.nodeId !== b.nodeId || a.path !== b.path) return false
  const length = Math.min(a.field.length, b.field.length)
  return a.field.slice(0, length).every((step, at) => step === b.field[at])
}

/** A place as a key. */
export const valuePlaceKey = ({ runId, of, nodeId, path, field }: ValuePlace): string =>
  JSON.stringify([runId, of, nodeId, path, field])

/** `output.rows[0].id`, as the place is named within its step or run. */
export const valuePlaceText = ({ of, field }: Pick<ValuePlace, 'of' | 'field'>): string =>
  field.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return /^[^.[\]"]+$/.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`
  }, of)

const kinds = ['run.input', 'vars', 'input', 'parameters', 'output'] as const

/** Reads what `valuePlaceText` writes; null for anything else. */
export function readPlaceText(text: string): Pick<ValuePlace, 'of' | 'field'> | null {
  const of = kinds.find((kind) => text === kind || text.startsWith(`${kind}.`) || text.startsWith(`${kind}[`))
  if (of === undefined) return null
  const rest = text.slice(of.length)
  const steps = [...rest.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\["([^"]*)"\]/g)]
  if (steps.map(([whole]) => whole).join('') !== rest) return null
  const field = steps.map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )
  return { of, field }
}
