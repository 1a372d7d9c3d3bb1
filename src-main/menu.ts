/**
 * The native menu, built from a table of command ids. An item does nothing itself: it sends its id to the
 * designer, where the same command also sits behind a key and a button.
 */

import { basename, dirname } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { acceleratorOf } from '../src-engine/protocol/command-keys.ts'
import type { MenuCommandState, RecentFile } from '../src-engine/protocol/desktop-api.ts'

interface CommandItem {
  readonly id: string
  readonly label: string
  /** Electron's spelling; null where a menu may not take the designer's key. */
  readonly keys: string | null
}

const separator = 'separator'
type Entry = CommandItem | typeof separator

const item = (id: string, label: string): CommandItem => ({ id, label, keys: acceleratorOf(id) })

const fileEntries: readonly Entry[] = [
  item('file.new', 'New'),
  item('file.open', 'Open…'),
  separator,
  item('file.save', 'Save'),
  item('file.saveAs', 'Save As…'),
  item('file.history', 'History and Checkpoints…'),
  item('file.reveal', 'Show in Its Folder'),
  separator,
  item('tab.close', 'Close Tab'),
  item('tab.reopen', 'Reopen Closed Tab'),
  separator,
  item('file.export', 'Export as JSON…'),
  item('file.exportTs', 'Export as TypeScript…'),
  item('file.exportSvg', 'Export as Picture (SVG)…'),
  item('file.exportPng', 'Export as Picture (PNG)…'),
]

const editEntries: readonly Entry[] = [
  item('edit.undo', 'Undo'),
  item('edit.redo', 'Redo'),
  separator,
  item('edit.cut', 'Cut'),
  item('edit.copy', 'Copy'),
  item('edit.paste', 'Paste'),
  item('edit.delete', 'Delete'),
  item('edit.selectAll', 'Select All'),
  separator,
  item('edit.tidy', 'Tidy Layout'),
  item('edit.saveAsTask', 'Save Step as Task…'),
  item('edit.migrateTasks', 'Migrate Steps to Their Tasks…'),
]

const viewEntries: readonly Entry[] = [
  item('view.zoomIn', 'Zoom In'),
  item('view.zoomOut', 'Zoom Out'),
  item('view.zoomToFit', 'Zoom to Fit'),
  item('view.ghosts', 'What the Last Runs Did'),
  separator,
  item('view.runners', 'Runners'),
  item('view.pools', 'Pools'),
  item('view.deadLetters', 'Dead Letters'),
  item('view.settings', 'Settings of the Engine'),
  separator,
  item('tab.next', 'Next Tab'),
  item('tab.previous', 'Previous Tab'),
  separator,
  item('view.toggleTheme', 'Switch Between Light and Dark'),
]

const runEntries: readonly Entry[] = [
  item('run.start', 'Run'),
  item('run.startAt', 'Choose Where to Run…'),
  item('run.trust', 'What It May Touch…'),
  item('run.rehearse', 'Rehearse What Can Go Wrong'),
  item('run.rerun', 'Run Again…'),
  item('run.saveFile', 'Save This Run as a File'),
  item('run.compare', 'Compare with Another Run…'),
  item('run.aside', 'Show This Run in a Window of Its Own'),
  item('run.followValue', 'Follow a Value'),
  separator,
  item('run.pause', 'Pause Run'),
  item('run.resume', 'Resume Run'),
  item('run.cancel', 'Cancel Run'),
  separator,
  item('run.skip', 'Skip Step'),
  item('debug.step', 'Go On by One Step'),
  item('debug.runTo', 'Run to the Selected Step'),
  item('debug.runOnly', 'Run Only the Selected Step…'),
  item('debug.fork', 'Fork This Run…'),
  item('run.crash', 'Crash Its Worker…'),
  item('run.retry', 'Retry What Failed'),
  item('run.retryFrom', 'Retry from Step'),
  separator,
  item('run.push', 'Push to a Cluster…'),
]

/** Every command that the menu can send. */
export const menuCommandIds: readonly string[] = [fileEntries, editEntries, viewEntries, runEntries]
  .flat()
  .filter((entry): entry is CommandItem => entry !== separator)
  .map(({ id }) => id)

export interface MenuDeps {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly sendCommand: (id: string) => void
  readonly showAbout: () => void
  readonly newWindow: () => void
  readonly openRecent: (path: string) => void
  readonly clearRecent: () => void
}

/** What the File menu lists; the start page has the others. */
const recentShownMax = 10

function recentMenu(recent: readonly RecentFile[], deps: MenuDeps): MenuItemConstructorOptions {
  const shown = recent.slice(0, recentShownMax)
  const files = shown.map(({ path }, index): MenuItemConstructorOptions => {
    // An ampersand would be taken for a mark of the letter behind it.
    const label = `${basename(path)} — ${dirname(path)}`.replaceAll('&', '&&')
    return { id: `recent.${index}`, label, click: () => deps.openRecent(path) }
  })
  const clear: MenuItemConstructorOptions = {
    id: 'recent.clear',
    label: 'Clear List',
    click: deps.clearRecent,
  }
  return {
    id: 'recent',
    label: 'Open Recent',
    enabled: shown.length > 0,
    submenu: [...files, { type: 'separator' }, clear],
  }
}

function fileMenu(recent: readonly RecentFile[], deps: MenuDeps): MenuItemConstructorOptions[] {
  // The tab takes the key that a window without tabs has.
  const end: MenuItemConstructorOptions =
    deps.platform === 'darwin' ? { role: 'close', accelerator: 'Shift+Cmd+W' } : quitItem('Quit')
  const another = itemTemplate(item('window.new', 'New Window'), deps.newWindow)
  const [first, open, ...rest] = toTemplate(fileEntries, deps)
  const items = [first, another, open].filter((entry) => entry !== undefined)
  return [...items, recentMenu(recent, deps), ...rest, { type: 'separator' }, end]
}

function toTemplate(entries: readonly Entry[], deps: MenuDeps): MenuItemConstructorOptions[] {
  return entries.map((entry) => {
    if (entry === separator) return { type: 'separator' }
    return itemTemplate(entry, () => deps.sendCommand(entry.id))
  })
}

function itemTemplate({ id, label, keys }: CommandItem, click: () => void): MenuItemConstructorOptions {
  // The designer answers its keys itself, also in a browser; the menu only shows them. (macOS, which
  // cannot separate the two, asks the page first.)
  return { id, label, ...(keys === null ? {} : { accelerator: keys, registerAccelerator: false }), click }
}

const quitItem = (label: string): MenuItemConstructorOptions => ({ id: 'app.quit', label, role: 'quit' })

function appMenu({ showAbout }: MenuDeps): MenuItemConstructorOptions {
  return {
    label: 'Sagasmith',
    submenu: [
      { id: 'help.about', label: 'About Sagasmith', click: showAbout },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      quitItem('Quit Sagasmith'),
    ],
  }
}

/** The whole menu as Electron's template, with the files that were open lately, newest first. */
export function menuTemplate(deps: MenuDeps, recent: readonly RecentFile[]): MenuItemConstructorOptions[] {
  const isMac = deps.platform === 'darwin'
  const developer: MenuItemConstructorOptions[] = deps.isPackaged
    ? []
    : [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
  const help: MenuItemConstructorOptions[] = isMac
    ? []
    : [{ id: 'help.about', label: 'About Sagasmith', click: deps.showAbout }]
  return [
    ...(isMac ? [appMenu(deps)] : []),
    { label: 'File', submenu: fileMenu(recent, deps) },
    { label: 'Edit', submenu: toTemplate(editEntries, deps) },
    {
      label: 'View',
      submenu: [...toTemplate(viewEntries, deps), ...developer, { role: 'togglefullscreen' }],
    },
    { label: 'Run', submenu: toTemplate(runEntries, deps) },
    ...(isMac ? [{ role: 'windowMenu' } as const] : [{ label: 'Help', submenu: help }]),
  ]
}

/** The part of a menu that a state change touches. */
export interface MenuItems {
  getMenuItemById(id: string): { enabled: boolean } | null
}

/** Enables and disables commands as the designer says; ids that are no commands are ignored. */
export function applyMenuState(menu: MenuItems | null, states: readonly MenuCommandState[]): void {
  for (const { id, isEnabled } of states) {
    if (!menuCommandIds.includes(id)) continue
    const found = menu?.getMenuItemById(id) ?? null
    if (found !== null) found.enabled = isEnabled
  }
}
