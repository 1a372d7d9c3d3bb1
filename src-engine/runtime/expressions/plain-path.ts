/**
 * Expressions that are nothing but a path, such as `nodes.fetch.output.body`: read here and now instead of
 * in the worker. Says `unsure` wherever JSONata would do more than read a property, and then it is asked.
 */

import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'

/** What an expression may begin with. */
export const scopeRoots = [
  'input',
  'run',
  'vars',
  'nodes',
  'item',
  'loop',
  'original',
  'output',
  'error',
] as const

export type ScopeRoot = (typeof scopeRoots)[number]

export interface PlainPath {
  readonly root: ScopeRoot
  readonly steps: readonly string[]
}

export type PlainValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unsure' }

const plainForm = /^(?:[A-Za-z_][A-Za-z0-9_]*|`[^`]+`)(?:\s*\.\s*(?:[A-Za-z_][A-Za-z0-9_]*|`[^`]+`))*$/
/** JSONata reads these as something other than a name. */
const keywords = ['and', 'or', 'in', 'true', 'false', 'null', 'function']
/** JSONata takes an object with one of these for a function. */
const functionMarks = ['_jsonata_function', '_jsonata_lambda']

const nothing: PlainValue = { kind: 'nothing' }
const unsure: PlainValue = { kind: 'unsure' }

/** The names of a path, whatever it begins with; null when the expression is more than one. */
export function plainStepsOf(expression: string): readonly string[] | null {
  const text = expression.trim()
  if (!plainForm.test(text)) return null
  const names = [...text.matchAll(/`([^`]+)`|[A-Za-z_][A-Za-z0-9_]*/g)]
  if (names.some(([name]) => keywords.includes(name))) return null
  return names.map(([name, quoted]) => quoted ?? name)
}

/** The path, or null when the expression is more than one. */
export function plainPathOf(expression: string): PlainPath | null {
  const [root, ...steps] = plainStepsOf(expression) ?? []
  if (!isScopeRoot(root)) return null
  // All nodes at once is more than anybody sends around: the worker is asked for those it needs.
  if (root === 'nodes' && steps.length === 0) return null
  return { root, steps }
}

const isScopeRoot = (name: string | undefined): name is ScopeRoot => scopeRoots.some((root) => root === name)

/** The value at the steps. A list at the end is read as it is; one on the way is mapped over by JSONata. */
export function readPlainPath(start: JsonValue, steps: readonly string[]): PlainValue {
  let value: JsonValue = start
  for (const step of steps) {
    if (Array.isArray(value)) return unsure
    if (!isJsonObject(value)) return nothing
    const object = value
    if (functionMarks.some((mark) => Object.hasOwn(object, mark))) return unsure
    const next: JsonValue | undefined = Object.hasOwn(object, step) ? object[step] : undefined
    if (next === undefined) return nothing
    value = next
  }
  return { kind: 'value', value }
}
