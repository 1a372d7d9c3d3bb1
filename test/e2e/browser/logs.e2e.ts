/** One log of all runs: looked through by words, urgency and what is pasted, followed live, and led from to the run then. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState, startRun } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const greeting = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_greeting',
  title: 'Greet and fail',
  nodes: {
    greet: { kind: 'log', parameters: { message: 'Hello, harbour.' } },
    warn: { kind: 'log', parameters: { message: 'The tide is low.', level: 'warn' } },
    sink: { kind: 'debug', parameters: { failTimes: 9, failMessage: 'It sank.', retryable: false } },
  },
  edges: {
    a: { from: { node: 'greet', port: 'out' }, to: { node: 'warn', port: 'in' } },
    b: { from: { node: 'warn', port: 'out' }, to: { node: 'sink', port: 'in' } },
  },
  layout: { nodes: { greet: { x: 0, y: 0 }, warn: { x: 320, y: 0 }, sink: { x: 640, y: 0 } } },
}

const rows = (page: Page) => page.getByTestId('log-row')

async function openLogs(page: Page): Promise<void> {
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Logs' }).click()
  await expect(page.getByTestId('logs-page')).toBeVisible()
}

async function runOnce(page: Page): Promise<void> {
  await startRun(page)
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
}

async function lookThrough(page: Page): Promise<void> {
  await openLogs(page)
  await expect(page.getByTestId('logs-page')).toContainText('Nothing was logged yet.')
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByText(greeting.title).first().click()
  await runOnce(page)
  await openLogs(page)
  await expect(rows(page).filter({ hasText: 'Hello, harbour.' })).toHaveCount(1)
  await expect(rows(page).first()).toContainText('Run failed: It sank.')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  await page.getByTestId('logs-source').selectOption('lines')
  await expect(rows(page)).toHaveCount(3)
  await page.getByTestId('logs-level').selectOption('warn')
  await expect(rows(page)).toHaveCount(2)
  await page.getByTestId('logs-level').selectOption('error')
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('logs-clear').click()
  await page.getByTestId('logs-text').fill('HARBOUR')
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('logs-time').selectOption('range')
  await page.getByTestId('logs-to').fill('2020-01-01T00:00:00')
  await expect(page.getByTestId('logs-page')).toContainText('Nothing that was logged fits.')
  await page.getByTestId('logs-to').fill('')
  await expect(rows(page)).toHaveCount(1)

  // By keys: the row, then the run as it was when that was printed.
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('engine-page')).toHaveCount(0)
  await expect(page.getByTestId('playhead-event')).toContainText('greet: Done')
  await expect(card(page, 'sink')).not.toHaveAttribute('data-status', 'FAILED')
  // Who comes back finds the page as it was left.
  await openLogs(page)
  await expect(page.getByTestId('logs-text')).toHaveValue('HARBOUR')
}

async function pasteAndFollow(page: Page, dataDirectory: string): Promise<void> {
  const printed = rows(page).filter({ hasText: 'Hello, harbour.' })
  await expect(printed).toHaveCount(2)
  const title = (await printed.first().getAttribute('title')) ?? ''
  const run = /run_[^\s·]+/.exec(title)?.[0] ?? ''
  expect(run).not.toBe('')
  await page
    .getByTestId('logs-text')
    .fill(`{"level":"warn","run_id":"${run}","invocation_id":"${run}/warn","message":"late"}`)
  await expect(page.getByTestId('logs-pasted')).toContainText(`The text names the step “warn” of ${run}`)
  await expect(rows(page).filter({ hasText: 'The tide is low.' })).toHaveCount(1)
  await expect(rows(page).filter({ hasText: 'Hello, harbour.' })).toHaveCount(0)
  await page.getByTestId('logs-text').fill(run)
  await expect(page.getByTestId('logs-pasted')).toContainText(`The text names the run ${run}`)
  await expect(printed).toHaveCount(1)
  await page.getByTestId('logs-clear').click()
  await expect(printed).toHaveCount(2)

  const again = async (): Promise<void> => {
    const { code } = await runCli(['runs', 'rerun', run, '--data', dataDirectory])
    expect(code).not.toBe(2)
  }
  await again()
  await expect(printed).toHaveCount(3)
  await page.getByTestId('logs-live').click()
  await expect(page.getByTestId('logs-live')).toHaveAttribute('aria-pressed', 'false')
  await again()
  const told = await runCli(['logs', 'harbour', '--source', 'lines', '--data', dataDirectory, '--json'])
  expect(told.text.split('\n').filter((line) => line.includes('Hello, harbour.'))).toHaveLength(4)
  await expect(printed).toHaveCount(3)
  await page.getByTestId('logs-live').click()
  await expect(printed).toHaveCount(4)
}

test('what was printed and what happened is found, narrowed, followed, and leads to the run at that moment', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'greeting.json', greeting)
  await page.goto(server.url)
  await test.step('what was printed and what happened is found, narrowed, and leads to the run at that moment', () =>
    lookThrough(page))
  await page.getByTestId('logs-clear').click()
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await runOnce(page)
  await openLogs(page)
  await test.step('a pasted line leads to what it names, and the list follows what happens until it is paused', () =>
    pasteAndFollow(page, dataDirectory))
})
