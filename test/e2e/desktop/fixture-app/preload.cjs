// The preload of the contract app: one function per behaviour that the specs look at.
const { contextBridge, ipcRenderer } = require('electron')

let canReachDisk = true
try {
  require('node:fs')
} catch {
  canReachDisk = false
}

ipcRenderer.on('port', (event) => window.postMessage('port', '*', event.ports))

contextBridge.exposeInMainWorld('contract', {
  platform: process.platform,
  canReachDisk,
  nested: { list: [1, { deep: true }] },
  echo: (value) => ipcRenderer.invoke('echo', value),
  fail: () => ipcRenderer.invoke('fail'),
  missing: () => ipcRenderer.invoke('missing'),
  sender: () => ipcRenderer.invoke('sender'),
  note: (text) => ipcRenderer.send('note', text),
  askPort: (target) => ipcRenderer.send('ask-port', target),
  twice: (callback) => callback(2) * 2,
  later: async (value) => value,
  refuse: async () => {
    throw new Error('refused in preload')
  },
  onMessage: (listener) => {
    ipcRenderer.on('message', (_event, ...args) => listener(...args))
  },
})
