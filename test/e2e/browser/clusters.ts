/** A Redis Cluster of the test's own with its runners, and what a person does with it in the designer. */

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
import type { Server } from './serving.ts'
import { test as base, cliPath, runCli } from './serving.ts'

export interface TestCluster {
  readonly address: string
  readonly servers: RedisServers['servers']
  /** A runner that has said that it works, with a data directory of its own unless one is named. */
  readonly startRunner: (options?: RunnerOptions) => Promise<ChildProcess>
}

export interface RunnerOptions {
  readonly folder?: string
  readonly args?: readonly string[]
}

/** Playwright's `test` with a server of its own, and a cluster. */
export const test = base.extend<{ readonly cluster: TestCluster }>({
  cluster: async ({ browserName }, provide) => {
    const redis = await startRedisCluster()
    const address = `redis://${redis.servers.map(({ host, port }) => `${host}:${port}`).join(',')}`
    const folders: string[] = []
    const runners: ChildProcess[] = []
    const newFolder = (): string => {
      const folder = mkdtempSync(join(tmpdir(), `sagasmith-runner-${browserName}-`))
      folders.push(folder)
      return folder
    }
    const startRunner = async ({ folder = newFolder(), args = [] }: RunnerOptions = {}) => {
      const line = [cliPath, 'runner', '--store', address, '--data', folder, '--json', ...args]
      const runner = spawn(process.execPath, line)
      runners.push(runner)
      await new Promise<void>((settle, fail) => {
        runner.stdout.once('data', () => settle())
        runner.once('exit', (code) => fail(new Error(`The runner ended with ${code} before it worked.`)))
      })
      return runner
    }
    await provide({ address, servers: redis.servers, startRunner })
    for (const runner of runners) runner.kill('SIGKILL')
    await redis.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },
})

/** Two steps in a row, of which the second takes a moment. */
export const remoteWorkflow = {
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

/** Opens a page of the engine. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name }).click()
}

export interface NewCluster {
  readonly name: string
  readonly address: string
  readonly colour?: string
  /** Only to look at when absent. */
  readonly isWritable?: boolean
}

/** Writes a cluster's name and address into the dialog of adding one. */
export async function fillCluster(page: Page, { name, address, ...more }: NewCluster): Promise<void> {
  await page.getByTestId('cluster-add').click()
  await page.getByTestId('cluster-name').fill(name)
  await page.getByTestId('cluster-address').fill(address)
  if (more.colour !== undefined) await page.getByTestId('cluster-colour').selectOption(more.colour)
  if (more.isWritable === true) await page.getByTestId('cluster-read-only').uncheck()
}

/** Names a cluster on the page of clusters. */
export async function addCluster(page: Page, cluster: NewCluster): Promise<void> {
  await fillCluster(page, cluster)
  await page.getByTestId('cluster-save').click()
  await expect(page.getByTestId(`cluster-${cluster.name}`)).toBeVisible()
}

/** Opens the workflow, whether it is open already or listed on the start page. */
export async function openRemoteWorkflow(page: Page): Promise<void> {
  const named = page.getByText(remoteWorkflow.title).first()
  await expect(card(page, 'first').or(named).first()).toBeVisible()
  // While it opens its title is in other places, which can't be clicked.
  await expect(async () => {
    if (!(await card(page, 'first').isVisible())) await named.click({ timeout: 2_000 })
    await expect(card(page, 'first')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}

/** Where a cluster is looked at from. */
export interface LookOptions {
  readonly server: Server
  readonly cluster: TestCluster
  readonly dataDirectory: string
}

/** A page about the cluster, which may be changed through it. */
export async function lookAtCluster(
  page: Page,
  { server, cluster, dataDirectory }: LookOptions,
): Promise<void> {
  await runCli(['clusters', 'add', 'plant', cluster.address, '--writable', '--data', dataDirectory])
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await page.getByTestId('cluster-open-plant').click()
  await expect(page.getByTestId('cluster-band')).toContainText('plant')
}

/** Opens a workflow of the start page and waits for a step of it. */
export async function openListed(page: Page, title: string, step: string): Promise<void> {
  const back = page.getByRole('button', { name: 'Back to the workflow' })
  if (await back.isVisible()) await back.click()
  if (await page.getByTestId('home-button').isVisible()) await page.getByTestId('home-button').click()
  // A page that has just been drawn may take the first press for nothing.
  await expect(async () => {
    if (!(await card(page, step).isVisible())) await page.getByText(title).first().click({ timeout: 2_000 })
    await expect(card(page, step)).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}

/** Runs the open workflow there, which it isn't known to yet; gives the run's id. */
export async function pushAndRun(page: Page): Promise<string> {
  const before = await runState(page)
    .getAttribute('data-run-id', { timeout: 1_000 })
    .catch(() => null)
  await page.getByTestId('run-button').click()
  await page.getByTestId('push-confirm').click()
  await expect(runState(page)).toHaveAttribute('data-run-id', /^run_/)
  if (before !== null) await expect(runState(page)).not.toHaveAttribute('data-run-id', before)
  return (await runState(page).getAttribute('data-run-id')) ?? ''
}
