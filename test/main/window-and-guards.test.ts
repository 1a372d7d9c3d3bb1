import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Session,
  WebContents,
  WindowOpenHandlerResponse,
} from 'electron'
import { expect, test } from 'vitest'
import { devServerOf } from '../../src-main/config.ts'
import { guardContents, guardSession } from '../../src-main/guards.ts'
import { requestOfCommandLine } from '../../src-main/open-requests.ts'
import { openWindow, placeFor } from '../../src-main/window.ts'
import { temporaryFolder } from './temporary-folder.ts'

const display = { x: 0, y: 0, width: 1920, height: 1080 }
const remembered = { x: 100, y: 80, width: 1000, height: 700, isMaximized: false }

test('a window comes back where it was while a display shows it', () => {
  expect(placeFor(remembered, [display])).toEqual({ x: 100, y: 80, width: 1000, height: 700 })
})

test('a window of a display that is gone keeps only its size', () => {
  expect(placeFor({ ...remembered, x: 5000 }, [display])).toEqual({ width: 1000, height: 700 })
  expect(placeFor({ ...remembered, x: 1910 }, [display])).toEqual({ width: 1000, height: 700 })
})

class FakeContents extends EventEmitter {
  open: ((details: { url: string }) => WindowOpenHandlerResponse) | null = null
  setWindowOpenHandler(handler: (details: { url: string }) => WindowOpenHandlerResponse): void {
    this.open = handler
  }
}

function guarded() {
  const contents = new FakeContents()
  const opened: string[] = []
  guardContents(contents as unknown as WebContents, {
    trustedOrigin: 'app://sagasmith',
    openExternal: (url) => void opened.push(url),
  })
  return { contents, opened }
}

const navigations: readonly (readonly [string, boolean])[] = [
  ['app://sagasmith/index.html', false],
  ['app://sagasmith.evil/index.html', true],
  ['https://example.com/', true],
  ['file:///etc/passwd', true],
  ['javascript:alert(1)', true],
]

test.for(navigations)('a navigation to %s is prevented: %s', ([url, isPrevented]) => {
  const { contents } = guarded()
  for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
    let prevented = false
    contents.emit(name, { url, preventDefault: () => (prevented = true) })
    expect([name, prevented]).toEqual([name, isPrevented])
  }
})

test('windows are never opened; only https goes to the browser', () => {
  const { contents, opened } = guarded()
  for (const url of ['https://example.com/', 'http://example.com/', 'file:///x', 'app://sagasmith/']) {
    expect(contents.open?.({ url })).toEqual({ action: 'deny' })
  }
  expect(opened).toEqual(['https://example.com/'])
})

test('webviews are refused', () => {
  let isPrevented = false
  guarded().contents.emit('will-attach-webview', { preventDefault: () => (isPrevented = true) })
  expect(isPrevented).toBe(true)
})

test('of all permissions only those of the clipboard are granted, and only to us', () => {
  const asked: boolean[] = []
  const checked: boolean[] = []
  const fake = {
    setPermissionRequestHandler: (handler: (...args: readonly unknown[]) => void) => {
      for (const [permission, url] of [
        ['clipboard-sanitized-write', 'app://sagasmith/index.html'],
        ['clipboard-sanitized-write', 'https://example.com/'],
        ['clipboard-read', 'app://sagasmith/index.html'],
        ['geolocation', 'app://sagasmith/index.html'],
      ]) {
        handler(null, permission, (granted: boolean) => asked.push(granted), { requestingUrl: url })
      }
    },
    setPermissionCheckHandler: (handler: (...args: readonly unknown[]) => boolean) => {
      checked.push(
        handler(null, 'clipboard-sanitized-write', 'app://sagasmith'),
        handler(null, 'media', 'app://sagasmith'),
      )
    },
    setDevicePermissionHandler: (handler: () => boolean) => void checked.push(handler()),
  }
  guardSession(fake as unknown as Session, 'app://sagasmith')
  expect(asked).toEqual([true, false, true, false])
  expect(checked).toEqual([true, false, false])
})

test('the development server is taken from this machine only, never in a packaged app', () => {
  const at = (url: string, isPackaged = false) => devServerOf({ ELECTRON_RENDERER_URL: url }, isPackaged)
  expect(at('http://localhost:5173')).toBe('http://localhost:5173')
  expect(at('http://localhost:5173', true)).toBeNull()
  expect(at('http://evil.example')).toBeNull()
  expect(devServerOf({}, false)).toBeNull()
})

const folder = temporaryFolder()

test('the first workflow file or link among the arguments is opened; all else is ignored', () => {
  for (const name of ['flow.json', 'flow.sagasmith']) writeFileSync(join(folder, name), '{}')
  const find = (...argv: readonly string[]) => requestOfCommandLine({ argv, cwd: folder, programCount: 2 })
  const file = (name: string) => ({ kind: 'file', path: join(folder, name) })
  expect(find('electron', '.', '--flag', 'missing.json', 'flow.json')).toEqual(file('flow.json'))
  expect(find('electron', '.', 'flow.sagasmith', 'flow.json')).toEqual(file('flow.sagasmith'))
  expect(find('flow.json', 'flow.json')).toBeNull()
  expect(find('electron', '.', '--file=flow.json', 'notes.txt', '.json', 'flow\0.json')).toBeNull()
  expect(find('electron', '.', 'sagasmith://page/inbox')).toEqual({ kind: 'page', page: 'inbox' })
  expect(find('electron', '.', 'sagasmith://start/flow.json')).toBeNull()
})

test('a window runs its page in the sandbox, apart from the preload, without Node and without webviews', () => {
  let asked: BrowserWindowConstructorOptions = {}
  const window = Object.assign(new EventEmitter(), { loadURL: () => Promise.resolve() })
  openWindow(
    {
      create: (options) => {
        asked = options
        return window as unknown as BrowserWindow
      },
      screen: { getAllDisplays: () => [] },
      preloadPath: '/app/preload.cjs',
      startUrl: 'app://sagasmith/',
      isDark: () => true,
    },
    null,
  )
  expect(asked.webPreferences).toEqual({
    preload: '/app/preload.cjs',
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
  })
})
