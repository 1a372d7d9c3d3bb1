/**
 * What no JSON from outside may contain: names that would change objects of the program, endless nesting, and
 * numbers that no number can hold.
 */

import type { JsonValue } from './json.ts'

export interface JsonIntrusion {
  readonly kind: 'reserved-name' | 'too-deep' | 'too-large'
  /** `nodes.fetch.parameters`. */
  readonly path: string
}

/** The first intrusion; null when there is none. Never recurses, so depth can't harm it. */
export function findJsonIntrusion(value: JsonValue, depthMax: number): JsonIntrusion | null {
  interface Visit {
    readonly value: JsonValue
    readonly depth: number
    readonly key: string
    readonly parent: Visit | null
  }
  const open: Visit[] = [{ value, depth: 0, key: '', parent: null }]
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    if (typeof visit.value !== 'object' || visit.value === null) continue
    if (visit.depth >= depthMax) return { kind: 'too-deep', path: pathOf(visit) }
    // An own `__proto__` replaces the prototype of whatever the object is copied into.
    if (Object.hasOwn(visit.value, '__proto__')) return { kind: 'reserved-name', path: pathOf(visit) }
    for (const [key, item] of Object.entries(visit.value)) {
      if (typeof item === 'object' && item !== null) {
        open.push({ value: item, depth: visit.depth + 1, key, parent: visit })
      } else if (typeof item === 'number' && !Number.isFinite(item)) {
        // `1e999` is JSON; written again it would be null.
        return { kind: 'too-large', path: [pathOf(visit), key].filter((part) => part !== '').join('.') }
      }
    }
  }
  return null
}

function pathOf(visit: { readonly key: string; readonly parent: unknown } | null): string {
  const keys: string[] = []
  let at = visit
  while (at !== null && at.parent !== null) {
    keys.unshift(at.key)
    // Every parent is a visit of the same form.
    at = at.parent as typeof at
  }
  return keys.slice(0, 8).join('.')
}
