/**
 * Follows a value of a run: from a place back to where it began, and on to the steps that read it, with the
 * value at each hop. Read off the records and the texts of the version that ran, nothing is run again.
 */

import { isSameValue } from '../comparison/value-differences.ts'
import { fieldHintsAt } from '../field-hints.ts'
import type { JsonValue } from '../json.ts'
import { followedHopsMax } from '../limits.ts'
import type { FollowedRun, Following } from './followed-runs.ts'
import { payloadValue, recordAt, runIn } from './followed-runs.ts'
import type { StepBack } from './step-back.ts'
import { parameterTexts, placesRead, sourceOfText, stepBack } from './step-back.ts'
import type { ValuePlace } from './value-place.ts'
import { fieldWithin, touches, valueInside, valuePlaceKey } from './value-place.ts'

export interface Hop {
  readonly place: ValuePlace
  /** Absent where it isn't known: sealed, secret, pruned. */
  readonly value?: JsonValue
  readonly how: StepBack['how']
  readonly expression: string | null
  /** Where the hops stand in the list that it was taken from or made of. */
  readonly from: readonly number[]
}

/** A setting of a step that reads the value. */
export interface ValueReader {
  /** The setting: of its `parameters`. */
  readonly place: ValuePlace
  readonly expression: string
  /** What the setting came to; absent where it isn't known. */
  readonly value?: JsonValue
}

export interface FollowedValue {
  /** The place that was asked for first, then what it comes from, nearest first. */
  readonly hops: readonly Hop[]
  readonly readers: readonly ValueReader[]
  /** Whether there was more than a person reads. */
  readonly isCut: boolean
}

export function followValue(following: Following, start: ValuePlace): FollowedValue {
  return { ...hopsBack(following, start), readers: readersOf(following, start) }
}

function hopsBack(following: Following, start: ValuePlace): Omit<FollowedValue, 'readers'> {
  const places: ValuePlace[] = [start]
  const indexes = new Map([[valuePlaceKey(start), 0]])
  const hops: Hop[] = []
  let isCut = false
  for (let place = places[0]; place !== undefined; place = places[hops.length]) {
    const back = checkedBack(following, place)
    const from: number[] = []
    for (const next of back.from) {
      const key = valuePlaceKey(next)
      const index = indexes.get(key) ?? places.length
      if (index === followedHopsMax) isCut = true
      else {
        if (index === places.length) places.push(next)
        indexes.set(key, index)
        from.push(index)
      }
    }
    const value = valueAtPlace(following, place)
    const { how, expression } = back
    hops.push({ place, ...(value === undefined ? {} : { value }), how, expression, from })
  }
  return { hops, isCut }
}

/** A copy holds the same: where the engine made a list of a list’s members, it is made from them. */
function checkedBack(following: Following, place: ValuePlace): StepBack {
  const back = stepBack(following, place)
  const [source] = back.from
  if (back.how !== 'copied' || source === undefined) return back
  const [here, there] = [valueAtPlace(following, place), valueAtPlace(following, source)]
  if (here === undefined || there === undefined || isSameValue(here, there)) return back
  const whole = valueAtPlace(following, { ...source, field: [] })
  return { ...back, how: 'made', from: [{ ...source, field: fieldWithin(whole, source.field) }] }
}

/** What stands at a place; undefined where nobody can say. A secret is never told. */
function valueAtPlace(following: Following, place: ValuePlace): JsonValue | undefined {
  const run = runIn(following, place.runId)
  if (run === undefined) return undefined
  if (place.of === 'vars') return valueInside(run.document.variables ?? {}, place.field)
  if (place.of === 'run.input') return valueInside(payloadValue(following, run, run.run.input), place.field)
  const { nodeId } = place
  if (nodeId === null) return undefined
  if (place.of === 'input') return arrivedValue(following, place)
  if (place.of === 'parameters' && holdsSecret(following, run, place)) return undefined
  const record = recordAt(run, nodeId, place.path)
  // While it waits, its record holds what it may hand on later: that is no output yet.
  if (place.of === 'output' && record?.status === 'WAITING') return undefined
  const payload = (place.of === 'output' ? record?.output : record?.input) ?? null
  return payload === null ? undefined : valueInside(payloadValue(following, run, payload), place.field)
}

/** What arrived isn't kept beside the step: it is what those before it gave. */
function arrivedValue(following: Following, place: ValuePlace): JsonValue | undefined {
  let at = place
  // Loops within loops stand within each other: so many levels at most.
  for (let depth = 0; depth < followedHopsMax; depth += 1) {
    const { how, from } = stepBack(following, at)
    const [source] = from
    if (how !== 'copied' || source === undefined) return undefined
    if (source.of !== 'input') return valueAtPlace(following, source)
    at = source
  }
  return undefined
}

function holdsSecret(following: Following, run: FollowedRun, { nodeId, field }: ValuePlace): boolean {
  if (nodeId === null) return false
  const node = run.graph.nodeById.get(nodeId)?.node
  const spec = node === undefined ? undefined : following.specs.get(node.kind)
  if (
    spec !== undefined &&
    fieldHintsAt(spec.parameters, field, node?.parameters ?? {}).secret === 'expected'
  )
    return true
  return parameterTexts(following, run, nodeId).some((text) => {
    const length = Math.min(text.path.length, field.length)
    const isNear = text.path.slice(0, length).every((step, at) => step === field[at])
    return isNear && (text.hints.secret === 'expected' || sourceOfText(run, text, []).kind === 'secret')
  })
}

/** The settings that read the place, or what is only a copy of it. */
function readersOf(following: Following, start: ValuePlace): readonly ValueReader[] {
  const run = runIn(following, start.runId)
  if (run === undefined) return []
  const readers: ValueReader[] = []
  for (const { nodeId, path, record } of run.steps.values()) {
    if (record === null || record.input === null) continue
    for (const text of parameterTexts(following, run, nodeId)) {
      const setting: ValuePlace = { runId: start.runId, of: 'parameters', nodeId, path, field: text.path }
      const source = sourceOfText(run, text, [])
      if (source.kind === 'literal' || source.kind === 'secret' || touches(setting, start)) continue
      const reads = source.kind === 'copied' ? [source.path] : source.reads.map((read) => read.path)
      const places = reads.flatMap((read) => placesRead({ run, place: setting }, read))
      if (!places.some((place) => isCopyOf(following, place, start))) continue
      const value = valueAtPlace(following, setting)
      readers.push({ place: setting, expression: text.text, ...(value === undefined ? {} : { value }) })
      if (readers.length === followedHopsMax) return readers
    }
  }
  return readers
}

function isCopyOf(following: Following, place: ValuePlace, start: ValuePlace): boolean {
  const seen = new Set<string>()
  for (let at = place; !seen.has(valuePlaceKey(at)); ) {
    if (touches(at, start)) return true
    seen.add(valuePlaceKey(at))
    const { how, from } = stepBack(following, at)
    const [source] = from
    if (how !== 'copied' || source === undefined) return false
    at = source
  }
  return false
}
