/** One window of the designer: sandboxed, shown when it has something to show, back where it was. */

import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle, Screen } from 'electron'
import type { WindowBounds } from './ipc/settings.ts'

const defaultSize = { width: 1360, height: 860 }
/** Below this the canvas has no room beside its panels. */
const minimumSize = { minWidth: 860, minHeight: 560 }
/** The window's color before the first paint, as in the designer's themes. */
const backgrounds = { dark: '#0e1116', light: '#f6f7f9' } as const
/** At least this much of a remembered window must lie on a display, else it could not be grabbed. */
const visiblePixelsMin = 80

export interface WindowDeps {
  readonly create: (options: BrowserWindowConstructorOptions) => BrowserWindow
  readonly screen: Pick<Screen, 'getAllDisplays'>
  readonly preloadPath: string
  readonly startUrl: string
  readonly isDark: () => boolean
}

function overlaps(bounds: Rectangle, area: Rectangle): boolean {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
  const height = Math.min(bounds.y + bounds.height, area.y + area.height) - Math.max(bounds.y, area.y)
  return width >= visiblePixelsMin && height >= visiblePixelsMin
}

/** The remembered place, if a display still shows it; else the size alone. */
export function placeFor(
  remembered: WindowBounds | null,
  areas: readonly Rectangle[],
): BrowserWindowConstructorOptions {
  if (remembered === null) return defaultSize
  const { x, y, width, height } = remembered
  return areas.some((area) => overlaps(remembered, area)) ? { x, y, width, height } : { width, height }
}

/** Where a window is now, to come back there. */
export const boundsOf = (window: BrowserWindow): WindowBounds => ({
  ...window.getNormalBounds(),
  isMaximized: window.isMaximized(),
})

/** Opens a designer window; it shows itself once its first frame is painted. */
export function openWindow(
  { create, screen, preloadPath, startUrl, isDark }: WindowDeps,
  remembered: WindowBounds | null,
): BrowserWindow {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
  const window = create({
    ...placeFor(remembered, areas),
    ...minimumSize,
    title: 'Sagasmith',
    show: false,
    backgroundColor: isDark() ? backgrounds.dark : backgrounds.light,
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => {
    if (remembered?.isMaximized === true) window.maximize()
    window.show()
  })
  // The page's own title is set through the desktop api, never by the document.
  window.on('page-title-updated', (event) => event.preventDefault?.())
  void window.loadURL(startUrl).catch(() => undefined)
  return window
}
