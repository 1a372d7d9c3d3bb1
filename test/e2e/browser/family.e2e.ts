/** The family of a run. */

import { expect } from '@playwright/test'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const format = { format: 'sagasmith.workflow', schemaVersion: 1 }
const at = (...nodes: readonly string[]) => ({
  nodes: Object.fromEntries(nodes.map((node, index) => [node, { x: 0, y: index * 120 }])),
})
const call = (workflow: string) => ({ kind: 'sub-workflow', parameters: { workflow } })

const youngest = {
  ...format,
  id: 'wf_invoice',
  title: 'Write the invoice',
  nodes: { write: { kind: 'noop' } },
  edges: {},
  layout: at('write'),
}
const middle = {
  ...format,
  id: 'wf_order',
  title: 'One order',
  nodes: { bill: call('./invoice.json'), again: call('./invoice.json') },
  edges: {},
  layout: at('bill', 'again'),
}
const oldest = {
  ...format,
  id: 'wf_day',
  title: 'All of the day',
  nodes: { order: call('./order.json') },
  edges: {},
  layout: at('order'),
}

test('runs that started each other are one tree, gone through by keys', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'invoice.json', youngest)
  await putWorkflow(dataDirectory, 'order.json', middle)
  await putWorkflow(dataDirectory, 'day.json', oldest)
  await page.goto(server.url)
  await page.getByText('All of the day').first().click()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED', { timeout: 30_000 })

  await page.keyboard.press('Shift+F9')
  await expect(page.getByRole('tab', { name: 'Family' })).toBeFocused()
  const runs = page.getByTestId('family').locator('[aria-current]')
  await expect(runs).toHaveText([/All of the day/, /One order.*by order/])
  await runs.nth(0).focus()
  await page.keyboard.press('ArrowDown')
  await expect(runs.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(runs).toHaveCount(4)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')

  // The youngest is shown now, with the way up to the oldest.
  await expect(card(page, 'write')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(runs).toHaveText([/All of the day/, /One order/, /Write the invoice/, /Write the invoice/])
  await expect(page.getByTestId('family').locator('[aria-current="true"]')).toContainText('Write the invoice')
})
