/**
 * Does what Immer's patches say. Immer's own way refuses paths through a field called `constructor`, which is a name
 * like any other in data; nothing here reads a field that its object doesn't have itself.
 */

import type { Patch } from 'immer'

/**
 * The value with all patches applied in their order; what no patch touches is shared with what was given. What is made
 * on the way is frozen in the end, as the rest of a document is.
 */
export function withPatches<Value>(value: Value, patches: readonly Patch[]): Value {
  // Patches that Immer made of such a value lead to such a value.
  const own = new Set<object>()
  const result = patches.reduce<unknown>((at, patch) => applied(at, { patch, depth: 0, own }), value) as Value
  for (const made of own) Object.freeze(made)
  return result
}

interface Place {
  readonly patch: Patch
  /** So many steps of the path led here. */
  readonly depth: number
  /** What was copied already: thousands of patches of one record copy it once. */
  readonly own: Set<object>
}

function applied(at: unknown, { patch, depth, own }: Place): unknown {
  const { path, op } = patch
  const step = path[depth]
  if (step === undefined) return patch.value
  if (typeof at !== 'object' || at === null || step === '__proto__') throw unresolved(patch)
  const copy = copyOf(at, own)
  if (depth < path.length - 1) {
    if (!Object.hasOwn(copy, step)) throw unresolved(patch)
    copy[step] = applied(copy[step], { patch, depth: depth + 1, own })
  } else if (Array.isArray(copy) && op !== 'replace') {
    if (op === 'add') copy.splice(Number(step), 0, patch.value)
    else copy.splice(Number(step), 1)
  } else if (op === 'remove') delete copy[step]
  else copy[step] = patch.value
  return copy
}

function copyOf(at: object, own: Set<object>): Record<string, unknown> {
  if (own.has(at)) return at as Record<string, unknown>
  const copy = Array.isArray(at) ? [...(at as readonly unknown[])] : recordCopy(at as Record<string, unknown>)
  own.add(copy)
  return copy as Record<string, unknown>
}

/** Field by field: to spread a record of ten thousand takes several times as long. */
function recordCopy(of: Readonly<Record<string, unknown>>): object {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(of)) {
    // To set it by its name would be to set what it is made from.
    if (name === '__proto__') return { ...of }
    copy[name] = of[name]
  }
  return copy
}

const unresolved = ({ path }: Patch): Error =>
  new Error(`There is nothing at ${path.join('/')} that could be changed.`)
