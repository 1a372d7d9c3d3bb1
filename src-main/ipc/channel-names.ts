/** The names of everything that crosses between the pages and the main process; nothing else does. */

/** Requests of a page, each answered once. */
export const requestChannels = {
  openEnginePort: 'engine:open-port',
  engineState: 'engine:state',
  restartEngine: 'engine:restart',
  openWorkflowDialog: 'files:open-dialog',
  saveWorkflowDialog: 'files:save-dialog',
  choosePathDialog: 'files:choose-path',
  handOverFile: 'files:hand-over',
  readWorkflowFile: 'files:read',
  lookAtWorkflowFile: 'files:look',
  saveWorkflowFile: 'files:save',
  recentFiles: 'files:recent',
  forgetRecentFile: 'files:forget-recent',
  revealInFolder: 'files:reveal',
  takeOpenRequest: 'files:take-open-request',
  getSettings: 'settings:get',
  setSettings: 'settings:set',
  notify: 'desk:notify',
  setBadge: 'desk:set-badge',
  newWindow: 'window:new',
  windowSession: 'window:session',
  setWindowSession: 'window:set-session',
  claimDocuments: 'window:claim-documents',
  openExternal: 'desk:open-external',
  setWindowTitle: 'desk:set-title',
  setMenuState: 'menu:set-state',
  editText: 'menu:edit-text',
  versions: 'desk:versions',
} as const

/** What the main process pushes to pages. */
export const pushChannels = {
  enginePort: 'engine:port',
  engineState: 'engine:state-changed',
  menuCommand: 'menu:command',
  openRequest: 'files:open-request',
} as const

export type RequestName = keyof typeof requestChannels
