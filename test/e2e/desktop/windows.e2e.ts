/** Windows of the desktop app: several, each with its document; back after a restart; gone while the engine goes on. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { runCli } from '../browser/serving.ts'
import { card, cards, runState, startRun } from '../designer-driver.ts'
import { executableOf, launch, makeFolder, projectRoot } from './launch.ts'

const second = { ...shipping, id: 'second', title: 'The second one' }

/** Ends its run as failed. */
const stop = { kind: 'stop', parameters: { status: 'failed', message: 'Nothing to ship.' } }

/** The app on a folder of the test's own, with one document open. */
interface Desk {
  app: ElectronApplication
  readonly fileOf: (name: string) => string
  /** Closes the app and starts it again. */
  readonly restart: () => Promise<void>
}

/** Opened anew for each test. */
let desk: Desk
let remove = (): Promise<void> => Promise.resolve()

test.beforeEach(async () => {
  const folder = await makeFolder()
  remove = folder.remove
  const fileOf = (name: string): string => join(folder.path, name)
  await writeFile(fileOf('shipping.json'), JSON.stringify(shipping))
  await writeFile(fileOf('second.sagasmith'), JSON.stringify(second))
  const start = (...args: string[]): Promise<ElectronApplication> =>
    launch({ appFolder: projectRoot, userData: folder.path, args })
  desk = {
    app: await start(fileOf('shipping.json')),
    fileOf,
    restart: async () => {
      await desk.app.close()
      desk.app = await start()
    },
  }
})

test.afterEach(async () => {
  await desk.app.close()
  await remove()
})

/** Chooses from the native menu. */
const choose = ({ app }: Desk, id: string): Promise<void> =>
  app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id)

/** Starts the app a second time, as the system does for a file or a link. */
async function startAgain({ app, fileOf }: Desk, argument: string): Promise<void> {
  const child = spawn(await executableOf(app), [projectRoot, `--user-data-dir=${fileOf('')}`, argument], {
    stdio: 'ignore',
    env: { ...process.env, SAGASMITH_DATA: fileOf('engine') },
  })
  await once(child, 'exit')
}

/** The titles of all windows, as the system shows them. */
const titles = ({ app }: Desk): Promise<readonly string[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((window) => window.getTitle())
      .sort(),
  )

async function pageTitled({ app }: Desk, title: string): Promise<Page> {
  await expect.poll(() => Promise.all(app.windows().map((page) => page.title()))).toContain(title)
  for (const page of app.windows()) if ((await page.title()) === title) return page
  throw new Error(`No window is called ${title}.`)
}

/** Brings the window of the second document to the front. */
const lookAtSecond = ({ app }: Desk): Promise<void> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.getTitle().startsWith('The second'))
      ?.focus(),
  )

/** Each in its window. */
const bothOpen = ['Ship the order — Sagasmith', 'The second one — Sagasmith']

/** Has a second window open the second document. */
async function openSecond(desk: Desk): Promise<Page> {
  const { app, fileOf } = desk
  await expect(card(await app.firstWindow(), 'ask')).toBeVisible()
  const [opened] = await Promise.all([app.waitForEvent('window'), choose(desk, 'window.new')])
  await expect(opened.getByTestId('start-page')).toBeVisible()
  // A file from outside goes to the window in front.
  await startAgain(desk, fileOf('second.sagasmith'))
  await expect(card(opened, 'ask')).toBeVisible()
  await expect.poll(() => titles(desk)).toEqual(bothOpen)
  return opened
}

async function haveOwnDocuments(): Promise<void> {
  const { fileOf } = desk
  const first = await desk.app.firstWindow()
  await openSecond(desk)
  const labels = await desk.app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()
      ?.getMenuItemById('recent')
      ?.submenu?.items.map(({ label }) => label.split(' — ')[0]),
  )
  expect(labels?.slice(0, 2)).toEqual(['second.sagasmith', 'shipping.json'])

  // That one is open already: its window comes to the front, and this one keeps its own.
  await startAgain(desk, fileOf('shipping.json'))
  await expect
    .poll(() => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.getTitle()))
    .toBe('Ship the order — Sagasmith')
  expect(await titles(desk)).toEqual(bothOpen)

  // Another file is another tab there, and is found there from the other window too.
  await writeFile(fileOf('third.json'), JSON.stringify({ ...shipping, id: 'third', title: 'The third one' }))
  const thirdInFront = ['The second one — Sagasmith', 'The third one — Sagasmith']
  await startAgain(desk, fileOf('third.json'))
  await expect.poll(() => titles(desk)).toEqual(thirdInFront)
  await first.keyboard.press('Control+Tab')
  await expect.poll(() => titles(desk)).toEqual(bothOpen)
  await lookAtSecond(desk)
  await startAgain(desk, fileOf('third.json'))
  await expect.poll(() => titles(desk)).toEqual(thirdInFront)
  await first.keyboard.press('Control+Tab')
  await expect.poll(() => titles(desk)).toEqual(bothOpen)

  await desk.restart()
  await expect.poll(() => titles(desk)).toEqual(bothOpen)
  for (const title of bothOpen) await expect(cards(await pageTitled(desk, title)).first()).toBeVisible()
  // What another program writes to a file shows.
  const changed = { ...second, nodes: { ...second.nodes, stop } }
  await writeFile(fileOf('second.sagasmith'), JSON.stringify(changed))
  await expect(card(await pageTitled(desk, 'The second one — Sagasmith'), 'stop')).toBeVisible()
  const open = (await pageTitled(desk, 'Ship the order — Sagasmith')).getByTestId('tabs').getByRole('button')
  await expect(open.filter({ hasText: /one|order/ })).toHaveText(['Ship the order', 'The third one'])
}

async function followLinks(): Promise<void> {
  const other = await pageTitled(desk, 'The second one — Sagasmith')
  const page = await pageTitled(desk, 'Ship the order — Sagasmith')
  await lookAtSecond(desk)
  await startRun(page)
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  await startAgain(desk, `sagasmith://run/${runId}?node=ask`)
  await expect(runState(other)).toHaveAttribute('data-run-id', runId)
  await expect(card(other, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await startAgain(desk, `sagasmith://run/${runId}/cancel`)
  await startAgain(desk, `sagasmith://run/${runId}?node=ask&approve=true`)
  await expect(card(other, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await desk.app.evaluate(({ app: application }, url) => {
    application.emit('open-url', { preventDefault: () => undefined }, url)
  }, 'sagasmith://page/inbox')
  await expect(other.getByTestId('inbox-detail')).toContainText('Ship order 4711?')

  // It shows where the open one lies.
  await desk.app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => Object.assign(globalThis, { shownInFolder: path })
  })
  await choose(desk, 'file.reveal')
  await expect
    .poll(() => desk.app.evaluate(() => Reflect.get(globalThis, 'shownInFolder') as unknown))
    .toBe(desk.fileOf('second.sagasmith'))
}

test('a second window has a document of its own, nobody opens the same one twice, both come back, and a link leads to one', async () => {
  await test.step(
    'a second window has a document of its own, in the File menu, too; nobody opens the same one twice, and both come back',
    haveOwnDocuments,
  )
  await test.step('a link shows a run, and never starts or changes one', followLinks)
})

/** From now on what is told is kept instead of shown; gives the titles so far. */
async function keepNotices({ app }: Desk): Promise<() => Promise<readonly string[]>> {
  await app.evaluate(({ Notification }) => {
    const shown: unknown[] = []
    Object.assign(globalThis, { shownNotices: shown })
    Notification.prototype.show = function show() {
      shown.push(this)
    }
  })
  return () =>
    app.evaluate(() =>
      (Reflect.get(globalThis, 'shownNotices') as { title: string }[]).map(({ title }) => title),
    )
}

test('with the last window gone the engine goes on, tells what it needs, and comes back', async () => {
  const { app, fileOf } = desk
  const page = await app.firstWindow()
  const told = await keepNotices(desk)
  await startRun(page)
  await expect(page.getByTestId('inbox-count')).toHaveText('1')
  await page.keyboard.press('Control+,')
  await page.getByTestId('app-keepsRunning').check()
  await page.getByTestId('app-run-notices').selectOption('ended')
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  const windowCount = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  await expect.poll(windowCount).toBe(0)

  // Nobody's page is there to tell it: the engine still works, and the app still listens.
  const failing = { ...shipping, id: 'failing', title: 'Ship nothing', nodes: { stop }, edges: {} }
  await writeFile(fileOf('failing.json'), JSON.stringify(failing))
  const run = await runCli(['run', fileOf('failing.json'), '--data', fileOf('engine')])
  expect(run.text).toContain('Nothing to ship.')
  await expect.poll(told).toEqual(['Ship nothing failed'])

  // What a person starts again brings back the last window.
  await startAgain(desk, 'sagasmith://page/inbox')
  await expect.poll(windowCount).toBe(1)
  await expect.poll(() => app.windows().length).toBe(1)
  const [again] = app.windows()
  if (again === undefined) throw new Error('No window is open.')
  await expect(again.getByTestId('inbox-detail')).toContainText('Ship order 4711?')
})
