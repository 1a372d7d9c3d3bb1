import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session, WebContents, WindowOpenHandlerResponse } from 'electron'
import { expect, test } from 'vitest'
import { devServerOf } from '../../src-main/config.ts'
import { guardContents, guardSession } from '../../src-main/guards.ts'
import { createOpenRequests, fileOfCommandLine } from '../../src-main/open-requests.ts'
import { placeFor } from '../../src-main/window.ts'
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

test('the first workflow file among the arguments is opened; all else is ignored', () => {
  writeFileSync(join(folder, 'flow.json'), '{}')
  const find = (...argv: readonly string[]) => fileOfCommandLine({ argv, cwd: folder, programCount: 2 })
  expect(find('electron', '.', '--flag', 'missing.json', 'flow.json')).toBe(join(folder, 'flow.json'))
  expect(find('flow.json', 'flow.json')).toBeNull()
  expect(find('electron', '.', '--file=flow.json', 'notes.txt', '.json')).toBeNull()
})

test('a request to open waits until a page takes it, once', () => {
  let putCount = 0
  const requests = createOpenRequests(() => (putCount += 1))
  expect(requests.take()).toBeNull()
  requests.put('/a.json')
  requests.put('/b.json')
  expect([requests.take(), requests.take(), putCount]).toEqual(['/b.json', null, 2])
})
