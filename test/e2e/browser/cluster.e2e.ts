/** A Redis Cluster seen from the designer: named, tested, looked at, run on, and never changed by mistake. */

import { expect } from '@playwright/test'
import { slotOf } from '../../../src-engine/store/redis/slots.ts'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { addCluster, fillCluster, openRemoteWorkflow, openTab, remoteWorkflow, test } from './clusters.ts'
import { putWorkflow, runCli } from './serving.ts'

test('a workflow is run on a cluster by its runners and watched live, and one that dies is replaced', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'remote.json', remoteWorkflow)
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await expect(page.getByTestId('engine-page')).toContainText('No cluster yet')
  await fillCluster(page, { name: 'plant', address: cluster.address, colour: 'amber', isWritable: true })
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('No runner works there now.')
  await expect(page.getByTestId('cluster-check')).toContainText('Safe: a write counts once a replica has it.')
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
  await expect(page.getByTestId('cluster-band')).toHaveAttribute('data-colour', 'amber')

  const [first] = await Promise.all([cluster.startRunner(), cluster.startRunner()])
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(2)
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await openRemoteWorkflow(page)
  await page.getByTestId('run-button').click()
  await page.getByTestId('push-confirm').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'second')).toHaveAttribute('data-status', 'SUCCESS')

  first.kill('SIGKILL')
  // The version is there by now: nothing is to be pushed.
  await page.getByTestId('run-button').click()
  const ended = async (): Promise<number> => {
    const { text } = await runCli(['runs', 'list', '--cluster', 'plant', '--data', dataDirectory, '--json'])
    return text.split('\n').filter((line) => line.includes('"SUCCEEDED"')).length
  }
  await expect.poll(ended, { timeout: 60_000 }).toBe(2)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  // What was done there is not on this computer.
  await page.getByTestId('cluster-leave').click()
  await expect(page.getByTestId('cluster-band')).toHaveCount(0)
  // The page begins anew, with the workflow that was open.
  await expect(card(page, 'first')).toBeVisible()
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(1)
})

test('a cluster that may only be looked at refuses what would change it, and says so', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  await putWorkflow(dataDirectory, 'remote.json', remoteWorkflow)
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address: `${cluster.address}?durability=fast` })
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('Look only')
  const safety = page.getByTestId('cluster-safety')
  await expect(safety).toHaveText('Fast')
  await expect(safety).toHaveAttribute('title', /the last writes before a server is lost may be lost too/)
  await openRemoteWorkflow(page)
  await page.getByTestId('run-button').click()
  await expect(page.getByText('The connection to plant is read-only.').first()).toBeVisible()
})

test('while a part of a cluster doesn’t answer its band says what is missing from the lists', async ({
  page,
  server,
  cluster,
}) => {
  const { address, servers } = cluster
  for (const { admin } of servers) await admin.config('SET', 'cluster-require-full-coverage', 'no')
  await cluster.startRunner()
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address })
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
  // Masters share the slots evenly, in their order, and each has its replica three places behind.
  const home = Math.floor((slotOf('{p0}') * 3) / 16_384)
  const lost = (home + 1) % 3
  const pair = [servers[lost], servers[lost + 3]]
  for (const one of pair) one?.process.kill('SIGSTOP')
  await expect(page.getByTestId('partitions-away')).toContainText('of 64 partitions don’t answer since')
  await expect(page.getByTestId('partitions-away')).toContainText('what they hold is missing here.')
  expect(await barriers(page)).toEqual([])
  for (const one of pair) one?.process.kill('SIGCONT')
  await expect(page.getByTestId('partitions-away')).toHaveCount(0)
})

test('a cluster that doesn’t answer says why, and this computer is one click away', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  const gone = { name: 'gone', address: 'redis://127.0.0.1:1' }
  await fillCluster(page, gone)
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('could not be reached (127.0.0.1:1')
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-gone').click()
  await expect(page.getByTestId('cluster-band')).toContainText('doesn’t answer')
  await page.getByTestId('cluster-leave').click()
  await expect(page.getByTestId('cluster-band')).toHaveCount(0)
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table')).toBeVisible()
})
