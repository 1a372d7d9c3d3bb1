// Menu and MenuItem: plain objects whose `click` behaves as a person's click would.
import { app } from './app.mjs'
import { standIn } from './stand-in.mjs'

const roleLabels = {
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  delete: 'Delete',
  selectAll: 'Select All',
  quit: 'Quit',
  close: 'Close Window',
  minimize: 'Minimize',
  reload: 'Reload',
  forceReload: 'Force Reload',
  toggleDevTools: 'Toggle Developer Tools',
  togglefullscreen: 'Toggle Full Screen',
  about: 'About',
  zoom: 'Zoom',
  resetZoom: 'Actual Size',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  hide: 'Hide',
  hideOthers: 'Hide Others',
  unhide: 'Show All',
  services: 'Services',
  front: 'Bring All to Front',
  window: 'Window',
  help: 'Help',
  appMenu: 'App',
  fileMenu: 'File',
  editMenu: 'Edit',
  viewMenu: 'View',
  windowMenu: 'Window',
}
const contentRoles = new Set([
  'undo',
  'redo',
  'cut',
  'copy',
  'paste',
  'delete',
  'selectAll',
  'reload',
  'toggleDevTools',
])
let nextCommand = 1

/** Runs a role; false when the item has no role to run. */
function executeRole(role, window) {
  if (role === undefined) return false
  if (role === 'quit') app.quit()
  else if (role === 'about') app.showAboutPanel()
  else if (role === 'close') window?.close()
  else if (role === 'minimize') window?.minimize()
  else if (role === 'togglefullscreen') window?.setFullScreen(!window.isFullScreen())
  else if (contentRoles.has(role)) window?.webContents[role]()
  else standIn.record('menuRole', { role })
  return true
}

export class MenuItem {
  commandId = nextCommand++
  constructor(options) {
    const type = options.type ?? (options.submenu === undefined ? 'normal' : 'submenu')
    Object.assign(this, { enabled: true, visible: true, checked: false, ...options, type })
    this.label = options.label ?? roleLabels[options.role] ?? ''
    this.submenu = Array.isArray(options.submenu) ? Menu.buildFromTemplate(options.submenu) : options.submenu
    const { click } = options
    this.click = (event = {}, window = focusedWindow()) => {
      if (type === 'checkbox' || type === 'radio') this.checked = !this.checked
      if (!executeRole(options.role, window)) click?.(this, window, event)
    }
  }
}

const focusedWindow = () => [...app.windows].find((window) => window.isFocused()) ?? undefined

export class Menu {
  items = []
  static #application = null

  append(item) {
    this.items.push(item)
  }

  insert(position, item) {
    this.items.splice(position, 0, item)
  }

  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }

  popup = (options = {}) =>
    standIn.record('menuPopup', { labels: this.items.map(({ label }) => label), x: options.x })
  closePopup = () => undefined

  static buildFromTemplate(template) {
    const menu = new Menu()
    for (const entry of template) menu.append(entry instanceof MenuItem ? entry : new MenuItem(entry))
    return menu
  }

  static setApplicationMenu = (menu) => void (Menu.#application = menu)
  static getApplicationMenu = () => Menu.#application
}
