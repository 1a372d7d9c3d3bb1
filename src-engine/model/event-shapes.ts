/**
 * The shapes that nearly all packed events have: what is the same in each event of a shape is kept here, and
 * a text has the shape's place and the values that differ. Places and patterns are a stored form: append only.
 */

import type { Packed } from './value-codec.ts'

/** In a pattern, where a value of the event stands. */
const own = undefined

/** The fields that a step has which nothing unusual is said of: node, kind, when and why. */
const plainStep = 4_227_075
/** The same of a run. */
const plainRun = 241_692
/** Status, version, lease, deadline, end, input and output: what a step's end changes. */
const stepEnd = 25_953_376

/**
 * Packed events as `packEvent` makes them: type, event's subject, cause, version, and then by type. Of those
 * with the same fields the one that leaves the fewest values is taken, and of such the first.
 */
const patterns: readonly (readonly Packed[])[] = [
  // A step ends well, for the sake of its attempt: its first one, or a later one.
  [3, own, ['attempt', 1], own, 6, 18, stepEnd, 18, own, null, null, 0, own, own, attemptOf([1, 1])],
  // The next one is registered, claimed and started, with the usual lease and deadline.
  [2, own, ['upstream', 2], 0, plainStep, 0, own, 0, 0],
  [3, 0, ['attempt', 3], 0, 0, 5, 3_104, 5, ['@', 0, 1, 300_000], 0],
  [3, 0, 0, 0, 5, 6, 397_344, 6, 1, 0, 3_600_000],
  // The same in general.
  [3, own, own, own, 6, 18, stepEnd, 18, own, null, null, 0, own, own, attemptOf([own, own])],
  [2, own, own, own, plainStep, own, own, own, own],
  [3, 0, own, 0, 0, 5, 3_104, 5, ['@', 0, own, own], 0],
  [3, own, own, own, 5, 6, 397_344, 6, own, own, own],
  // Those beside the one before, for the same reason; and the first ones of a run.
  [2, own, 0, 0, plainStep, 0, own, 0, 0],
  [2, own, ['start', '.'], 0, plainStep, 0, own, 0, 0],
  [3, 0, 'manual', 0, 0, 5, 3_104, 5, ['@', 0, 1, 300_000], 0],
  // Claimed from the queue, and started then.
  [3, own, ['claim', '@'], own, own, 5, 1_075_842_144, 5, own, ['@', 0, own, own], 0, null, own],
  [3, own, ['claim', 1], own, 5, 6, 397_408, 6, own, own, 0, own],
  // A run is made at once, or as it was asked for before; it begins.
  [0, 0, 'manual', own, plainRun, own, own, own, 0, own, 0, own, 0],
  [0, own, own, own, plainRun, own, own, own, own, own, own, own, own],
  [1, 0, 0, 0, 0, 1, 262_400, 1, 0],
  // It ends well: with the output of its last step, or with another one, or with none.
  [1, null, 0, 0, 1, 6, 81_264_896, 6, 0, null, 1, null, null],
  [1, null, 0, 0, 1, 6, 81_264_896, 6, 0, null, own, null, null],
  [1, null, 0, 0, 1, 6, 525_056, 6, own, 0],
]

/** An attempt of the runner that tells of it, with the input, output and error of the change. */
function attemptOf([number, counter]: readonly Packed[]): readonly Packed[] {
  return [number, '@', 0, counter, own, 0, 0, 0, 0, null, null]
}

interface Shape {
  readonly pattern: readonly Packed[]
  readonly place: number
  readonly values: number
}

const shapes: readonly Shape[] = patterns.map((pattern, place) => ({
  pattern,
  place,
  values: count(pattern),
}))

function count(pattern: Packed): number {
  if (pattern === own) return 1
  return Array.isArray(pattern) ? pattern.reduce((sum: number, item) => sum + count(item), 0) : 0
}

/** The type and the fields of an event as one number; -1 for types whose events have no shape. */
function keyOf(event: readonly Packed[]): number {
  const type = event[0] as number
  const fields = event[type === 0 || type === 2 ? 4 : 6]
  return type < 4 ? (fields as number) * 4 + type : -1
}

/** With the fewest values first. */
const shapesByKey: ReadonlyMap<number, readonly Shape[]> = Map.groupBy(
  shapes.toSorted((a, b) => a.values - b.values),
  ({ pattern }) => keyOf(pattern),
)

/** Appends an event to a text: its shape's place and its values, or the event as it is. */
export function shorten(event: readonly Packed[], out: Packed[]): void {
  const candidates = shapesByKey.get(keyOf(event))
  if (candidates !== undefined) {
    for (const { pattern, place } of candidates) {
      if (!fits(pattern, event)) continue
      out.push(place)
      take(pattern, event, out)
      return
    }
  }
  out.push(event)
}

function fits(pattern: readonly Packed[], event: readonly Packed[]): boolean {
  if (pattern.length !== event.length) return false
  for (let index = 0; index < pattern.length; index += 1) {
    const wanted = pattern[index]
    const found = event[index]
    if (wanted === own || wanted === found) continue
    if (!Array.isArray(wanted) || !Array.isArray(found) || !fits(wanted, found)) return false
  }
  return true
}

/** Appends the values of an event that fits the pattern. */
function take(pattern: readonly Packed[], event: readonly Packed[], out: Packed[]): void {
  for (let index = 0; index < pattern.length; index += 1) {
    const wanted = pattern[index]
    if (wanted === own) out.push(event[index])
    else if (Array.isArray(wanted)) take(wanted, event[index] as readonly Packed[], out)
  }
}

/** What of a text comes after an event at a place; the event itself goes to `into`. */
export function lengthen(text: readonly Packed[], place: number, into: { event: readonly Packed[] }): number {
  const item = text[place]
  if (typeof item !== 'number') {
    into.event = item as readonly Packed[]
    return place + 1
  }
  const shape = shapes[item] as Shape
  const reading = { text, place: place + 1 }
  into.event = fill(shape.pattern, reading)
  return place + 1 + shape.values
}

/** The place after an event, without reading it. */
export function placeBehind(text: readonly Packed[], place: number): number {
  const item = text[place]
  return place + 1 + (typeof item === 'number' ? (shapes[item] as Shape).values : 0)
}

function fill(
  pattern: readonly Packed[],
  reading: { readonly text: readonly Packed[]; place: number },
): Packed[] {
  const event: Packed[] = []
  for (const item of pattern) {
    if (item === own) {
      event.push(reading.text[reading.place])
      reading.place += 1
    } else event.push(Array.isArray(item) ? fill(item, reading) : item)
  }
  return event
}
