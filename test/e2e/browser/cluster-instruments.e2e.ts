/** All instruments of runs on a live cluster, whose own runner does the work: another process, another machine as it were. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { runState } from '../designer-driver.ts'
import {
  followAValue,
  forkAndCompare,
  goBackInTime,
  openWalked,
  seeGhosts,
  seeItLive,
  seeLanesAndLogs,
  steerMany,
  walked,
} from '../instruments-walk.ts'
import { lookAtCluster, openListed, openTab, pushAndRun, test } from './clusters.ts'
import { putWorkflow, runCli } from './serving.ts'

/** It waits until somebody cancels it. */
const resting = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_resting',
  title: 'Rest there',
  nodes: { rest: { kind: 'delay', parameters: { amount: 600 } } },
  edges: {},
  layout: { nodes: { rest: { x: 0, y: 0 } } },
}

async function walk(page: Page, dataDirectory: string): Promise<void> {
  await openWalked(page)
  const run = await seeItLive(page, async () => {
    await page.getByTestId('run-button').click()
    await page.getByTestId('push-confirm').click()
  })
  await goBackInTime(page)
  await followAValue(page)
  await seeGhosts(page)
  await forkAndCompare(page)
  await steerMany(page)
  await seeLanesAndLogs(page)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  // The terminal has the same log.
  const told = await runCli([
    'logs',
    'card refused',
    '--run',
    run,
    '--cluster',
    'plant',
    '--data',
    dataDirectory,
    '--json',
  ])
  expect(told.text).toContain('"nodeId":"judge"')
}

async function steerTogether(page: Page): Promise<void> {
  await openListed(page, resting.title, 'rest')
  const before = await pushAndRun(page)
  await expect(runState(page)).toHaveAttribute('data-status', 'WAITING')
  await page.getByTestId('run-button').click()
  await expect(runState(page)).not.toHaveAttribute('data-run-id', before)
  await openTab(page, 'Runs')
  // As it was left, the page shows other ones.
  await page.getByTestId('runs-state-SUCCEEDED').click()
  await expect(page.getByTestId('runs-state-WAITING')).toContainText('2')
  // The counts may be there before the list is.
  await expect(page.getByTestId('runs-row').nth(1)).toHaveAttribute('data-status', 'WAITING')
  const markBoth = async (): Promise<void> => {
    for (const index of [0, 1]) await page.locator('[data-testid^="runs-mark-"]').nth(index).check()
  }
  await markBoth()
  await page.getByTestId('bulk-cancel').click()
  await page.getByTestId('confirm-button').click()
  await expect(page.getByTestId('runs-state-CANCELLED')).toContainText('2')
  await markBoth()
  await page.getByTestId('bulk-retry').click()
  await expect(page.getByTestId('runs-state-WAITING')).toContainText('2')

  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(2)
  await expect(page.getByTestId('chores-strip').locator('[data-current]')).toHaveCount(2)
}

test('runs of a cluster are seen live, gone back in, followed, forked, compared, steered and found in the log', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'walked.json', walked)
  await putWorkflow(dataDirectory, 'resting.json', resting)
  await cluster.startRunner()
  await lookAtCluster(page, { server, cluster, dataDirectory })
  await test.step('a run of a cluster is seen live, gone back in, followed, forked, compared, steered and found in the log', () =>
    walk(page, dataDirectory))
  await cluster.startRunner()
  await test.step('runs of a cluster are cancelled and tried again together, and its chores have their windows', () =>
    steerTogether(page))
})
