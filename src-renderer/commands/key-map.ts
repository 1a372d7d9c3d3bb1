/** Keys as a person wants them: chords of their own for commands, and whether single letters count. Pure. */

import { isJsonObject } from '../../src-engine/model/json.ts'
import type { KeyPress } from './keys.ts'

export interface KeyMap {
  /** Chords instead of a command's usual ones, by its id; an empty list is none. */
  readonly chords: Readonly<Record<string, readonly string[]>>
  /** Whether single characters are keys of commands. */
  readonly letters: boolean
}

/** What has keys. */
export interface Keyed {
  readonly id: string
  readonly keys: readonly string[]
}

/** The keys as they come. */
export const usualKeys: KeyMap = { chords: {}, letters: true }

/** What a person's own list of chords may hold for one command. */
const chordsMax = 4

/** The chords that a command has now; the first is shown. */
export function chordsOf(map: KeyMap, { id, keys }: Keyed): readonly string[] {
  const chords = map.chords[id] ?? keys
  return map.letters ? chords : chords.filter((chord) => !isSingle(chord))
}

/** The commands with the keys that they have now. */
export function boundCommands<T extends Keyed>(map: KeyMap, commands: readonly T[]): readonly T[] {
  return map === usualKeys ? commands : commands.map((one) => ({ ...one, keys: chordsOf(map, one) }))
}

/** A chord of one key that types something. */
const isSingle = (chord: string): boolean => Array.from(chord).length === 1

/** The commands that a chord belongs to already, but for one. */
export function rivalsOf<T extends Keyed>(
  map: KeyMap,
  commands: readonly T[],
  { chord, except }: { readonly chord: string; readonly except: string },
): readonly T[] {
  const wanted = chord.toLowerCase()
  return commands.filter(
    (one) => one.id !== except && chordsOf(map, one).some((known) => known.toLowerCase() === wanted),
  )
}

/** Gives a command one chord, before those it has; whoever had it loses it. */
export function rebind(
  map: KeyMap,
  commands: readonly Keyed[],
  { id, chord }: { readonly id: string; readonly chord: string },
): KeyMap {
  const wanted = chord.toLowerCase()
  const without = (list: readonly string[]) => list.filter((known) => known.toLowerCase() !== wanted)
  const chords: Record<string, readonly string[]> = { ...map.chords }
  for (const rival of rivalsOf(map, commands, { chord, except: id })) {
    chords[rival.id] = without(map.chords[rival.id] ?? rival.keys)
  }
  chords[id] = [chord]
  return { ...map, chords: withoutUsual(chords, commands) }
}

/** Takes all keys of a command away. */
export function unbind(map: KeyMap, id: string): KeyMap {
  return { ...map, chords: { ...map.chords, [id]: [] } }
}

/** Gives a command its usual keys back; those that others have meanwhile stay with them. */
export function bindAsUsual(map: KeyMap, commands: readonly Keyed[], id: string): KeyMap {
  const usual = commands.find((one) => one.id === id)?.keys ?? []
  const free = usual.filter((chord) => rivalsOf(map, commands, { chord, except: id }).length === 0)
  return { ...map, chords: withoutUsual({ ...map.chords, [id]: free }, commands) }
}

/** Whether a command has other keys than usual. */
export const isRebound = (map: KeyMap, id: string): boolean => map.chords[id] !== undefined

/** Keys that move the keyboard itself, or end things: nobody may take them. */
const reserved = ['Tab', 'Escape', 'Dead', 'Process', 'Unidentified', 'Shift', 'Control', 'Alt', 'Meta']
/** Alone, they walk, press and choose. */
const reservedAlone = ['Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

/** The chord of a press; null for one that can't be a command's. */
export function chordOfPress(press: KeyPress, isMac: boolean): string | null {
  const hasOther = isMac ? press.ctrlKey : press.metaKey
  if (hasOther || reserved.includes(press.key) || press.key === 'AltGraph') return null
  const isMod = isMac ? press.metaKey : press.ctrlKey
  const isAlone = !isMod && !press.altKey
  if (isAlone && reservedAlone.includes(press.key)) return null
  const key = keyName(press)
  const isSign = key.length === 1 && !/[A-Z0-9]/.test(key)
  const parts = [
    ...(isMod ? ['Mod'] : []),
    ...(press.altKey ? ['Alt'] : []),
    ...(press.shiftKey && !isSign ? ['Shift'] : []),
    key,
  ]
  return parts.join('+')
}

function keyName({ key, code, altKey }: KeyPress): string {
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (digit !== undefined) return digit
  // With Alt held down, a key may type another letter than the one written on it.
  const letter = altKey ? /^Key([A-Z])$/.exec(code)?.[1] : undefined
  if (letter !== undefined) return letter
  if (key === ' ') return 'Space'
  return key.length === 1 ? key.toUpperCase() : key
}

/** What is kept of a person's keys. */
export function keyMapText(map: KeyMap): string {
  return JSON.stringify(map)
}

/** The keys in a kept text; what isn't understood is as usual. */
export function keyMapOf(text: string | null): KeyMap {
  const parsed = parse(text)
  if (!isJsonObject(parsed)) return usualKeys
  const kept = parsed['chords']
  const entries = Object.entries(isJsonObject(kept) ? kept : {}).flatMap(([id, list]) =>
    Array.isArray(list) ? [[id, list.filter((one) => typeof one === 'string').slice(0, chordsMax)]] : [],
  )
  if (entries.length === 0 && parsed['letters'] !== false) return usualKeys
  return { chords: Object.fromEntries(entries), letters: parsed['letters'] !== false }
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    // Somebody else's text under our key.
    return null
  }
}

/** A list that says the same as the usual one says nothing. */
function withoutUsual(
  chords: Readonly<Record<string, readonly string[]>>,
  commands: readonly Keyed[],
): KeyMap['chords'] {
  const usual = new Map(commands.map(({ id, keys }) => [id, keys.join(' ')]))
  return Object.fromEntries(Object.entries(chords).filter(([id, list]) => usual.get(id) !== list.join(' ')))
}
