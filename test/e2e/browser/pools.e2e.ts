/** Pools as an operator sees them: what works, what waits, and what is changed about them takes effect. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const one = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_pool',
  title: 'One step',
  nodes: { step: { kind: 'transform', parameters: { expression: '1' } } },
  edges: {},
  layout: { nodes: { step: { x: 0, y: 0 } } },
}

async function drain(page: Page): Promise<void> {
  await page.getByText('One step').first().click()
  await page.keyboard.press('Alt+F7')
  const row = page.getByTestId('pool-default')
  await expect(row).toContainText('Active')
  await expect(row).toContainText('1 runner')
  await page.getByTestId('pool-drain-default').click()
  await expect(row).toContainText(/Draining|Inactive/)

  await page.getByLabel('Back to the workflow').click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'step')).toHaveAttribute('data-status', /REGISTERED|REROUTED|WAITING/)
  await page.keyboard.press('Alt+F7')
  // The engine looks every ten seconds whether a draining pool has come to rest.
  await expect(row).toContainText('Inactive')
  await page.getByTestId('pool-activate-default').click()
  await expect(row).toContainText('Active')
  await page.getByLabel('Back to the workflow').click()
  await expect(card(page, 'step')).toHaveAttribute('data-status', 'SUCCESS')
}

async function editInPlace(page: Page): Promise<void> {
  await page.keyboard.press('F7')
  await page.getByRole('tab', { name: 'Pools' }).click()
  const limit = page.getByTestId('pool-limit-default')
  await limit.fill('0')
  await expect(limit).toHaveAttribute('aria-invalid', 'true')
  await limit.fill('3')
  await limit.press('Enter')
  await expect(limit).toHaveAttribute('aria-busy', 'false')
  await page.getByTestId('pool-name').fill('gpu')
  await page.getByTestId('pool-add').click()
  const gpu = page.getByTestId('pool-gpu')
  await expect(gpu).toContainText('0 runners')
  const topic = page.getByTestId('pool-topic-gpu')
  await topic.fill('render')
  await topic.press('Enter')
  await expect(page.getByLabel('Take render from gpu')).toBeVisible()

  await page.reload()
  await page.keyboard.press('Alt+F7')
  await expect(limit).toHaveValue('3')
  await page.getByLabel('Take render from gpu').click()
  await expect(page.getByLabel('Take render from gpu')).toHaveCount(0)
  await limit.fill('')
  await limit.press('Enter')
  await expect(limit).toHaveAttribute('aria-busy', 'false')
  await page.reload()
  await page.keyboard.press('Alt+F7')
  await expect(limit).toHaveValue('')
}

test('a pool is drained and put back, and its limit and topics are edited in place', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'one.json', one)
  await page.goto(server.url)
  await test.step('a pool is drained and put back, and work waits meanwhile', () => drain(page))
  await test.step('limit and topics of a pool are edited in place', () => editInPlace(page))
})
