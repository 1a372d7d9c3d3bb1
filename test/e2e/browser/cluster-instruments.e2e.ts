/** All instruments of runs on a live cluster, whose own runner does the work: another process, another machine as it were. */

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
import { addCluster, openTab, test } from './clusters.ts'
import { putWorkflow, runCli } from './serving.ts'

test('a run of a cluster is seen live, gone back in, followed, forked, compared, steered and found in the log', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'walked.json', walked)
  await cluster.startRunner()
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address: cluster.address, isWritable: true })
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
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
})

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

/** So many at the same time that four runners share them. */
const shared = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_shared',
  title: 'Share the work',
  nodes: {
    each: { kind: 'map', parameters: { items: '[1..96]', limit: 96 } },
    ask: { kind: 'debug', parent: 'each', parameters: { sleepMs: 4_000 } },
  },
  edges: {},
  layout: { nodes: { each: { x: 0, y: 0, width: 400, height: 220 }, ask: { x: 40, y: 60 } } },
}

test('runs of a cluster are cancelled and tried again together, and who took over from a dead runner is seen', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'resting.json', resting)
  const file = await putWorkflow(dataDirectory, 'shared.json', shared)
  const [first] = await Promise.all(Array.from({ length: 4 }, () => cluster.startRunner()))
  if (first === undefined) throw new Error('nobody works')
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address: cluster.address, isWritable: true })
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
  await page.getByText(resting.title).first().click()
  await expect(page.getByTestId('node-rest')).toBeVisible()
  await page.getByTestId('run-button').click()
  await page.getByTestId('push-confirm').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'WAITING')
  const before = (await runState(page).getAttribute('data-run-id')) ?? ''
  await page.getByTestId('run-button').click()
  await expect(runState(page)).not.toHaveAttribute('data-run-id', before)
  await openTab(page, 'Runs')
  await expect(page.getByTestId('runs-state-WAITING')).toContainText('2')
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

  const there = ['--cluster', 'plant', '--data', dataDirectory]
  const running = runCli(['run', file, '--json', ...there])
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(4)
  await expect(page.locator('[data-testid="lane-bar"][data-outcome="at-work"]').first()).toBeAttached()
  first.kill('SIGKILL')
  await expect(page.locator('[data-testid="lane-bar"][data-outcome="lost"]').first()).toBeAttached()
  await expect(page.getByTestId('take-overs').locator('line').first()).toBeAttached()
  await expect(page.getByTestId('chores-strip')).toBeVisible()
  expect((await running).code).toBe(0)
})
