/**
 * A value as one text that can be searched: each text or number of it on a line of its own, after its name. So
 * nothing hides behind escapes, and whatever is found belongs to one place of the value.
 */

import type { JsonValue } from '../../model/json.ts'
import { nestingMax } from '../../model/limits.ts'

/** A text or number of the value, and where it stands in the flat text. */
export interface Leaf {
  /** `$.user.mail`, `$.rows[3]` */
  readonly place: string
  /** Where its line begins: with its name. */
  readonly from: number
  /** Where what it says begins, and ends. */
  readonly start: number
  readonly end: number
}

export interface FlatText {
  readonly text: string
  readonly leaves: readonly Leaf[]
  /** Whether the value goes on beyond what was taken. */
  readonly truncated: boolean
}

/** At most this many characters of a value are looked at. */
const scannedCharsMax = 2 * 1_024 * 1_024

interface Open {
  readonly value: JsonValue
  readonly name: string
  readonly place: string
  readonly depth: number
}

/** The flat text of a value, up to `charsMax` characters of it. */
export function flatText(value: JsonValue, charsMax: number = scannedCharsMax): FlatText {
  const leaves: Leaf[] = []
  const parts: string[] = []
  let length = 0
  let truncated = false
  // A stack, so that depth costs nothing; members are pushed backwards and come in their order.
  const open: Open[] = [{ value, name: '', place: '$', depth: 0 }]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (length >= charsMax) {
      truncated = true
      break
    }
    const { value: at, name, place, depth } = item
    if (typeof at === 'object' && at !== null) {
      if (depth > nestingMax) truncated = true
      else pushMembers(open, item)
      continue
    }
    const said = String(at)
    const kept = said.slice(0, Math.max(0, charsMax - length))
    truncated ||= kept.length < said.length
    const line = name === '' ? `${kept}\n` : `${name}=${kept}\n`
    const start = length + line.length - 1 - kept.length
    leaves.push({ place, from: length, start, end: start + kept.length })
    parts.push(line)
    length += line.length
  }
  return { text: parts.join(''), leaves, truncated }
}

function pushMembers(open: Open[], { value, name, place, depth }: Open): void {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index -= 1) {
      const item = (value as readonly JsonValue[])[index] ?? null
      open.push({ value: item, name, place: `${place}[${index}]`, depth: depth + 1 })
    }
    return
  }
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>)
  for (let index = members.length - 1; index >= 0; index -= 1) {
    const member = members[index]
    if (member === undefined) continue
    open.push({ value: member[1], name: member[0], place: `${place}${stepTo(member[0])}`, depth: depth + 1 })
  }
}

/** How the place of a member continues that of its object. */
export const stepTo = (key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`

/** The leaf that a character of the flat text belongs to; null when there is none. */
export function leafAt(leaves: readonly Leaf[], offset: number): Leaf | null {
  let low = 0
  let high = leaves.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const leaf = leaves[middle]
    if (leaf === undefined) return null
    if (offset < leaf.from) high = middle - 1
    else if (offset > leaf.end) low = middle + 1
    else return leaf
  }
  return null
}
