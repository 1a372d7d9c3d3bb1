/**
 * The items of maps and the turns of loops: how each fares, and which of them a person looks at. A scope is
 * one execution of a container: `each`, or `each:3/while` for a loop inside of the fourth item. Pure.
 */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../src-engine/model/invocation-status.ts'
import { invocationMachine } from '../../src-engine/model/invocation-status.ts'
import type { ReplayState } from '../../src-engine/model/replay.ts'

/** By scope, the turn that is looked at; the newest one where there is none. */
export type TurnChoice = Readonly<Record<string, number>>

export interface TurnLevel {
  readonly scope: string
  readonly container: string
  readonly index: number
}

/**
 * One letter per turn: failed, active, waiting, done, skipped (or cancelled); a dot for one that has not
 * begun.
 */
export type Strip = string
export type TurnMark = 'f' | 'a' | 'w' | 'd' | 's' | '.'

/** The containers around a place, the outermost first: `each:3/while:0`. */
export function levelsOf(path: string): readonly TurnLevel[] {
  const levels: TurnLevel[] = []
  walkLevels(path, (scope, index) => {
    levels.push({ scope, container: scope.slice(scope.lastIndexOf('/') + 1), index })
  })
  return levels
}

/** Without an object per level: it is done for every step of a body with every event. */
function walkLevels(path: string, visit: (scope: string, index: number) => void): void {
  for (let start = 0; start < path.length; ) {
    const colon = path.indexOf(':', start)
    const slash = path.indexOf('/', colon)
    const end = slash === -1 ? path.length : slash
    visit(path.slice(0, colon), Number(path.slice(colon + 1, end)))
    start = end + 1
  }
}

/** The scope of a container that was reached by this path. */
export const scopeOf = (path: string, container: string): string =>
  path === '' ? container : `${path}/${container}`

const activeStatuses: ReadonlySet<InvocationStatus> = new Set([
  'PENDING',
  'RUNNING',
  'RESUMED',
  'PENDING_RECOVERY',
  'RUNNING_RECOVERY',
])

/** What one step makes of its turn. */
function markOf({ status, ports }: InvocationRecord): TurnMark {
  if (activeStatuses.has(status)) return 'a'
  if (!invocationMachine.final.has(status)) return 'w'
  if (status === 'SUCCESS') return 'd'
  if (status === 'CANCELLED' || status === 'CONCURRENCY_CONTROLLED_FINAL') return 's'
  // A failure that leaves by a way of its own is dealt with.
  return ports === null ? 'f' : 'd'
}

/** The more it needs a person, the further left. */
const weight = 'faw.ds'
const heavier = (left: TurnMark, right: TurnMark): TurnMark =>
  weight.indexOf(left) <= weight.indexOf(right) ? left : right

/** How every turn of every scope fares, over the steps that count. */
export function stripsOf(current: Iterable<InvocationRecord>): ReadonlyMap<string, Strip> {
  const marks = new Map<string, TurnMark[]>()
  const turnsOf = (scope: string, atLeast: number): TurnMark[] => {
    let turns = marks.get(scope)
    if (turns === undefined) {
      turns = []
      marks.set(scope, turns)
    }
    while (turns.length < atLeast) turns.push('.')
    return turns
  }
  for (const record of current) {
    if (record.path !== '') {
      const mark = markOf(record)
      walkLevels(record.path, (scope, index) => {
        const turns = turnsOf(scope, index + 1)
        const before = turns[index]
        if (before !== mark) turns[index] = before === '.' ? mark : heavier(before ?? mark, mark)
      })
    }
    // A map knows its items before their steps begin.
    for (const { at, count } of record.dispatch?.taken ?? []) {
      turnsOf(scopeOf(record.path, record.nodeId), at + count).fill('d', at, at + count)
    }
    if (record.wait?.kind === 'items') turnsOf(scopeOf(record.path, record.nodeId), record.wait.count)
  }
  return new Map([...marks].map(([scope, turns]) => [scope, turns.join('')]))
}

/** One mark per turn. */
export const marksOf = (strip: Strip): readonly TurnMark[] => Array.from(strip) as TurnMark[]

/** The strip in at most so many letters: each stands for its heaviest turn. */
export function shortStrip(strip: Strip, max: number): Strip {
  if (strip.length <= max) return strip
  let short = ''
  for (let bin = 0; bin < max; bin += 1) {
    const from = Math.floor((bin * strip.length) / max)
    const to = Math.floor(((bin + 1) * strip.length) / max)
    short += marksOf(strip.slice(from, to)).reduce(heavier)
  }
  return short
}

/** The turn that began last; 0 when none has. */
export const lastBegun = (strip: Strip): number => Math.max(0, strip.replace(/\.+$/, '').length - 1)

export interface MarkCount {
  readonly mark: TurnMark
  readonly count: number
}

/** How many turns are in each state, what needs a person first; states that none is in are left out. */
export function countsOf(strip: Strip): readonly MarkCount[] {
  const counts = new Map<string, number>()
  for (const mark of strip) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  const marks = Array.from(weight) as TurnMark[]
  return marks.flatMap((mark) => {
    const count = counts.get(mark) ?? 0
    return count === 0 ? [] : [{ mark, count }]
  })
}

/** The next turn in that state after this one, from the start again behind the last; null when none is. */
export function nextMarked(strip: Strip, mark: TurnMark, after: number): number | null {
  const found = strip.indexOf(mark, after + 1)
  const first = found === -1 ? strip.indexOf(mark) : found
  return first === -1 ? null : first
}

/** The step at that place, or inside of it, that says how it fares; null where none has begun. */
export function heaviestStep(records: Iterable<InvocationRecord>, path: string): string | null {
  let heaviest: { readonly mark: TurnMark; readonly nodeId: string } | null = null
  for (const record of records) {
    if (record.role !== 'forward') continue
    if (record.path !== path && !record.path.startsWith(`${path}/`)) continue
    const mark = markOf(record)
    if (heaviest === null || (mark !== heaviest.mark && heavier(mark, heaviest.mark) === mark))
      heaviest = { mark, nodeId: record.nodeId }
  }
  return heaviest?.nodeId ?? null
}

/** The next turn that failed after this one, from the start again behind the last; null when none has. */
export function nextFailed(strip: Strip, after: number): number | null {
  return nextMarked(strip, 'f', after)
}

/** The place that is looked at instead of this one: the newest where nothing was chosen. */
export function chosenPath(path: string, choice: TurnChoice, strips: ReadonlyMap<string, Strip>): string {
  let chosen = ''
  let isSame = true
  for (const { container, index } of levelsOf(path)) {
    const scope = scopeOf(chosen, container)
    const newest: number = isSame ? index : lastBegun(strips.get(scope) ?? '')
    const turn: number = choice[scope] ?? newest
    isSame &&= turn === index
    chosen = `${scope}:${turn}`
  }
  return chosen
}

/** The newest generation of every node's records at every place. */
export function recordsByPlace(replay: ReplayState): ReadonlyMap<string, InvocationRecord> {
  const records = new Map<string, InvocationRecord>()
  for (const record of replay.invocations.values()) {
    if (record.role !== 'forward') continue
    const place = placeOf(record.nodeId, record.path)
    const known = records.get(place)
    if (known === undefined || record.generation >= known.generation) records.set(place, record)
  }
  return records
}

/** The key of a node at a path. */
export const placeOf = (nodeId: string, path: string): string => `${nodeId} ${path}`
