/** A value as the rows of a tree: what is open, what a search leaves, what is cut. Pure. */

import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { isJsonObject } from '../../../../src-engine/model/json.ts'
import type { ValuePath } from '../../../forms/expression-path.ts'
import { plainText } from '../../../forms/schema-fields.ts'

/** How many entries of a branch are shown before somebody asks for more. */
export const pageSize = 50
/** Characters of a text that are shown. */
const textMax = 160
/** Entries that a search looks at: more would hold up typing. */
const searchedMax = 20_000
/** Branches this deep are open from the start, while they are small. */
const openDepth = 2
const openEntriesMax = 12

export interface TreeRow {
  /** Of all rows of one tree, its own. */
  readonly id: string
  readonly path: ValuePath
  readonly depth: number
  /** The last step of the path; null for the value as a whole. */
  readonly name: string | number | null
  readonly value: JsonValue
  readonly isOpen: boolean
  /** What stands in it; null for what isn't a branch. */
  readonly count: number | null
  /** Entries of this branch that aren't shown after this row; 0 for all others. */
  readonly more: number
}

export interface TreeLook {
  /** Opened or closed by hand, by id; absent for as it is from the start. */
  readonly open: ReadonlyMap<string, boolean>
  /** Entries shown of branches of which more than a page was asked for. */
  readonly shown: ReadonlyMap<string, number>
  readonly query: string
}

export const firstLook: TreeLook = { open: new Map(), shown: new Map(), query: '' }

/** The rows to draw, in their order. */
export function rowsOf(value: JsonValue, look: TreeLook): readonly TreeRow[] {
  const query = look.query.trim().toLowerCase()
  const found = query === '' ? null : matching(value, query)
  const rows: TreeRow[] = []
  walk({ value, path: [], name: null }, { look, found, rows })
  return rows
}

interface Place {
  readonly value: JsonValue
  readonly path: ValuePath
  readonly name: string | number | null
}

interface Walk {
  readonly look: TreeLook
  /** Ids of what a search leaves; null while nothing is searched for. */
  readonly found: ReadonlySet<string> | null
  readonly rows: TreeRow[]
}

function walk({ value, path, name }: Place, at: Walk): void {
  const { look, found, rows } = at
  const id = rowId(path)
  const all = entriesOf(value)
  const depth = path.length
  if (all === null) {
    rows.push({ id, path, depth, name, value, isOpen: false, count: null, more: 0 })
    return
  }
  const usual = depth < openDepth && all.length <= openEntriesMax
  const isOpen = all.length > 0 && (found !== null || (look.open.get(id) ?? (depth === 0 || usual)))
  const row = rows.push({ id, path, depth, name, value, isOpen, count: all.length, more: 0 }) - 1
  if (!isOpen) return
  const left = found === null ? all : all.filter(([key]) => found.has(rowId([...path, key])))
  const shown = left.slice(0, look.shown.get(id) ?? pageSize)
  for (const [key, item] of shown) walk({ value: item, path: [...path, key], name: key }, at)
  const more = left.length - shown.length
  const last = rows.at(-1)
  // Told by a row of its own after the last entry.
  if (more > 0 && last !== undefined && row >= 0)
    rows.push({
      id: `${id}…`,
      path,
      depth: depth + 1,
      name: null,
      value: null,
      isOpen: false,
      count: null,
      more,
    })
}

/** Ids of everything that fits, of what it stands in, and of what stands in it. */
function matching(value: JsonValue, query: string): ReadonlySet<string> {
  const found = new Set<string>()
  let looked = 0
  const look = (item: JsonValue, path: ValuePath, isWithin: boolean): boolean => {
    looked += 1
    if (looked > searchedMax) return false
    const name = path.at(-1)
    const isNamed = typeof name === 'string' && name.toLowerCase().includes(query)
    const entries = entriesOf(item)
    const fits = isNamed || (entries === null && plainText(item).toLowerCase().includes(query))
    let holds = fits || isWithin
    for (const [key, inner] of entries ?? []) {
      if (look(inner, [...path, key], isWithin || isNamed)) holds = true
    }
    if (holds) found.add(rowId(path))
    return holds
  }
  look(value, [], false)
  return found
}

/** Unlike paths have unlike ids. */
const rowId = (path: ValuePath): string => JSON.stringify(path)

export function entriesOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] | null {
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => [index, item] as const)
  return isJsonObject(value) ? Object.entries(value) : null
}

/** A leaf in one line. */
export function leafText(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (value === '') return '""'
  const line = value.slice(0, textMax).replaceAll(/\s*\n\s*/g, ' ⏎ ')
  return value.length > textMax ? `${line}… (${value.length} characters)` : line
}

/** Entries from which on a value is searched rather than read. */
const largeEntries = 15

/** Whether a value has more entries than are taken in at a glance, two levels deep. */
export function isLarge(value: JsonValue): boolean {
  const entries = entriesOf(value) ?? []
  let count = entries.length
  for (const [, item] of entries) {
    if (count > largeEntries) return true
    count += entriesOf(item)?.length ?? 0
  }
  return count > largeEntries
}

/** What a closed branch begins with, in a line: enough to tell one entry of a list from the next. */
export function peekText(value: JsonValue): string {
  const parts: string[] = []
  let length = 0
  for (const [name, item] of firstEntries(value)) {
    const part = name === null ? shortText(item) : `${name}: ${shortText(item)}`
    parts.push(part)
    length += part.length
    if (length > peekMax) break
  }
  return parts.join(', ').replaceAll(/\s+/g, ' ')
}

/** Characters of a line that can be seen in a wide window. */
const peekMax = 90
const peekEntriesMax = 8
const peekTextMax = 32
const shortNamesMax = 4

/** Large values aren't gone through for a line. */
function* firstEntries(value: JsonValue): Generator<readonly [name: string | null, item: JsonValue]> {
  if (Array.isArray(value)) {
    // Of objects the first tells what all of them are like.
    const count = isJsonObject(value[0]) ? 1 : peekEntriesMax
    for (const item of value.slice(0, count) as readonly JsonValue[]) yield [null, item]
  } else if (isJsonObject(value))
    for (const name of firstNames(value, peekEntriesMax)) yield [name, value[name] ?? null]
}

function firstNames(value: JsonObject, count: number): readonly string[] {
  const names: string[] = []
  for (const name in value) {
    if (names.length === count) break
    names.push(name)
  }
  return names
}

function shortText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.length}]`
  if (isJsonObject(value)) {
    const names = firstNames(value, shortNamesMax + 1)
    const more = names.length > shortNamesMax ? ', …' : ''
    return `{${names.slice(0, shortNamesMax).join(', ')}${more}}`
  }
  const text = typeof value === 'string' ? value.slice(0, peekTextMax + 1) : JSON.stringify(value)
  return text.length > peekTextMax ? `${text.slice(0, peekTextMax)}…` : text
}
