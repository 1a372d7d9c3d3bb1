/** The open workflow run on mocks: seen live as every run, with nothing done outside and nothing kept. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { card } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

test('a workflow is run on mocks from the Run menu', async ({ page, server, dataDirectory }) => {
  const kept = join(dataDirectory, 'kept.txt')
  await putWorkflow(dataDirectory, 'shop.json', {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'wf_shop',
    title: 'Shop',
    nodes: {
      ask: {
        kind: 'http-request',
        parameters: { method: 'GET', url: 'http://shop.invalid/price' },
        mocks: { cheap: { output: { price: 3 } } },
      },
      keep: { kind: 'write-file', parameters: { path: kept, content: 'kept' } },
    },
    edges: { e1: { from: { node: 'ask', port: 'out' }, to: { node: 'keep', port: 'in' } } },
    layout: { nodes: { ask: { x: 0, y: 0 }, keep: { x: 300, y: 0 } } },
  })
  await page.goto(server.url)
  await page.getByText('Shop', { exact: true }).first().click()
  await page.getByTestId('run-menu-button').click()
  await page.getByTestId('run-on-mocks').click()
  await expect(card(page, 'keep')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(page.getByTestId('run-on-mocks-band')).toContainText('nothing outside was touched')
  await expect(page.getByTestId('bring-here')).toHaveCount(0)
  await card(page, 'ask').click()
  await expect(page.getByTestId('inspector')).toContainText('price')
  expect(existsSync(kept)).toBe(false)
  // The next run is where it always is.
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect(page.locator('[data-testid^="run-row-"]')).toHaveCount(0)
  await expect(page.getByTestId('run-button')).not.toHaveAttribute('data-site')
})
