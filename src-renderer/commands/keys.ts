/** Chords: matching key presses, and writing them for people. Pure. */

/** The part of a keyboard event that a chord is about. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

/** Whether a press is the chord. `Mod` is Ctrl, or Cmd where `isMac`; `Ctrl` is Ctrl everywhere. */
export function matches(chord: string, press: KeyPress, isMac: boolean): boolean {
  const parts = partsOf(chord)
  const key = parts.at(-1) ?? ''
  const modifiers = new Set(parts.slice(0, -1))
  const isCtrl = modifiers.has('Ctrl') || (modifiers.has('Mod') && !isMac)
  const isMeta = modifiers.has('Mod') && isMac
  if (isCtrl !== press.ctrlKey || isMeta !== press.metaKey) return false
  if (modifiers.has('Alt') !== press.altKey) return false
  // A sign such as `?` or `+` has its Shift in it already.
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key)
  if (!isSign && modifiers.has('Shift') !== press.shiftKey) return false
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.key === key
  if (key === 'Space') return press.key === ' '
  // With Alt held down, a key may type another letter than the one written on it.
  if (press.altKey && /^[a-z]$/i.test(key) && press.code === `Key${key.toUpperCase()}`) return true
  return press.key.toLowerCase() === key.toLowerCase()
}

const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥' }
const names: Readonly<Record<string, string>> = { Mod: 'Ctrl', Delete: 'Del' }

/** The chord as people read it: `Ctrl+Shift+Z`, on a Mac `⌘⇧Z`. */
export function chordWords(chord: string, isMac: boolean): string {
  const parts = partsOf(chord)
  return isMac
    ? parts.map((part) => macSigns[part] ?? part).join('')
    : parts.map((part) => names[part] ?? part).join('+')
}

/** A plus is a key as well as the sign between keys. */
function partsOf(chord: string): readonly string[] {
  if (chord === '+') return ['+']
  return chord.split('+')
}
