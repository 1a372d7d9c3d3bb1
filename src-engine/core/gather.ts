/** What a join makes of what its branches brought: one value of their values, in an order that a restart finds again. */

import type { Gathering } from '../model/join-rules.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'

/** How several things that arrived become one value; `deep` has them in the order of arrival. */
export type Composition = 'object' | 'list' | 'deep'

/** What a gathering makes of the parts; null for what takes a single one of them. */
export const compositionOf: Readonly<Record<Gathering, Composition | null>> = {
  auto: 'object',
  object: 'object',
  list: 'list',
  arrivals: 'list',
  deep: 'deep',
  first: null,
}

/** Whether what came first stands first. */
export const isByArrival = (gather: Gathering): boolean =>
  gather === 'arrivals' || gather === 'deep' || gather === 'first'

/** One value of those that arrived. */
export function composedOf(
  parts: readonly { readonly key: string; readonly value: JsonValue }[],
  as: Composition,
): JsonValue {
  if (as === 'list') return parts.map(({ value }) => value)
  if (as === 'deep') return parts.reduce<JsonValue>((merged, { value }) => deeplyMerged(merged, value), {})
  return Object.fromEntries(parts.map(({ key, value }) => [key, value]))
}

/** Objects field by field; of anything else the later value. */
function deeplyMerged(earlier: JsonValue, later: JsonValue): JsonValue {
  if (!isJsonObject(earlier) || !isJsonObject(later)) return later
  // A map, because a field may have a name that means something to objects.
  const fields = new Map<string, JsonValue>(Object.entries(earlier))
  for (const [name, value] of Object.entries(later)) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : deeplyMerged(before, value))
  }
  const merged: JsonObject = Object.fromEntries(fields)
  return merged
}

/** What of an edge counts for the order of branches. */
interface BranchWay<Way> {
  readonly port: string
  readonly from: { readonly waysIn: readonly Way[]; readonly waysOut: readonly unknown[] }
}

/**
 * The ways in as the branches of the step that they all come from stand there; where they come from several, or meet on
 * the way, by their ids as everywhere else.
 */
export function branchOrder<Way extends BranchWay<Way>>(
  waysIn: readonly Way[],
  portsOf: (fork: Way['from']) => readonly string[],
): readonly Way[] {
  const origins = waysIn.map(originOf)
  const fork = origins[0]?.from
  if (fork === undefined || origins.some((origin) => origin.from !== fork)) return waysIn
  const ports = portsOf(fork)
  const placed = waysIn.map((edge, index) => ({ edge, place: ports.indexOf(origins[index]?.port ?? '') }))
  return placed.sort((a, b) => a.place - b.place).map(({ edge }) => edge)
}

/** Back along a chain to the step that has more than one way out. */
function originOf<Way extends BranchWay<Way>>(way: Way): Way {
  let at = way
  // A circle has no beginning: a valid document has none, and this ends in any.
  for (const seen = new Set<Way>(); !seen.has(at); ) {
    seen.add(at)
    const [before, second] = at.from.waysIn
    if (before === undefined || second !== undefined || at.from.waysOut.length > 1) return at
    at = before
  }
  return way
}
