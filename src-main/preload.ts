/**
 * The bridge of a page to the desktop: one frozen object with named functions. No channel name and no
 * event of Electron reaches the page.
 */

import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopApi, EnginePortMessage, EngineProcessState } from '../src-engine/protocol/desktop-api.ts'
import type { RequestName } from './ipc/channel-names.ts'
import { pushChannels, requestChannels } from './ipc/channel-names.ts'

const ask = (name: RequestName, ...args: readonly unknown[]): Promise<never> =>
  // The router answers with the value that the api promises for this name.
  ipcRenderer.invoke(requestChannels[name], ...args) as Promise<never>

function subscribe<T>(channel: string, listener: (value: T) => void): () => void {
  const heard = (_event: unknown, value: T): void => listener(value)
  ipcRenderer.on(channel, heard)
  return () => {
    ipcRenderer.removeListener(channel, heard)
  }
}

// Ports cannot cross the bridge as values; the page gets them as a message of its own window.
ipcRenderer.on(pushChannels.enginePort, (event, requestId: string) => {
  const message: EnginePortMessage = { kind: 'sagasmith.engine-port', requestId }
  window.postMessage(message, '*', event.ports)
})

const api: DesktopApi = {
  platform: process.platform,
  openEnginePort: (requestId) => ask('openEnginePort', requestId),
  engineState: () => ask('engineState'),
  onEngineState: (listener) => subscribe<EngineProcessState>(pushChannels.engineState, listener),
  restartEngine: () => ask('restartEngine'),
  openWorkflowDialog: () => ask('openWorkflowDialog'),
  saveWorkflowDialog: (suggestedName) => ask('saveWorkflowDialog', suggestedName),
  choosePathDialog: (wish) => ask('choosePathDialog', wish),
  handOverFile: (file) => ask('handOverFile', file),
  readWorkflowFile: (path) => ask('readWorkflowFile', path),
  lookAtWorkflowFile: (path, etag) => ask('lookAtWorkflowFile', path, etag),
  saveWorkflowFile: (request) => ask('saveWorkflowFile', request),
  recentFiles: () => ask('recentFiles'),
  forgetRecentFile: (path) => ask('forgetRecentFile', path),
  revealInFolder: (path) => ask('revealInFolder', path),
  takeOpenRequest: () => ask('takeOpenRequest'),
  onOpenRequest: (listener) => subscribe(pushChannels.openRequest, () => listener()),
  getSettings: () => ask('getSettings'),
  setSettings: (change) => ask('setSettings', change),
  notify: (notice) => ask('notify', notice),
  setBadge: (count) => ask('setBadge', count),
  newWindow: (link) => ask('newWindow', link),
  windowSession: () => ask('windowSession'),
  setWindowSession: (text) => ask('setWindowSession', text),
  claimDocuments: (keys) => ask('claimDocuments', keys),
  openExternal: (url) => ask('openExternal', url),
  setWindowTitle: (title) => ask('setWindowTitle', title),
  onMenuCommand: (listener) => subscribe<string>(pushChannels.menuCommand, listener),
  setMenuState: (states) => ask('setMenuState', states),
  editText: (edit) => ask('editText', edit),
  versions: () => ask('versions'),
}

contextBridge.exposeInMainWorld('sagasmithDesktop', api)
