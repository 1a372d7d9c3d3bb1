/** Panels, theme and keys as they were left, kept in the page's memory. */

import { isJsonObject } from '../../src-engine/model/json.ts'
import type { KeyMap } from '../commands/key-map.ts'
import { keyMapOf, keyMapText } from '../commands/key-map.ts'
import type { Memory } from './services.ts'
import type { Panels, ThemeChoice, ViewStore } from './view-store.ts'
import { defaultPanels } from './view-store.ts'

const panelsKey = 'sagasmith.panels'
const themeKey = 'sagasmith.theme'
const keysKey = 'sagasmith.keys'

/** The remembered panels; what is missing or broken is left out. */
export function readPanels(memory: Memory): Partial<Panels> {
  const parsed = parse(memory.read(panelsKey))
  if (!isJsonObject(parsed)) return {}
  const known = Object.entries(defaultPanels).filter(([key, value]) => typeof parsed[key] === typeof value)
  // Each value has the type of its default; a tab that no longer exists falls back below.
  return Object.fromEntries(known.map(([key]) => [key, parsed[key]])) as Partial<Panels>
}

/** The remembered theme; the system's when there is none. */
export function readTheme(memory: Memory): ThemeChoice {
  const theme = memory.read(themeKey)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** The remembered keys; the usual ones when there are none. */
export function readKeyMap(memory: Memory): KeyMap {
  return keyMapOf(memory.read(keysKey))
}

/** Writes panels, theme and keys whenever they change. */
export function rememberView(view: ViewStore, memory: Memory): void {
  view.subscribe((state, before) => {
    if (state.panels !== before.panels) memory.write(panelsKey, JSON.stringify(state.panels))
    if (state.theme !== before.theme) memory.write(themeKey, state.theme)
    if (state.keyMap !== before.keyMap) memory.write(keysKey, keyMapText(state.keyMap))
  })
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    // Somebody else's text under our key: start from the defaults.
    return null
  }
}
