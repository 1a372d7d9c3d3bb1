/** The app of one test after the other in one process: the next one finds nothing of the one before. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { KeptApp } from '../browser/kept-app.ts'
import type { ContractGlobal, ContractWindow } from './fixture-app/contract-app.ts'
import { hasLives } from './launch.ts'

const appFolder = join(import.meta.dirname, 'fixture-app')
const viewport = { width: 700, height: 500 }

interface Taken {
  readonly app: ElectronApplication
  readonly page: Page
  readonly userData: string
}

let folder: string
let kept: KeptApp

test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagasmith-kept-'))
  kept = new KeptApp(folder)
})

test.afterEach(async () => {
  await kept.end()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** What a test has, with a mark in its environment. */
async function taken(mark = 'none'): Promise<Taken> {
  const userData = await mkdtemp(join(folder, 'data-'))
  const { app, page } = await kept.take({ appFolder, userData, env: { MARK: mark } }, () => undefined)
  await expect(page.locator('#state')).toHaveText('ready')
  return { app, page, userData }
}

const leave = (isGood = true): Promise<void> => kept.leave({ isGood, viewport, contextOptions: {} })

/** What of an app a test could find in the next one. */
const foundIn = ({ app, page }: Taken): Promise<unknown> =>
  Promise.all([
    app.evaluate(async ({ app: application, BrowserWindow, clipboard, dialog, nativeTheme }) => {
      const { contractLog } = globalThis as unknown as ContractGlobal
      return {
        userData: application.getPath('userData'),
        mark: process.env['MARK'],
        notes: contractLog.notes,
        isMarked: 'marked' in globalThis || 'MARKED' in process.env,
        listeners: process.listenerCount('SIGHUP') + application.listenerCount('activate'),
        windows: BrowserWindow.getAllWindows().length,
        clipboard: await clipboard.readText(),
        theme: nativeTheme.themeSource,
        chosen: (await dialog.showOpenDialog({})).filePaths,
      }
    }),
    page.evaluate(() => [localStorage.length, (window as unknown as ContractWindow).heard.length]),
  ])

test('each begins anew, with its own data, where the one before left nothing', async () => {
  const first = await taken('one')
  const asNew = await foundIn(first)
  expect(asNew).toMatchObject([{ userData: first.userData, mark: 'one' }, [0, 0]])
  const engine = await first.app.evaluate(
    () => (globalThis as unknown as { contractEngine: { pid: number } }).contractEngine.pid,
  )
  await first.page.evaluate(() => {
    localStorage.setItem('kept', 'yes')
    ;(window as unknown as ContractWindow).contract.note('heard')
  })
  await first.app.evaluate(async ({ app, clipboard, dialog, nativeTheme }) => {
    Object.assign(globalThis, { marked: true })
    process.env['MARKED'] = 'yes'
    process.on('SIGHUP', () => undefined)
    app.on('activate', () => undefined)
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['/chosen'] })
    nativeTheme.themeSource = 'dark'
    await clipboard.writeText('copied')
  })
  await leave()
  expect(isAlive(engine)).toBe(false)

  const second = await taken('two')
  expect(await foundIn(second)).toEqual([
    { ...(asNew as readonly [object])[0], userData: second.userData, mark: 'two' },
    [0, 0],
  ])
  // It is another app in the same process, and the real one has a process for each.
  expect(second.page === first.page).toBe(hasLives)
  await leave()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('after what stays, or a test that failed, there is a new process', async () => {
  const timed = await taken()
  await timed.app.evaluate(() => void setInterval(() => undefined, 1_000))
  await leave()
  const failed = await taken()
  expect(failed.app).not.toBe(timed.app)
  await leave(false)
  const stayed = await taken()
  expect(stayed.app).not.toBe(failed.app)
  // Who never left, for an error came between, doesn't keep it either.
  expect((await taken()).app).not.toBe(stayed.app)
})
