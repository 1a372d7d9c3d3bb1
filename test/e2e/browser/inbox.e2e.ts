/** Decisions that a run waits for: seen, and made, in the inbox, on the canvas and in the inspector. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const shipping = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_shipping',
  title: 'Ship the order',
  nodes: {
    ask: {
      kind: 'approval',
      title: 'Four eyes',
      parameters: {
        title: 'Ship order 4711?',
        message: 'The customer is **new**.\n\n- paid\n- in stock',
        details: '{ "weight": 3 }',
        pushBack: true,
        onExpiry: 'reject',
        amount: 2,
        form: {
          type: 'object',
          properties: { carrier: { type: 'string', title: 'Carrier', enum: ['DHL', 'UPS'], default: 'DHL' } },
        },
      },
    },
    ship: { kind: 'log', title: 'Ship', parameters: { message: 'shipped' } },
    stop: { kind: 'log', title: 'Keep', parameters: { message: 'kept' } },
  },
  edges: {
    yes: { from: { node: 'ask', port: 'approved' }, to: { node: 'ship', port: 'in' } },
    no: { from: { node: 'ask', port: 'rejected' }, to: { node: 'stop', port: 'in' } },
  },
  layout: { nodes: { ask: { x: 0, y: 0 }, ship: { x: 340, y: 0 }, stop: { x: 340, y: 140 } } },
}

async function startAndWait(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
}

test('an approval waits in the inbox and is decided there', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await page.goto(server.url)
  await expect(page.getByTestId('inbox-count')).toHaveCount(0)
  await page.keyboard.press('Alt+F8')
  await expect(page.getByTestId('inbox-empty')).toBeVisible()
  await page.keyboard.press('Alt+F8')
  await page.getByText(shipping.title).first().click()
  await startAndWait(page)
  await expect(page.getByTestId('inbox-count')).toHaveText('1')

  await page.getByTestId('inbox-button').click()
  const detail = page.getByTestId('inbox-detail')
  await expect(detail.getByRole('heading', { level: 1 })).toHaveText('Ship order 4711?')
  await expect(detail.locator('b').filter({ hasText: 'new' })).toBeVisible()
  await expect(detail).toContainText('weight')
  await expect(detail.getByTestId('approval-expiry')).toContainText('Counts as rejected')
  await expect(detail.getByTestId('approval-hash')).toHaveText(/^[0-9a-f]{12}$/)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  // Nothing is pushed back without a word.
  await expect(page.getByTestId('approval-push-back')).toBeDisabled()
  await detail.getByLabel('Carrier').selectOption('UPS')
  await page.getByTestId('approval-person').fill('Anna')
  await page.getByTestId('approval-comment').fill('By express')
  await page.getByTestId('approval-approve').click()
  await expect(page.getByTestId('inbox-empty')).toBeVisible()
  await expect(page.getByTestId('inbox-count')).toHaveCount(0)

  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'ask', 'Run data')
  await expect(page.getByTestId('run-decided')).toContainText('Approved by Anna')
  await expect(page.getByTestId('run-output')).toContainText('UPS')
})

test('a step that asks is decided from its card, and rejecting goes its own way', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await page.goto(server.url)
  await page.getByText(shipping.title).first().click()
  await startAndWait(page)
  await expect(page.getByTestId('run-approval')).toContainText('“Four eyes” waits for a decision')
  await page.getByTestId('approve-ask').click()
  await expect(page.getByTestId('approval-form')).toBeVisible()
  await page.getByTestId('approval-reject').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'stop')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(card(page, 'ship')).toHaveAttribute('data-status', 'SKIPPED')
})

test('the list of what waits is gone through by keys', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'shipping.json', shipping)
  await page.goto(server.url)
  await page.getByText(shipping.title).first().click()
  await startAndWait(page)
  await page.getByTestId('run-button').click()
  await expect(page.getByTestId('inbox-count')).toHaveText('2')
  await page.getByTestId('inbox-button').click()
  const rows = page.getByTestId('inbox-row')
  await expect(rows).toHaveCount(2)
  await page.getByTestId('inbox-list').focus()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Home')
  await expect(rows.nth(0)).toHaveAttribute('aria-selected', 'true')
})
