/** Triggers in the desktop app: its own engine acts on them, and goes on from there when it is started again. */

import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { expectNoProblems, typeInto } from '../designer-driver.ts'
import { launch, makeFolder, projectRoot } from './launch.ts'

let app: ElectronApplication
let page: Page
let folder: { readonly path: string; readonly remove: () => Promise<void> }

async function start(): Promise<void> {
  app = await launch({ appFolder: projectRoot, userData: folder.path })
  page = await app.firstWindow()
}

test.beforeAll(async () => {
  folder = await makeFolder()
  await start()
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

test('a schedule that is published acts, and is still there when the app is started again', async () => {
  await page.getByTestId('new-workflow').click()
  await page.getByTestId('begin-transform').click()
  await page.getByTestId('edge-add').click()
  await page.getByTestId('trigger-kind-cron').click()
  await typeInto(page, 'triggers.cron.parameters.expression', '* * * * * *')
  await expectNoProblems(page)
  await page.getByTestId('edge-publish').click()
  const card = () => page.getByTestId('trigger-card-cron')
  await expect(card()).toHaveAttribute('data-standing', 'acts')
  await expect(card().getByTestId('trigger-last')).toContainText(/started|skipped/)
  await card().getByTestId('trigger-switch').click()
  await expect(card()).toHaveAttribute('data-standing', 'offByHand')

  await app.close()
  await start()
  await expect(card()).toHaveAttribute('data-standing', 'offByHand')
  await card().getByTestId('trigger-switch').click()
  await expect(card()).toHaveAttribute('data-standing', 'acts')
})
