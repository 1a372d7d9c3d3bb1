/** The whole desktop app: a workflow drawn by hand, edited and run from the native menu. */

import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { launch, makeFolder, projectRoot } from './launch.ts'

let app: ElectronApplication
let page: Page
let folder: { readonly path: string; readonly remove: () => Promise<void> }
const complaints: string[] = []

test.beforeAll(async () => {
  folder = await makeFolder()
  app = await launch({ appFolder: projectRoot, userData: folder.path })
  page = await app.firstWindow()
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await expect(page.getByTestId('start-page')).toBeVisible()
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

/** Chooses a command from the native menu. */
const choose = (id: string): Promise<void> =>
  app.evaluate(({ Menu }, command) => Menu.getApplicationMenu()?.getMenuItemById(command)?.click(), id)

const nodes = () => page.locator('.react-flow__node')

test('a step is dragged onto the canvas, undone, redone and run from the native menu', async () => {
  await choose('file.new')
  await page.getByTestId('palette-item-log').dragTo(page.locator('.react-flow__pane').first())
  await expect(nodes()).toHaveCount(1)
  await choose('edit.undo')
  await expect(nodes()).toHaveCount(0)
  await choose('edit.redo')
  await expect(nodes()).toHaveCount(1)
  // Validation follows an edit after a moment.
  await expect(page.getByRole('button', { name: 'No problems' })).toBeVisible()
  await choose('run.start')
  await expect(page.getByTestId('run-state')).toHaveAttribute('data-status', 'SUCCEEDED')
})

test('the page kept to its content policy all the time', () => {
  expect(complaints).toEqual([])
})
