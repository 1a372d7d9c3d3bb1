/** Sealed values of a cluster: chosen with its connection, told wherever it is looked at, and its keys. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { addCluster, fillCluster, openTab, test } from './clusters.ts'
import { runCli } from './serving.ts'

test('a cluster is sealed with its connection, and its keys are listed, prepared, changed and forgotten', async ({
  page,
  server,
  cluster,
}) => {
  const { address } = cluster
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await fillCluster(page, { name: 'plant', address, colour: 'green' })
  await expect(page.getByTestId('cluster-seal')).toBeDisabled()
  await page.getByTestId('cluster-read-only').uncheck()
  await page.getByTestId('cluster-test').click()
  await expect(page.getByTestId('cluster-check')).toContainText('It answers.')
  await page.getByTestId('cluster-seal').check()
  await expect(page.getByTestId('cluster-sealing')).toContainText('With a new key')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('cluster-save').click()
  await page.getByTestId('cluster-test-plant').click()
  await expect(page.getByTestId('cluster-check-plant')).toContainText('Sealed with the key')
  await page.getByTestId('cluster-edit-plant').click()
  await expect(page.getByTestId('cluster-sealing')).toContainText('which this computer has')
  await expect(page.getByTestId('cluster-seal')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByTestId('cluster-open-plant').click()
  await openTab(page, 'Sealing')
  await expect(page.getByTestId('seal-state')).toContainText('Sealed with the key')
  const rows = page.getByTestId('seal-keys').locator('tbody tr')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('Seals')
  await expect(page.getByTestId('seal-export')).toHaveText(
    'sagasmith seal export keys.json --passphrase --cluster plant',
  )
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('seal-prepare').click()
  await expect(rows.nth(1)).toHaveAttribute('data-use', 'prepared')
  await page.getByTestId('seal-rotate').click()
  await page.getByTestId('confirm-button').click()
  await expect(rows.nth(0)).toHaveAttribute('data-use', 'reads')
  await expect(rows.nth(1)).toHaveAttribute('data-use', 'seals')
  await rows.nth(0).getByRole('button', { name: 'Forget …' }).click()
  await page.getByTestId('confirm-button').click()
  await expect(rows).toHaveCount(1)

  const other = mkdtempSync(join(tmpdir(), 'sagasmith-keyless-'))
  const { text } = await runCli(['seal', 'list', '--cluster', address, '--data', other])
  expect(text).toContain('which this machine doesn’t have')
  rmSync(other, { recursive: true, force: true, maxRetries: 5 })
})

test('a cluster that others sealed says which key is missing here', async ({ page, server, cluster }) => {
  await cluster.startRunner({ args: ['--seal'] })
  await page.goto(server.url)
  await openTab(page, 'Clusters')
  await addCluster(page, { name: 'plant', address: cluster.address, isWritable: true })
  await page.getByTestId('cluster-test-plant').click()
  await expect(page.getByTestId('cluster-check-plant')).toContainText('which this machine doesn’t have')
  await page.getByTestId('cluster-open-plant').click()
  await openTab(page, 'Sealing')
  await expect(page.getByTestId('seal-state')).toContainText('it only reads here')
  await expect(page.getByTestId('seal-rotate')).toBeDisabled()
  await expect(page.getByTestId('seal-no-keys')).toBeVisible()
})
