/**
 * Makes the pictures of triggers in docs/images: `node test/e2e/trigger-screenshots.ts` after a build. The
 * server listens for web calls at a free port.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { chromium, expect } from '@playwright/test'
import { putWorkflow, runCli, startServer } from './browser/serving.ts'
import { chromiumOptions } from './chromium.ts'

const target = resolve(import.meta.dirname, '../../docs/images')
/** A busy machine may take its time. */
const patience = { timeout: 60_000 }
const format = { format: 'sagasmith.workflow', schemaVersion: 1 }
const lisbon = { timeZone: 'Europe/Lisbon' }

const orders = {
  ...format,
  id: 'wf_settle',
  title: 'Settle the orders of the day',
  triggers: {
    morning: {
      ...{ kind: 'cron', title: 'Each morning', parameters: { expression: '0 9 * * MON-FRI', ...lisbon } },
    },
    often: { kind: 'cron', title: 'Look for late ones', parameters: { expression: '*/3 * * * * *' } },
    paid: { kind: 'event', title: 'An order was paid', parameters: { name: 'order.*' } },
    shop: {
      ...{ kind: 'webhook', title: 'From the shop', parameters: { path: 'orders', auth: { kind: 'none' } } },
    },
  },
  nodes: {
    load: { kind: 'transform', title: 'Load the orders', parameters: { expression: '{ "orders": 3 }' } },
    settle: { kind: 'delay', title: 'Settle each', parameters: { amount: 8, unit: 'seconds' } },
    audit: { kind: 'log', title: 'Write the audit line', parameters: { message: 'Begun' } },
  },
  edges: { next: { from: { node: 'load', port: 'out' }, to: { node: 'settle', port: 'in' } } },
  layout: { nodes: { load: { x: 0, y: 0 }, settle: { x: 320, y: 0 }, audit: { x: 0, y: 160 } } },
}

/** A month with something on it. */
const month = {
  ...format,
  id: 'wf_books',
  title: 'The books',
  triggers: {
    nightly: { kind: 'cron', title: 'Copy', parameters: { expression: '30 2 * * *', ...lisbon } },
    close: {
      kind: 'cron',
      title: 'Close the day',
      parameters: { expression: '30 2 * * MON-SAT', ...lisbon },
    },
    bills: { kind: 'cron', title: 'Bills', parameters: { expression: '0 8-18 1,15 * *', ...lisbon } },
    end: { kind: 'cron', title: 'End of the month', parameters: { expression: '0 12 31 * *', ...lisbon } },
  },
  nodes: { note: { kind: 'log', parameters: { message: 'Done' } } },
  edges: {},
}

const dataDirectory = await mkdtemp(join(tmpdir(), 'sagasmith-screenshots-'))
await mkdir(target, { recursive: true })
await putWorkflow(dataDirectory, 'settle.json', orders)
await putWorkflow(dataDirectory, 'books.json', month)
const server = await startServer(dataDirectory, 0, { SAGASMITH_WEBHOOK_PORT: '0' })
const browser = await chromium.launch(chromiumOptions)
try {
  const page = await browser.newPage({
    ...{ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1, colorScheme: 'light' },
    timezoneId: 'Europe/Lisbon',
  })
  await page.goto(server.url)
  await takeCards(page)
  await takeRecords(page)
  await takeMonth(page)
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 })
}

async function takeCards(page: Page): Promise<void> {
  await openAndPublish(page, orders.title)
  const often = page.getByTestId('trigger-card-often')
  await expect(often.getByTestId('trigger-last')).toContainText('skipped', patience)
  await often.locator('[data-stop]').click()
  await take(page, 'triggers')
}

async function takeRecords(page: Page): Promise<void> {
  const event = ['event', 'emit', 'order.paid', '--payload', '{"order": 7, "total": 120}', '--id', 'order-7']
  await runCli([...event, '--data', dataDirectory])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByTestId('trigger-why').click()
  await page.getByTestId('firings-outcome').selectOption('skipped')
  await expect(page.getByTestId('firing-reason')).toBeVisible(patience)
  await take(page, 'trigger-records')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByLabel('Back to the workflow').click()
  // It would drown the month that comes next.
  await page.getByTestId('trigger-card-often').getByTestId('trigger-switch').click()
  const off = expect(page.getByTestId('trigger-card-often'))
  await off.toHaveAttribute('data-standing', 'offByHand', patience)
}

async function takeMonth(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await openAndPublish(page, month.title)
  await page.getByTestId('trigger-card-nightly').locator('[data-stop]').click()
  await page.getByTestId('schedule-month').click()
  // A month in which clocks change.
  const shown = page.getByTestId('schedules-month')
  for (let pages = 0; pages < 12 && !(await shown.textContent())?.startsWith('March'); pages += 1)
    await page.getByRole('button', { name: 'The month after' }).click()
  await expect(page.getByTestId('schedules-page')).toContainText('clocks go forward', patience)
  await page.getByRole('button', { name: 'clocks go forward' }).click()
  await expect(page.getByTestId('day-detail')).toBeVisible()
  await page.getByTestId('toasts').getByRole('button').click()
  await take(page, 'month')
}

async function openAndPublish(page: Page, title: string): Promise<void> {
  await page.getByText(title).first().click()
  await page.getByTestId('edge-publish').click()
  await expect(page.getByTestId('trigger-publication')).toHaveCount(0, patience)
}

/** One picture, once the pointer is out of the way. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(720, 899)
  await page.screenshot({ path: join(target, `${name}.png`), animations: 'disabled' })
  process.stdout.write(`docs/images/${name}.png\n`)
}
