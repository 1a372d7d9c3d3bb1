/** A Redis Cluster seen from the designer: named, tested, looked at, run on, and never changed by mistake. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type { RedisServers } from '../../support/redis-servers.ts'
import { startRedisCluster } from '../../support/redis-servers.ts'
import { card, runState } from '../designer-driver.ts'
import { cliPath, putWorkflow, runCli, test } from './serving.ts'

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_remote',
  title: 'Done far away',
  nodes: {
    first: { kind: 'transform', parameters: { expression: '6 * 7' } },
    second: { kind: 'debug', parameters: { sleepMs: 300 } },
  },
  edges: { e: { from: { node: 'first', port: 'out' }, to: { node: 'second', port: 'in' } } },
  layout: { nodes: { first: { x: 0, y: 0 }, second: { x: 320, y: 0 } } },
}

let cluster: RedisServers
let address = ''
let folders: string[] = []
let runners: ChildProcess[] = []

test.beforeEach(async () => {
  cluster = await startRedisCluster()
  address = `redis://${cluster.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
})

test.afterEach(async () => {
  for (const runner of runners) runner.kill('SIGKILL')
  runners = []
  await cluster.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders = []
})

/** A runner that has said that it works. */
async function startRunner(): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-runner-'))
  folders.push(folder)
  const runner = spawn(process.execPath, [cliPath, 'runner', '--store', address, '--data', folder, '--json'])
  runners.push(runner)
  await new Promise<void>((settle) => runner.stdout.once('data', () => settle()))
  return runner
}

/** The page begins anew on another cluster, with what was open. */
async function openWorkflow(page: Page): Promise<void> {
  const named = page.getByText('Done far away').first()
  await expect(card(page, 'first').or(named).first()).toBeVisible()
  if (!(await card(page, 'first').isVisible())) await named.click()
  await expect(card(page, 'first')).toBeVisible()
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name }).click()
}

test('a workflow is run on a cluster by its runners and watched live, and one that dies is replaced', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'remote.json', workflow)
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await expect(page.getByTestId('engine-page')).toContainText('No cluster yet')
  await page.getByTestId('cluster-add').click()
  await page.getByTestId('cluster-name').fill('plant')
  await page.getByTestId('cluster-address').fill(address)
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('No runner works there now.')
  await expect(page.getByTestId('cluster-check')).toContainText('Safe: a write counts once a replica has it.')
  await page.getByTestId('cluster-colour').selectOption('amber')
  await page.getByTestId('cluster-read-only').uncheck()
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
  await expect(page.getByTestId('cluster-band')).toHaveAttribute('data-colour', 'amber')

  const [first] = await Promise.all([startRunner(), startRunner()])
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(2)
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await openWorkflow(page)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'second')).toHaveAttribute('data-status', 'SUCCESS')

  first.kill('SIGKILL')
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
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table').locator('tbody tr')).toHaveCount(1)
})

test('a cluster that may only be looked at refuses what would change it, and says so', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'remote.json', workflow)
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await page.getByTestId('cluster-add').click()
  await page.getByTestId('cluster-name').fill('plant')
  await page.getByTestId('cluster-address').fill(`${address}?durability=fast`)
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('Look only')
  const safety = page.getByTestId('cluster-safety')
  await expect(safety).toHaveText('Fast')
  await expect(safety).toHaveAttribute('title', /the last writes before a server is lost may be lost too/)
  await openWorkflow(page)
  await page.getByTestId('run-button').click()
  await expect(page.getByText('The connection to plant is read-only.').first()).toBeVisible()
})

test('a cluster that doesn’t answer says why, and this computer is one click away', async ({
  page,
  server,
}) => {
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await page.getByTestId('cluster-add').click()
  await page.getByTestId('cluster-name').fill('gone')
  await page.getByTestId('cluster-address').fill('redis://127.0.0.1:1')
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('could not be reached (127.0.0.1:1')
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-open-gone').click()
  await expect(page.getByTestId('cluster-band')).toContainText('doesn’t answer')
  await page.getByTestId('cluster-leave').click()
  await openTab(page, 'Runners')
  await expect(page.getByTestId('runners-table')).toBeVisible()
})
