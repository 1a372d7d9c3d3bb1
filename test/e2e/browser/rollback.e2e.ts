/** A run that fails takes back what it did: seen on the canvas, and as a list with what was left behind. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const undoBy = (parameters: object, kind = 'write-file') => ({
  task: { kind, parameters },
  retry: { maxAttempts: 1 },
})

const order = (refund: object) => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_rollback',
  title: 'Take the order',
  nodes: {
    reserve: {
      kind: 'write-file',
      title: 'Reserve',
      parameters: { path: 'stock.txt', content: 'one' },
      compensation: undoBy({ path: 'stock-undone.txt', content: 'none' }),
    },
    charge: {
      kind: 'write-file',
      title: 'Charge',
      parameters: { path: 'bill.txt', content: 'paid' },
      compensation: refund,
    },
    mail: {
      kind: 'shell-command',
      title: 'Send the mail',
      parameters: { program: 'true' },
      compensation: { impossible: 'A mail can’t be called back' },
    },
    ship: { kind: 'debug', title: 'Ship', parameters: { failTimes: 9, failMessage: 'No carrier' } },
  },
  edges: {
    one: { from: { node: 'reserve', port: 'out' }, to: { node: 'charge', port: 'in' } },
    two: { from: { node: 'charge', port: 'out' }, to: { node: 'mail', port: 'in' } },
    three: { from: { node: 'mail', port: 'out' }, to: { node: 'ship', port: 'in' } },
  },
  layout: {
    nodes: {
      reserve: { x: 0, y: 0 },
      charge: { x: 300, y: 0 },
      mail: { x: 600, y: 0 },
      ship: { x: 900, y: 0 },
    },
  },
})

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByText('Take the order').first().click()
  await expect(card(page, 'ship')).toBeVisible()
}

test('what would stay is told before the run, and what was undone after it', async ({
  page,
  server,
  dataDirectory,
}) => {
  const sound = order(undoBy({ path: 'bill-undone.txt', content: 'refunded' }))
  await putWorkflow(dataDirectory, 'order.json', sound)
  await open(page, server.url)
  await expect(page.getByTestId('rollback-button')).toHaveText('Undo 2 of 3')
  await page.getByTestId('rollback-button').click()
  await expect(page.getByTestId('coverage')).toContainText('2 of 3 effects can be undone.')
  await expect(page.getByTestId('coverage')).toContainText('A mail can’t be called back')

  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await expect(page.getByTestId('run-rollback')).toContainText(
    'All 2 steps that could be undone were undone.',
  )
  for (const node of ['reserve', 'charge']) {
    await expect(card(page, node)).toHaveAttribute('data-undo-phase', 'done')
    await expect(card(page, node)).toContainText(/Undone\s*\d\d:\d\d:\d\d/)
  }
  const entries = page.getByTestId('rollback').getByRole('list', { name: 'What is undone, in order' })
  await expect(entries.getByRole('listitem')).toHaveCount(2)
  await expect(entries.getByRole('listitem').first()).toContainText('Charge')
  await expect(page.getByTestId('left-behind')).toContainText('Send the mail')
  await openNode(page, 'charge', 'Run data')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
  await expect(page.getByTestId('run-undone')).toContainText('How it was undone')
})

test('a step that can’t be undone waits for a person: try again, skip, give up', async ({
  page,
  server,
  dataDirectory,
}) => {
  const broken = order(undoBy({ failTimes: 9, failMessage: 'The bank is closed' }, 'debug'))
  await putWorkflow(dataDirectory, 'order.json', broken)
  await open(page, server.url)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')
  await page.getByTestId('run-rollback-show').click()
  await expect(page.getByTestId('undo-entry-charge')).toContainText('The bank is closed')
  await expect(card(page, 'charge')).toHaveAttribute('data-undo-phase', 'failed')

  await page.getByTestId('undo-retry-charge').click()
  await expect(page.getByTestId('undo-entry-charge')).toContainText('2 attempts')
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')

  await page.getByTestId('undo-skip-charge').click()
  const dialog = page.getByTestId('reason-dialog')
  await dialog.getByTestId('reason-text').fill('Refunded by phone')
  await dialog.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await expect(card(page, 'reserve')).toHaveAttribute('data-undo-phase', 'done')
  await expect(page.getByTestId('left-behind')).toContainText('Charge')
})

test('a rollback is given up for good', async ({ page, server, dataDirectory }) => {
  const broken = order(undoBy({ failTimes: 9, failMessage: 'The bank is closed' }, 'debug'))
  await putWorkflow(dataDirectory, 'order.json', broken)
  await open(page, server.url)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATION_FAILED')
  await page.getByTestId('run-rollback-show').click()
  await page.getByTestId('rollback-abandon').click()
  await page.getByTestId('reason-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'ABANDONED')
  await expect(page.getByTestId('run-rollback')).toContainText('given up')
})
