import { expect, test, vi } from 'vitest'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import { createChannelPair } from '../../src-engine/protocol/channel-pair.ts'
import { createBackground } from '../../src-main/background.ts'
import type { EngineProcess } from '../../src-main/engine-process.ts'
import type { SettingsStore } from '../../src-main/ipc/settings.ts'
import type { Windows } from '../../src-main/windows.ts'

vi.mock('electron', () => ({ app: {}, Menu: {}, nativeImage: {}, Tray: null }))

/** The background of an app whose windows and pages come and go as the test says; lines are counted as they end. */
function setUp() {
  const lines: { isOpen: boolean }[] = []
  const openLine = (): Channel => {
    const [near, far] = createChannelPair()
    const line = { isOpen: true }
    lines.push(line)
    far.onMessage(() => undefined)
    far.onClose(() => (line.isOpen = false))
    return near
  }
  const windows = { count: 0, push: () => undefined }
  const background = createBackground({
    engine: () => ({ openLine }) as unknown as EngineProcess,
    settings: { get: () => ({ runNotices: 'failed' }) } as unknown as SettingsStore,
    windows: () => windows as unknown as Windows,
    notices: { show: () => undefined },
  })
  const openLines = (): number => lines.filter(({ isOpen }) => isOpen).length
  return { background, windows, lines, openLines }
}

test('when a window is back, the app listens until its page hears by itself', async () => {
  const { background, lines, openLines } = setUp()
  background.onCount(0)
  expect(openLines()).toBe(1)
  // Its page still loads: what ends now is nobody else's news.
  background.onCount(1)
  expect(openLines()).toBe(1)
  background.onPageLine()
  await vi.waitFor(() => expect(openLines()).toBe(0))
  background.onCount(0)
  expect([lines.length, openLines()]).toEqual([2, 1])
})

test('an engine that is back is listened to only while there is no window', () => {
  const { background, windows, openLines } = setUp()
  windows.count = 1
  background.onState({ status: 'running' })
  expect(openLines()).toBe(0)
  windows.count = 0
  background.onState({ status: 'running' })
  expect(openLines()).toBe(1)
})
