/** What waits for a person reaches them in the desktop app: by a notice, on the icon, in the window's title. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { card, runState } from '../designer-driver.ts'
import { launch, makeFolder, projectRoot } from './launch.ts'

let app: ElectronApplication
let page: Page
let folder: { readonly path: string; readonly remove: () => Promise<void> }

test.beforeAll(async () => {
  folder = await makeFolder()
  const file = join(folder.path, 'shipping.json')
  await writeFile(file, JSON.stringify(shipping))
  app = await launch({ appFolder: projectRoot, userData: folder.path, args: [file] })
  page = await app.firstWindow()
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

/** What the app handed to the system. */
interface Handed {
  readonly notices: readonly {
    readonly title: string
    readonly body: string
    readonly emit: (event: 'click') => void
  }[]
  readonly badges: readonly number[]
}

/** Keeps what is shown instead of showing it, in the stand-in and in the real one. */
const keepNotices = (): Promise<void> =>
  app.evaluate(({ app: application, Notification }) => {
    const [notices, badges]: [unknown[], number[]] = [[], []]
    Object.assign(globalThis, { handed: { notices, badges } })
    Notification.prototype.show = function show() {
      notices.push(this)
    }
    application.setBadgeCount = (count = 0) => {
      badges.push(count)
      return true
    }
  })

test('an approval is told while the window is in the background, and a click leads to it', async () => {
  await expect(card(page, 'ask')).toBeVisible()
  await keepNotices()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur())
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  const told = () =>
    app.evaluate(() =>
      (Reflect.get(globalThis, 'handed') as Handed).notices.map(({ title, body }) => ({ title, body })),
    )
  await expect
    .poll(told)
    .toEqual([{ title: 'Sagasmith needs a decision', body: 'Ship the order: Ship order 4711?' }])
  const badges = () => app.evaluate(() => (Reflect.get(globalThis, 'handed') as Handed).badges)
  await expect.poll(badges).toEqual([1])
  const title = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())
  await expect.poll(title).toBe('(1) Ship the order — Sagasmith')

  await app.evaluate(() => (Reflect.get(globalThis, 'handed') as Handed).notices[0]?.emit('click'))
  await expect(page.getByTestId('inbox-detail')).toContainText('Ship order 4711?')
  await page.getByTestId('approval-approve').click()
  await expect(page.getByTestId('inbox-empty')).toBeVisible()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect.poll(badges).toEqual([1, 0])
  await expect.poll(title).toBe('Ship the order — Sagasmith')
})

test('who looks at the window is not told again', async () => {
  await keepNotices()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus())
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByTestId('run-button').click()
  await expect(page.getByTestId('inbox-count')).toHaveText('1')
  expect(await app.evaluate(() => (Reflect.get(globalThis, 'handed') as Handed).notices.length)).toBe(0)
})
