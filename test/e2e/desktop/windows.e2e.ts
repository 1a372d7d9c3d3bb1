/** Windows of the desktop app: several, each with its document; back after a restart; gone while the engine goes on. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { shipping } from '../approval-workflow.ts'
import { card, cards, runState } from '../designer-driver.ts'
import { executableOf, launch, makeFolder, projectRoot } from './launch.ts'

/** Ends its run as failed. */
const stop = { kind: 'stop', parameters: { status: 'failed', message: 'Nothing to ship.' } }

let app: ElectronApplication
let folder: { readonly path: string; readonly remove: () => Promise<void> }

const fileOf = (name: string): string => join(folder.path, name)

test.beforeAll(async () => {
  folder = await makeFolder()
  const other = { ...shipping, id: 'second', title: 'The second one' }
  await writeFile(fileOf('shipping.json'), JSON.stringify(shipping))
  await writeFile(fileOf('second.sagasmith'), JSON.stringify(other))
  app = await launch({ appFolder: projectRoot, userData: folder.path, args: [fileOf('shipping.json')] })
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

/** Chooses from the native menu. */
const choose = (id: string): Promise<void> =>
  app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id)

/** Starts the app a second time, as the system does for a file or a link. */
async function startAgain(argument: string): Promise<void> {
  const child = spawn(await executableOf(app), [projectRoot, `--user-data-dir=${folder.path}`, argument], {
    stdio: 'ignore',
    env: { ...process.env, SAGASMITH_DATA: fileOf('engine') },
  })
  await once(child, 'exit')
}

/** The titles of all windows, as the system shows them. */
const titles = (): Promise<readonly string[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map((window) => window.getTitle())
      .sort(),
  )

async function pageTitled(title: string): Promise<Page> {
  await expect.poll(() => Promise.all(app.windows().map((page) => page.title()))).toContain(title)
  for (const page of app.windows()) if ((await page.title()) === title) return page
  throw new Error(`No window is called ${title}.`)
}

test('a second window has a document of its own, and nobody opens the same one twice', async () => {
  const first = await app.firstWindow()
  await expect(card(first, 'ask')).toBeVisible()
  const [second] = await Promise.all([app.waitForEvent('window'), choose('window.new')])
  await expect(second.getByTestId('start-page')).toBeVisible()
  // A file from outside goes to the window in front.
  await startAgain(fileOf('second.sagasmith'))
  await expect(card(second, 'ask')).toBeVisible()
  await expect.poll(titles).toEqual(['Ship the order — Sagasmith', 'The second one — Sagasmith'])

  // That one is open already: its window comes to the front, and this one keeps its own.
  await startAgain(fileOf('shipping.json'))
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.getTitle()))
    .toBe('Ship the order — Sagasmith')
  expect(await titles()).toEqual(['Ship the order — Sagasmith', 'The second one — Sagasmith'])

  // Another file is another tab there, and is found there from the other window too.
  await writeFile(fileOf('third.json'), JSON.stringify({ ...shipping, id: 'third', title: 'The third one' }))
  await startAgain(fileOf('third.json'))
  await expect.poll(titles).toEqual(['The second one — Sagasmith', 'The third one — Sagasmith'])
  await first.keyboard.press('Control+Tab')
  await expect.poll(titles).toEqual(['Ship the order — Sagasmith', 'The second one — Sagasmith'])
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.getTitle().startsWith('The second'))
      ?.focus(),
  )
  await startAgain(fileOf('third.json'))
  await expect.poll(titles).toEqual(['The second one — Sagasmith', 'The third one — Sagasmith'])
  await first.keyboard.press('Control+Tab')
  await expect.poll(titles).toEqual(['Ship the order — Sagasmith', 'The second one — Sagasmith'])
})

test('both come back after a restart, each with its documents', async () => {
  await app.close()
  app = await launch({ appFolder: projectRoot, userData: folder.path })
  await expect.poll(titles).toEqual(['Ship the order — Sagasmith', 'The second one — Sagasmith'])
  for (const title of await titles()) await expect(cards(await pageTitled(title)).first()).toBeVisible()
  // What another program writes to a file shows.
  const other = { ...shipping, id: 'second', title: 'The second one' }
  await writeFile(fileOf('second.sagasmith'), JSON.stringify({ ...other, nodes: { ...other.nodes, stop } }))
  await expect(card(await pageTitled('The second one — Sagasmith'), 'stop')).toBeVisible()
  const open = (await pageTitled('Ship the order — Sagasmith')).getByTestId('tabs').getByRole('button')
  await expect(open.filter({ hasText: /one|order/ })).toHaveText(['Ship the order', 'The third one'])
})

test('a link shows a run, and never starts or changes one', async () => {
  // Before something waits, which titles tell too.
  const page = await pageTitled('Ship the order — Sagasmith')
  const other = await pageTitled('The second one — Sagasmith')
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.getTitle().startsWith('The second'))
      ?.focus(),
  )
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  await startAgain(`sagasmith://run/${runId}?node=ask`)
  await expect(runState(other)).toHaveAttribute('data-run-id', runId)
  await expect(card(other, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await startAgain(`sagasmith://run/${runId}/cancel`)
  await startAgain(`sagasmith://run/${runId}?node=ask&approve=true`)
  await expect(card(other, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await app.evaluate(({ app: application }, url) => {
    application.emit('open-url', { preventDefault: () => undefined }, url)
  }, 'sagasmith://page/inbox')
  await expect(other.getByTestId('inbox-detail')).toContainText('Ship order 4711?')
})

test('the File menu opens what was open lately', async () => {
  const labels = await app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()
      ?.getMenuItemById('recent')
      ?.submenu?.items.map(({ label }) => label.split(' — ')[0]),
  )
  expect(labels?.slice(0, 2).toSorted()).toEqual(['second.sagasmith', 'shipping.json'])
})

test('with the last window gone the engine goes on, tells what it needs, and comes back', async () => {
  await app.evaluate(({ Notification }) => {
    const shown: unknown[] = []
    Object.assign(globalThis, { shownNotices: shown })
    Notification.prototype.show = function show() {
      shown.push(this)
    }
  })
  const [page] = app.windows()
  if (page === undefined) throw new Error('No window is open.')
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
  const cli = join(projectRoot, 'bin/sagasmith.mjs')
  const run = spawn(process.execPath, [cli, 'run', fileOf('failing.json'), '--data', fileOf('engine')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  expect(await text(run.stderr)).toContain('Nothing to ship.')
  const told = () =>
    app.evaluate(() =>
      (Reflect.get(globalThis, 'shownNotices') as { title: string }[]).map(({ title }) => title),
    )
  await expect.poll(told).toEqual(['Ship nothing failed'])

  // What a person starts again brings back the last window.
  await startAgain('sagasmith://page/inbox')
  await expect.poll(windowCount).toBe(1)
  await expect.poll(() => app.windows().length).toBe(1)
  const [again] = app.windows()
  if (again === undefined) throw new Error('No window is open.')
  await expect(again.getByTestId('inbox-detail')).toContainText('Ship order 4711?')
})
