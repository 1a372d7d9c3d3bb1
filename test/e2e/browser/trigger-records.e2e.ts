/** Why a run started, and why none did: from a card, from a run, from an event, and back. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { openAnother, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const workflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_told', title: 'Told by its triggers' },
  edges: {},
}

const often = {
  ...{ ...workflow, id: 'wf_often', title: 'More often than it can' },
  nodes: { wait: { kind: 'delay', parameters: { amount: 20, unit: 'seconds' } } },
  triggers: {
    often: { kind: 'cron', title: 'Heartbeat', parameters: { expression: '* * * * * *' } },
  },
}

async function sayWhy(page: Page): Promise<void> {
  await openAnother(page, often.title)
  await publish(page)
  const card = page.getByTestId('trigger-card-often')
  await expect(card.getByTestId('trigger-last')).toContainText('skipped just now: its last run still goes on')
  await card.locator('[data-stop]').click()
  await page.getByTestId('trigger-why').click()
  await expect(page.getByTestId('trigger-now')).toContainText('Comes next')

  await page.getByTestId('firings-outcome').selectOption('skipped')
  await expect(page.getByTestId('firing-outcome').first()).toHaveText('Skipped: its last run still goes on')
  await page.getByTestId('firing-row').first().click()
  await expect(page.getByTestId('firing-reason')).toHaveText('Skipped: its last run still goes on')
  await expect(page.getByTestId('firing-detail')).toContainText('What to do')
  expect(await barriers(page)).toEqual([])

  await page.getByTestId('firings-outcome').selectOption('started')
  const started = page.getByTestId('firing-detail')
  await expect(started).toContainText('Heartbeat')
  const words = await page.getByTestId('firing-words').textContent()
  await page.getByTestId('firing-run').click()
  await expect(page.getByTestId('run-trigger')).toContainText(words ?? '?')
  await page.getByTestId('run-why').click()
  await expect(page.getByTestId('firing-words')).toHaveText(words ?? '?')
}

const paid = {
  ...workflow,
  nodes: { note: { kind: 'log', parameters: { message: 'Paid' } } },
  triggers: {
    paid: { kind: 'event', title: 'An order was paid', parameters: { name: 'order.*' } },
  },
}

async function withoutTriggers(page: Page): Promise<void> {
  await openRecords(page)
  await expect(page.getByTestId('firings-empty')).toContainText('No trigger has done anything yet.')
  await page.getByTestId('triggers-page').getByRole('tab', { name: 'Events' }).click()
  await expect(page.getByTestId('events-empty')).toContainText('No event is kept.')
  expect(await barriers(page)).toEqual([])
}

async function leadsBothWays(page: Page, dataDirectory: string): Promise<void> {
  const emit = (name: string, id: string) =>
    runCli(['event', 'emit', name, '--payload', '{"order": 7}', '--id', id, '--data', dataDirectory])
  expect((await emit('bill.sent', 'bill-7')).code).toBe(0)
  expect((await emit('order.paid', 'order-7')).code).toBe(0)

  await openRecords(page)
  await page.getByTestId('triggers-page').getByRole('tab', { name: 'Events' }).click()
  await page.getByTestId('event-row').filter({ hasText: 'bill.sent' }).click()
  await expect(page.getByTestId('event-nobody')).toBeVisible()
  await page.getByTestId('event-row').filter({ hasText: 'order.paid' }).click()
  await expect(page.getByTestId('event-payload')).toContainText('order7')
  await expect(page.getByTestId('event-met')).toContainText('Started a run')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('event-firing').click()
  await expect(page.getByTestId('firing-detail')).toContainText('An order was paid')
  await page.getByTestId('firing-run').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('run-why').click()
  await page.getByTestId('source-event').click()
  await expect(page.getByTestId('event-detail')).toContainText('order-7')
}

test('records without triggers, of an event and what it started, and of a slot that started nothing', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'told.json', paid)
  await putWorkflow(dataDirectory, 'often.json', often)
  await page.goto(server.url)
  await test.step('without triggers, the page says how records come to be', () => withoutTriggers(page))
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByText(workflow.title).first().click()
  await publish(page)
  await test.step('an event leads to what it met, and what it started leads back to it', () =>
    leadsBothWays(page, dataDirectory))
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await test.step('a slot that started nothing says why, and a run says what started it', () => sayWhy(page))
})

async function openRecords(page: Page): Promise<void> {
  await page.keyboard.press('F7')
  await page.getByRole('tab', { name: 'Triggers' }).click()
}

async function publish(page: Page): Promise<void> {
  await page.getByTestId('edge-publish').click()
  await expect(page.getByTestId('trigger-publication')).toHaveCount(0)
}
