import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSettings } from '../../src-main/ipc/settings.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = temporaryFolder()
const defaults = {
  theme: 'system',
  runNotices: 'failed',
  reopensLastFile: true,
  keepsRunning: false,
}

function setUp(content: string | null) {
  const path = join(mkdtempSync(join(root, 'settings-')), 'settings.json')
  if (content !== null) writeFileSync(path, content)
  const broken: string[] = []
  const settings = openSettings({ path, onBroken: (keptAt) => void broken.push(keptAt) })
  return { path, settings, broken }
}

test('without a file the defaults apply', () => {
  expect(setUp(null).settings.get()).toEqual(defaults)
})

test('a change is on disk when its promise resolves', async () => {
  const { settings, path } = setUp(null)
  expect(await settings.set({ theme: 'dark' })).toEqual({ ...defaults, theme: 'dark' })
  expect(openSettings({ path, onBroken: () => undefined }).get().theme).toBe('dark')
})

test('many changes at once all arrive', async () => {
  const { settings, path } = setUp(null)
  await Promise.all([
    settings.set({ theme: 'light' }),
    settings.setWindows([
      { bounds: { x: 1, y: 2, width: 900, height: 700, isMaximized: false }, session: 'a' },
    ]),
    settings.set({ reopensLastFile: false }),
  ])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    theme: 'light',
    reopensLastFile: false,
    windows: [{ bounds: { width: 900 }, session: 'a' }],
  })
})

test('a damaged value costs only itself', () => {
  const { settings, broken } = setUp(
    '{"theme":"dark","reopensLastFile":"maybe","windows":[{"bounds":{"x":1}}]}',
  )
  expect(settings.get()).toEqual({ ...defaults, theme: 'dark' })
  expect(settings.windows()).toEqual([])
  expect(broken).toEqual([])
})

test('a file that is no JSON is put aside, not overwritten', async () => {
  const { settings, path, broken } = setUp('{"theme":')
  expect(settings.get()).toEqual(defaults)
  expect(broken).toEqual([`${path}.broken`])
  await settings.set({ theme: 'light' })
  expect(readFileSync(`${path}.broken`, 'utf8')).toBe('{"theme":')
  expect(existsSync(path)).toBe(true)
})
