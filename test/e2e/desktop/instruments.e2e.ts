/** All instruments of runs in the desktop app, and a link that leads to one of them at an instant. */

import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { putWorkflow } from '../browser/serving.ts'
import { runState } from '../designer-driver.ts'
import {
  followAValue,
  forkAndCompare,
  goBackInTime,
  keepAsTest,
  openWalked,
  seeGhosts,
  seeItLive,
  seeLanesAndLogs,
  steerMany,
  walked,
} from '../instruments-walk.ts'
import { launch, makeFolder, projectRoot } from './launch.ts'

let app: ElectronApplication
let page: Page
let folder: Awaited<ReturnType<typeof makeFolder>>

test.beforeAll(async () => {
  folder = await makeFolder()
  const file = await putWorkflow(join(folder.path, 'engine'), 'walked.json', walked)
  app = await launch({ appFolder: projectRoot, userData: folder.path, args: [file] })
  page = await app.firstWindow()
})

test.afterAll(async () => {
  await app.close()
  await folder.remove()
})

test('a run is seen live, gone back in, followed, forked, compared, steered, logged, kept as a test and linked to', async () => {
  await openWalked(page)
  const run = await seeItLive(page, () => page.getByTestId('run-button').click())
  expect(await barriers(page)).toEqual([])
  await goBackInTime(page)
  await followAValue(page)
  await seeGhosts(page)
  await forkAndCompare(page)
  await steerMany(page)
  await seeLanesAndLogs(page)
  await keepAsTest(page)

  await app.evaluate(({ app: application }, url) => {
    application.emit('open-url', { preventDefault: () => undefined }, url)
  }, `sagasmith://run/${run}?node=bill&at=1`)
  await expect(runState(page)).toHaveAttribute('data-run-id', run)
  await expect(page.getByTestId('playhead-event')).toContainText('Run created')
})
