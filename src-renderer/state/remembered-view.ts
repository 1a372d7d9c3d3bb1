/** Panels, theme and keys as they were left, kept in the page's memory. */

import { isJsonObject } from '../../src-engine/model/json.ts'
import type { Navigation } from '../canvas/navigation.ts'
import { navigationOf } from '../canvas/navigation.ts'
import type { KeyMap } from '../commands/key-map.ts'
import { keyMapOf, keyMapText } from '../commands/key-map.ts'
import type { Panels } from './panels.ts'
import { defaultPanels } from './panels.ts'
import type { Memory } from './services.ts'
import type { ThemeChoice, ViewStore } from './view-store.ts'

const panelsKey = 'sagasmith.panels'
const themeKey = 'sagasmith.theme'
const keysKey = 'sagasmith.keys'
const navigationKey = 'sagasmith.navigation'

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

/** How mouse and trackpad move the canvas; the usual way when nothing was chosen. */
export function readNavigation(memory: Memory): Navigation {
  return navigationOf(memory.read(navigationKey))
}

/** Writes panels, theme and keys whenever they change. */
export function rememberView(view: ViewStore, memory: Memory): void {
  view.subscribe((state, before) => {
    const isOwn = !state.isAside
    if (isOwn && state.panels !== before.panels) memory.write(panelsKey, JSON.stringify(state.panels))
    if (state.theme !== before.theme) memory.write(themeKey, state.theme)
    if (state.navigation !== before.navigation) memory.write(navigationKey, state.navigation)
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
