/** A runner that executes only what was signed: the app says so, and signing from there has the run go on. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { runState } from '../designer-driver.ts'
import { addCluster, openRemoteWorkflow, openTab, remoteWorkflow, test } from './clusters.ts'
import { putWorkflow, runCli } from './serving.ts'

test('a version that nobody there trusts is told, signed from the run’s strip, and goes on', async ({
  page,
  server,
  dataDirectory,
  cluster,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-signed-'))
  await putWorkflow(dataDirectory, 'remote.json', remoteWorkflow)
  await page.goto(server.url)
  await openTab(page, 'Trust')
  await page.getByTestId('new-key-name').fill('ada')
  await page.getByTestId('new-key-make').click()
  const key = page.getByTestId('own-key-ada').locator('code')
  await expect(key).toContainText('ed25519:')
  expect(await barriers(page)).toEqual([])
  await runCli(['trust', 'keys', 'add', 'ada', (await key.textContent()) ?? '', '--data', folder])
  await page.getByRole('tab', { name: 'Clusters' }).click()
  await addCluster(page, { name: 'plant', address: cluster.address, colour: 'green', isWritable: true })
  await cluster.startRunner({ folder, args: ['--trust', 'signed'] })
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await openRemoteWorkflow(page)

  await page.getByTestId('run-menu-button').click()
  await page.getByTestId('run-at-plant').click()
  await expect(page.getByTestId('push-checks')).toContainText('No runner there trusts this version yet.')
  await expect(page.getByTestId('push-sign')).toHaveValue('')
  await page.getByTestId('push-confirm').click()
  const notice = page.getByTestId('trust-notice')
  await expect(notice).toContainText('Nobody signed it.')
  await expect(notice).toContainText('executes only what a key signed that it trusts')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('trust-sign-ada').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(notice).toHaveCount(0)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
