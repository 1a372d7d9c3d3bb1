import { EventEmitter } from 'node:events'
import type { BrowserWindow, WebContents } from 'electron'
import { expect, test } from 'vitest'
import { runId } from '../../src-engine/model/ids.ts'
import type { WindowBounds, WindowRecord } from '../../src-main/ipc/settings.ts'
import { Windows } from '../../src-main/windows.ts'

const place: WindowBounds = { x: 10, y: 20, width: 1000, height: 700, isMaximized: false }

class FakeWindow extends EventEmitter {
  readonly sent: unknown[][] = []
  readonly webContents = { send: (...args: unknown[]) => void this.sent.push(args) } as unknown as WebContents
  bounds: WindowBounds
  shown = 0

  constructor(bounds: WindowBounds | null) {
    super()
    this.bounds = bounds ?? place
  }

  getNormalBounds = () => {
    const { x, y, width, height } = this.bounds
    return { x, y, width, height }
  }
  isMaximized = () => this.bounds.isMaximized
  isMinimized = () => false
  show = () => void (this.shown += 1)
  focus = () => this.emit('focus')
  close(): void {
    this.emit('close')
    this.emit('closed')
  }
}

function setUp(records: readonly WindowRecord[] = [], reopensLastFile = true) {
  let kept: readonly WindowRecord[] = records
  const opened: FakeWindow[] = []
  const counts: number[] = []
  const windows = new Windows({
    open: (remembered) => {
      const window = new FakeWindow(remembered)
      opened.push(window)
      return window as unknown as BrowserWindow
    },
    settings: {
      get: () => ({ theme: 'system', runNotices: 'failed', reopensLastFile, keepsRunning: false }),
      windows: () => kept,
      setWindows: (next) => {
        kept = next
        return Promise.resolve()
      },
    },
    onCount: (count) => void counts.push(count),
  })
  const at = (index: number): FakeWindow => {
    const found = opened[index]
    if (found === undefined) throw new Error(`There is no window ${index}.`)
    return found
  }
  return { windows, opened, counts, at, kept: () => kept }
}

const record = (session: string, x = 10): WindowRecord => ({ bounds: { ...place, x }, session })

test('windows come back with place and session, or one empty one where nobody wants that', () => {
  const { windows, opened, at } = setUp([record('a', 1), record('b', 2)])
  windows.restore()
  expect(opened.map(({ bounds }) => bounds.x)).toEqual([1, 2])
  expect([0, 1].map((index) => windows.session(at(index).webContents))).toEqual(['a', 'b'])

  const plain = setUp([record('a', 1), record('b', 2)], false)
  plain.windows.restore()
  expect(plain.opened.map(({ bounds }) => bounds.x)).toEqual([2])
  expect(plain.windows.session(plain.at(0).webContents)).toBe('')
})

test('a window that is closed while others stay does not come back; the last one does', () => {
  const { windows, at, kept, counts } = setUp([record('a'), record('b')])
  windows.restore()
  at(0).close()
  expect(kept().map(({ session }) => session)).toEqual(['b'])
  at(1).bounds = { ...place, x: 77 }
  at(1).close()
  expect(kept()).toEqual([record('b', 77)])
  expect(counts).toEqual([1, 0])
  windows.show()
  expect(windows.session(at(2).webContents)).toBe('b')
})

test('all windows come back when the app ends with several', () => {
  const { windows, at, kept } = setUp([record('a'), record('b')])
  windows.restore()
  windows.quitting()
  at(0).close()
  at(1).close()
  expect(kept().map(({ session }) => session)).toEqual(['a', 'b'])
})

test('another window is empty and stands beside the one in front', () => {
  const { windows, at } = setUp([record('a')])
  windows.restore()
  windows.openAnother()
  expect(at(1).bounds).toMatchObject({ x: 38, y: 48, width: 1000, isMaximized: false })
  expect(windows.session(at(1).webContents)).toBe('')
})

test('a window aside shows what it was opened for, and doesn’t come back', () => {
  const { windows, at, kept } = setUp([record('a')])
  windows.restore()
  const link = { kind: 'run', runId: runId('run_1'), nodeId: null } as const
  windows.openAside(link)
  expect(at(1).bounds).toMatchObject({ x: 38, y: 48 })
  expect(windows.takeRequest(at(1).webContents)).toEqual({ kind: 'aside', link })
  expect(windows.takeRequest(at(0).webContents)).toBeNull()
  windows.setSession(at(1).webContents, 'tabs')
  expect(kept()).toEqual([record('a')])
  windows.quitting()
  at(1).close()
  at(0).close()
  expect(kept()).toEqual([record('a')])
})

test('the window with the tabs comes back although one aside was closed after it, and makes room for the next', () => {
  const { windows, at, kept } = setUp([record('a')])
  windows.restore()
  windows.openAside({ kind: 'run', runId: runId('run_1'), nodeId: null })
  at(0).close()
  expect(kept()).toEqual([record('a')])
  windows.openAnother()
  windows.setSession(at(2).webContents, 'b')
  expect(kept().map(({ session }) => session)).toEqual(['b'])
  at(2).close()
  at(1).close()
  expect(kept().map(({ session }) => session)).toEqual(['b'])
})

test('two windows never have the same document: the one that has it comes to the front', () => {
  const { windows, at } = setUp([record('a'), record('b')])
  windows.restore()
  const [first, second] = [at(0).webContents, at(1).webContents]
  expect(windows.claim(first, ['/orders.json'])).toBe(true)
  expect(windows.claim(second, ['/bills.json', '/orders.json'])).toBe(false)
  expect([at(0).shown, at(1).shown]).toEqual([1, 0])
  expect(windows.front()).toBe(at(0))
  expect(windows.takeRequest(first)).toEqual({ kind: 'document', key: '/orders.json' })
  expect(windows.claim(first, ['/orders.json'])).toBe(true)
  expect(windows.claim(first, [])).toBe(true)
  expect(windows.claim(second, ['/bills.json', '/orders.json'])).toBe(true)
  at(1).close()
  expect(windows.claim(first, ['/orders.json'])).toBe(true)
})

test('a request goes to the window in front, waits for its page, and is taken once', () => {
  const { windows, at } = setUp([record('a'), record('b')])
  windows.restore()
  windows.ask({ kind: 'file', path: '/a.json' })
  windows.ask({ kind: 'page', page: 'inbox' })
  expect(at(1).sent).toHaveLength(2)
  expect(windows.takeRequest(at(0).webContents)).toBeNull()
  expect(windows.takeRequest(at(1).webContents)).toEqual({ kind: 'page', page: 'inbox' })
  expect(windows.takeRequest(at(1).webContents)).toBeNull()
  windows.ask({ kind: 'file', path: '/b.json' }, at(0) as unknown as BrowserWindow)
  expect(windows.takeRequest(at(0).webContents)).toEqual({ kind: 'file', path: '/b.json' })
})

test('a request without a window opens one', () => {
  const { windows, at } = setUp()
  windows.ask({ kind: 'page', page: 'inbox' })
  expect(windows.takeRequest(at(0).webContents)).toEqual({ kind: 'page', page: 'inbox' })
})
