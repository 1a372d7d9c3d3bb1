// A small Electron app that uses what Sagasmith uses, and records what happens on `globalThis`,
// where a spec can look through `app.evaluate`.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  ipcMain,
  Menu,
  MessageChannelMain,
  protocol,
  session,
  shell,
  utilityProcess,
} from 'electron'

const here = import.meta.dirname
const log = (globalThis.contractLog = {
  steps: [],
  notes: [],
  opened: [],
  denied: [],
  second: [],
  engine: [],
})

log.hasLock = app.requestSingleInstanceLock({ from: 'contract' })
if (!log.hasLock) app.quit()
app.enableSandbox()
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
])
log.readyAtStart = app.isReady()

const types = { html: 'text/html', js: 'text/javascript' }

async function serve(request) {
  const { host, pathname } = new URL(request.url)
  if (host !== 'contract') return new Response('no such host', { status: 404 })
  if (pathname === '/echo')
    return new Response(await request.text(), { status: 201, headers: { 'x-kind': request.method } })
  const name = pathname.slice(1)
  if (!['index.html', 'page.js'].includes(name)) return new Response('not found', { status: 404 })
  const headers = {
    'content-type': types[name.split('.').at(-1)],
    'content-security-policy': "default-src 'self'",
  }
  return new Response(await readFile(join(here, name)), { headers })
}

function openWindow() {
  const window = new BrowserWindow({
    width: 700,
    height: 500,
    show: false,
    backgroundColor: '#123456',
    webPreferences: { preload: join(here, 'preload.cjs'), sandbox: true, contextIsolation: true },
  })
  window.once('ready-to-show', () => {
    log.steps.push('ready-to-show')
    window.show()
  })
  window.webContents.on('did-finish-load', () => log.steps.push('did-finish-load'))
  window.webContents.on('will-navigate', (event) => {
    if (event.url.startsWith('app://contract/')) return
    event.preventDefault()
    log.denied.push(event.url)
  })
  window.webContents.setWindowOpenHandler(({ url }) => {
    void shell.openExternal(url)
    return { action: 'deny' }
  })
  void window.loadURL('app://contract/index.html')
  return window
}
globalThis.openContractWindow = openWindow

function startEngine() {
  const engine = utilityProcess.fork(join(here, 'engine.mjs'), [], { serviceName: 'contract', stdio: 'pipe' })
  engine.on('spawn', () => log.engine.push('spawn'))
  engine.on('exit', (code) => log.engine.push(`exit ${code}`))
  engine.on('message', (message) => log.engine.push(message))
  engine.stderr.on('data', (chunk) => log.engine.push(String(chunk).trim()))
  globalThis.contractEngine = engine
}
globalThis.startContractEngine = startEngine

ipcMain.handle('echo', (_event, value) => value)
ipcMain.handle('fail', () => {
  throw new TypeError('the handler failed')
})
ipcMain.handle('sender', (event) => ({
  url: event.senderFrame.url,
  isTop: event.senderFrame.parent === null,
  windowId: BrowserWindow.fromWebContents(event.sender).id,
}))
ipcMain.on('note', (_event, text) => log.notes.push(text))
ipcMain.on('ask-port', (event, target) => {
  const { port1, port2 } = new MessageChannelMain()
  event.sender.postMessage('port', null, [port1])
  if (target === 'engine') globalThis.contractEngine.postMessage('port', [port2])
  else {
    globalThis.contractPort = port2
    port2.on('message', ({ data }) => port2.postMessage({ back: data }))
    port2.on('close', () => log.steps.push('port closed'))
    port2.start()
  }
})

Menu.setApplicationMenu(
  Menu.buildFromTemplate([
    {
      label: 'File',
      submenu: [
        {
          id: 'file.open',
          label: 'Open',
          accelerator: 'CmdOrCtrl+O',
          click: (item) => log.steps.push(`menu ${item.id}`),
        },
        {
          id: 'view.check',
          label: 'Check',
          type: 'checkbox',
          checked: false,
          click: (item) => log.steps.push(`check ${item.checked}`),
        },
        { id: 'off', label: 'Off', enabled: false },
      ],
    },
  ]),
)

app.on('second-instance', (_event, argv, _cwd, data) => log.second.push({ last: argv.at(-1), data }))
for (const name of ['before-quit', 'will-quit', 'quit'])
  app.on(name, () => process.stdout.write(`event ${name}\n`))
app.on('window-all-closed', () => {
  process.stdout.write('event window-all-closed\n')
  app.quit()
})

void app.whenReady().then(() => {
  if (!log.hasLock) return
  log.steps.push('ready')
  protocol.handle('app', serve)
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false))
  startEngine()
  openWindow()
})
