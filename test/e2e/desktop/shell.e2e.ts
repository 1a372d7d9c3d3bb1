/**
 * The desktop shell around the designer: the built main and preload bundles with the real engine in its
 * own process, asked through the bridge that the designer uses.
 */

import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { DesktopApi } from '../../../src-engine/protocol/desktop-api.ts'
import type { EngineFrame } from '../../../src-engine/protocol/frames.ts'
import { executableOf, exitCodeOf, launch, makeFolder, projectRoot } from './launch.ts'

interface DesktopWindow {
  readonly sagasmithDesktop: DesktopApi
  /** What the spec's own listeners heard. */
  heard?: unknown[]
}

let app: ElectronApplication
let page: Page
let folder: { readonly path: string; readonly remove: () => Promise<void> }

test.beforeAll(async () => {
  folder = await makeFolder()
  app = await launch({ appFolder: projectRoot, userData: folder.path })
  page = await app.firstWindow()
  await page.waitForFunction(() => 'sagasmithDesktop' in window)
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

/** Asks the bridge from inside the page. */
function ask<T>(run: (desktop: DesktopApi) => Promise<T>): Promise<T> {
  return page.evaluate(`(${run.toString()})(window.sagasmithDesktop)`)
}

/** Opens a port, says hello, calls a method and gives the frames up to its reply. */
async function callEngine(method: string, input: JsonObject): Promise<readonly EngineFrame[]> {
  const text = JSON.stringify({ type: 'call', id: 1, method, input })
  return page.evaluate(async (callText) => {
    const { sagasmithDesktop } = window as unknown as DesktopWindow
    const requestId = crypto.randomUUID()
    const port = new Promise<MessagePort>((resolve) => {
      window.addEventListener('message', ({ data, ports }) => {
        if (data.requestId === requestId && ports[0] !== undefined) resolve(ports[0])
      })
    })
    const answer = await sagasmithDesktop.openEnginePort(requestId)
    if (!answer.ok) throw new Error(answer.error.message)
    const opened = await port
    const frames: EngineFrame[] = []
    const replied = new Promise<readonly EngineFrame[]>((resolve) => {
      opened.onmessage = ({ data }) => {
        const frame: EngineFrame = JSON.parse(data)
        frames.push(frame)
        if (frame.type === 'reply') resolve(frames)
      }
    })
    opened.postMessage(JSON.stringify({ type: 'hello', protocol: 1, token: null }))
    opened.postMessage(callText)
    const result = await replied
    opened.close()
    return result
  }, text)
}

/** The value of a call; fails with the engine's own message. */
async function engineValue(method: string, input: JsonObject): Promise<JsonObject> {
  const reply = (await callEngine(method, input)).at(-1)
  if (reply?.type !== 'reply') throw new Error('the engine did not reply')
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.value as JsonObject
}

const engineStatus = async (): Promise<string> => {
  const state = await ask((desktop) => desktop.engineState())
  return state.ok ? state.value.status : state.error.code
}

test('the designer is served under the app’s address with its policy', async () => {
  const url = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  )
  expect(url).toBe('app://sagasmith/index.html')
  const blocked = await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.inlineRan = true'
    document.head.append(script)
    return 'inlineRan' in window
  })
  expect(blocked).toBe(false)
})

test('the page has the bridge and nothing of Node or Electron', async () => {
  const found = await page.evaluate(() => {
    const { sagasmithDesktop } = window as unknown as DesktopWindow
    return [
      Object.isFrozen(sagasmithDesktop),
      'require' in window,
      'process' in window,
      'ipcRenderer' in window,
    ]
  })
  expect(found).toEqual([true, false, false, false])
})

test('the engine runs in its own process and answers over a port of the page', async () => {
  await expect.poll(engineStatus).toBe('running')
  const [welcome, reply] = await callEngine('engine.info', {})
  expect(welcome).toMatchObject({ type: 'welcome', protocol: 1 })
  expect(reply).toMatchObject({ ok: true, value: { dataDirectory: join(folder.path, 'engine') } })
})

test('a JavaScript step runs in a sandbox process that the main process started', async () => {
  const document = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'desktop-sandbox',
    title: 'Sandbox',
    nodes: { code: { kind: 'javascript', parameters: { code: 'return 6 * 7' } } },
    edges: {},
  }
  const start = { document, input: null, baseDirectory: null, requestId: null }
  const { runId } = await engineValue('runs.start', start)
  const run = async (): Promise<unknown> => (await engineValue('runs.get', { runId: runId ?? null }))['run']
  await expect.poll(run).toMatchObject({ status: 'SUCCEEDED' })
  expect(JSON.stringify(await run())).toContain('42')
})

test('a workflow that nobody trusted is refused on the window’s own line', async () => {
  const document = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'desktop-foreign',
    title: 'Foreign',
    nodes: { list: { kind: 'list-files', parameters: { folder: '.' } } },
    edges: {},
  }
  const start = { document, input: null, baseDirectory: null, requestId: null }
  await expect(engineValue('runs.start', start)).rejects.toThrow('“Foreign” is restricted')
  await engineValue('documents.trust', { document, reason: 'looked' })
  expect(await engineValue('runs.start', start)).toMatchObject({ hash: expect.any(String) })
  await engineValue('documents.revoke', { workflowId: 'desktop-foreign' })
})

test('a native menu command reaches the page by its id', async () => {
  await page.evaluate(() => {
    const own = window as unknown as DesktopWindow
    own.heard = []
    own.sagasmithDesktop.onMenuCommand((id) => own.heard?.push(id))
  })
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('edit.tidy')?.click())
  await expect
    .poll(() => page.evaluate(() => (window as unknown as DesktopWindow).heard))
    .toEqual(['edit.tidy'])
})

test('the page decides which commands the menu offers', async () => {
  await ask((desktop) => desktop.setMenuState([{ id: 'run.cancel', isEnabled: false }]))
  const enabled = await app.evaluate(
    ({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('run.cancel')?.enabled,
  )
  expect(enabled).toBe(false)
})

test('a file is reached only after a person chose it, and never overwritten unseen', async () => {
  const path = join(folder.path, 'chosen.json')
  await writeFile(path, '{"kept":1}')
  const refused = await page.evaluate(
    (file) => (window as unknown as DesktopWindow).sagasmithDesktop.readWorkflowFile(file),
    path,
  )
  expect(refused).toMatchObject({ ok: false, error: { code: 'file_not_accessible' } })

  await app.evaluate(({ dialog }, file) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [file] })
  }, path)
  const opened = await ask((desktop) => desktop.openWorkflowDialog())
  expect(opened).toMatchObject({ ok: true, value: { path, text: '{"kept":1}' } })

  await writeFile(path, '{"kept":"by another program"}')
  const etag = opened.ok ? (opened.value?.etag ?? null) : null
  const saved = await page.evaluate(
    (request) => (window as unknown as DesktopWindow).sagasmithDesktop.saveWorkflowFile(request),
    { path, text: '{}', etag },
  )
  expect(saved).toMatchObject({ ok: false, error: { code: 'document_changed_on_disk' } })
  expect(await readFile(path, 'utf8')).toBe('{"kept":"by another program"}')
})

test('a file or folder for a step is chosen by its path, and nothing of it is read', async () => {
  const chosen = join(folder.path, 'orders.csv')
  await app.evaluate(({ dialog }, path) => {
    // Its options are the last argument, with a window before them or without.
    dialog.showOpenDialog = (...args: readonly unknown[]) => {
      Object.assign(globalThis, { askedForPath: args.at(-1) })
      return Promise.resolve({ canceled: false, filePaths: [path] })
    }
  }, chosen)
  const choose = (kind: 'file' | 'folder') =>
    page.evaluate((wish) => (window as unknown as DesktopWindow).sagasmithDesktop.choosePathDialog(wish), {
      kind,
      from: join(folder.path, 'workflow.json'),
    })
  expect(await choose('file')).toEqual({ ok: true, value: chosen })
  await choose('folder')
  expect(await app.evaluate(() => Reflect.get(globalThis, 'askedForPath'))).toMatchObject({
    defaultPath: folder.path,
    properties: ['openDirectory', 'createDirectory'],
  })
})

test('only https leaves the app', async () => {
  await app.evaluate(({ shell }) => {
    shell.openExternal = (url) => {
      Object.assign(globalThis, { openedByApp: url })
      return Promise.resolve()
    }
  })
  expect(await ask((desktop) => desktop.openExternal('file:///etc/passwd'))).toMatchObject({ ok: false })
  expect(await ask((desktop) => desktop.openExternal('https://example.com/docs'))).toMatchObject({ ok: true })
  expect(await app.evaluate(() => Reflect.get(globalThis, 'openedByApp'))).toBe('https://example.com/docs')
})

test('a theme chosen in the designer is the app’s theme', async () => {
  const set = await ask((desktop) => desktop.setSettings({ theme: 'dark' }))
  expect(set).toMatchObject({ ok: true, value: { theme: 'dark' } })
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')
})

test('a second start hands its file to the first and ends', async () => {
  const path = join(folder.path, 'from-second.json')
  const document = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'outside', title: 'From outside' }
  await writeFile(path, JSON.stringify({ ...document, nodes: {}, edges: {} }))
  const args = ['--no-sandbox', projectRoot, `--user-data-dir=${folder.path}`, path]
  const second = spawn(await executableOf(app), args, { stdio: 'ignore' })
  const code = await new Promise((settle) => second.once('exit', settle))
  expect(code).toBe(0)
  await expect(page.getByTestId('document-title')).toHaveValue('From outside')
})

test('an engine that is killed is told, restarted, and answers again', async () => {
  await page.evaluate(() => {
    const own = window as unknown as DesktopWindow
    own.heard = []
    own.sagasmithDesktop.onEngineState(({ status }) => own.heard?.push(status))
  })
  const info = JSON.parse(await readFile(join(folder.path, 'engine', 'engine.lock'), 'utf8'))
  process.kill(info.process.pid, 'SIGKILL')
  await expect
    .poll(() => page.evaluate(() => (window as unknown as DesktopWindow).heard))
    .toEqual(['restarting', 'starting', 'running'])
  expect(await engineValue('engine.info', {})).toMatchObject({ storeKind: 'sqlite' })
})

/** Quits from the native menu. */
async function quit(): Promise<void> {
  const exit = exitCodeOf(app)
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('app.quit')?.click())
  expect(await exit).toBe(0)
}

test('quitting stops the engine cleanly, and keeps the window’s place and what was compiled of this version’s engine', async () => {
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 30, width: 1000, height: 700 }),
  )
  await quit()
  expect(await readdir(join(folder.path, 'engine'))).not.toContain('engine.lock')

  const compiled = join(folder.path, 'compiled')
  await rm(compiled, { recursive: true, force: true })
  await mkdir(join(compiled, '0.0.1'), { recursive: true })
  // Whoever runs the tests may have a place of their own for it.
  app = await launch({ appFolder: projectRoot, userData: folder.path, env: { NODE_COMPILE_CACHE: '' } })
  page = await app.firstWindow()
  await page.waitForFunction(() => 'sagasmithDesktop' in window)
  const bounds = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  expect(bounds).toEqual({ x: 40, y: 30, width: 1000, height: 700 })

  await expect.poll(engineStatus).toBe('running')
  const version = await app.evaluate((electron) => electron.app.getVersion())
  await quit()
  expect(await readdir(compiled)).toEqual([version])
  const kept = await readdir(join(compiled, version), { recursive: true })
  expect(kept.length).toBeGreaterThan(5)
})
