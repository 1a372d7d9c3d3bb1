// The `electron` module of the stand-in. Named exports only: a name the app imports and this file
// lacks fails when the app is linked, not somewhere in the middle of a test.
export { app } from './app.mjs'
export { WebContents as webContents } from './contents.mjs'
export {
  clipboard,
  crashReporter,
  dialog,
  globalShortcut,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
} from './desk.mjs'
export { ipcMain } from './ipc.mjs'
export { Menu, MenuItem } from './menu.mjs'
export { protocol } from './network.mjs'
export { MessageChannelMain, MessagePortMain } from './ports.mjs'
export { standIn as double } from './stand-in.mjs'
export { utilityProcess } from './utility.mjs'
export { BrowserWindow } from './window.mjs'
