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
