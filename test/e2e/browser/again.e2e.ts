/** A run that failed goes on: from what failed, from a step, on an edited workflow; or runs again as a whole. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, runState, typeInto } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const link = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

/** `stock` decides whether the middle step fails. */
const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_again',
  title: 'Try again',
  nodes: {
    begin: { kind: 'noop', parameters: {} },
    check: {
      kind: 'transform',
      parameters: { expression: "run.input.stock > 0 ? 'in stock' : $error('Out of stock')" },
    },
    end: { kind: 'noop', parameters: {} },
  },
  edges: { first: link('begin', 'check'), second: link('check', 'end') },
  input: { type: 'object', properties: { stock: { type: 'integer', title: 'Stock', default: 0 } } },
  layout: { nodes: { begin: { x: 0, y: 0 }, check: { x: 320, y: 0 }, end: { x: 640, y: 0 } } },
}

async function fail(page: Page): Promise<string> {
  await page.getByTestId('run-button').click()
  await page.getByTestId('start-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  return (await runState(page).getAttribute('data-run-id')) ?? ''
}

async function goOnFromBefore(page: Page): Promise<void> {
  await openNode(page, 'begin', 'Run data')
  const before = await page.getByTestId('run-data').locator('dd').first().textContent()
  await page.getByTestId('step-retry').click()
  await expect(page.getByTestId('run-data').locator('dd').first()).not.toHaveText(before ?? '')
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
}

async function runAgain(page: Page, runId: string): Promise<void> {
  await page.getByTestId('rerun-button').click()
  const dialog = page.getByTestId('input-dialog')
  await dialog.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('{"stock": "many"}')
  await dialog.getByTestId('input-send').click()
  await expect(dialog.getByRole('alert')).toContainText('Stock')
  await dialog.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('{"stock": 7}')
  await dialog.getByTestId('input-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(runState(page)).not.toHaveAttribute('data-run-id', runId)
}

/** First as it was, then on the edited workflow. */
async function retry(page: Page): Promise<void> {
  const runId = await fail(page)
  await expect(card(page, 'check')).toHaveAttribute('data-status', 'FAILED')
  await page.getByTestId('run-retry').click()
  // The same run goes on and fails again: a second dead letter takes the place of the first.
  await openNode(page, 'check', 'Run data')
  await expect(page.getByTestId('try-0')).toBeVisible()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await expect(page.getByTestId('letters-count')).toHaveText('2')

  await openNode(page, 'check')
  await typeInto(page, 'parameters.expression', "'never mind'")
  await page.keyboard.press('Alt+F5')
  const dialog = page.getByTestId('retry-dialog')
  await expect(dialog.getByLabel('The workflow as it is open now')).toBeChecked()
  await dialog.getByTestId('retry-send').click()
  await expect(dialog).toHaveCount(0)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(runState(page)).toHaveAttribute('data-run-id', runId)
  await expect(card(page, 'end')).toHaveAttribute('data-status', 'SUCCESS')
  await expect(page.getByTestId('retry-button')).toBeDisabled()
  await expect(page.getByTestId('letters-count')).toHaveText('1')
  // What it did before is still there to be read.
  await openNode(page, 'check', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('never mind')
  await page.getByTestId('try-0').click()
  await expect(page.getByTestId('run-error-card')).toContainText('Out of stock')
}

test('what failed goes on from a step before, runs again with another input, and is retried, however late the frames come', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'again.json', workflow)
  await page.goto(server.url)
  await page.getByText('Try again').first().click()
  const runId = await fail(page)
  await test.step('a run goes on from a step before the one that failed', () => goOnFromBefore(page))
  await test.step('a run is run again with another input, as a run of its own', () => runAgain(page, runId))

  // What a frame gathered before the run was shown on another version came after its newer state, once.
  await page.evaluate((lateMs) => {
    const next = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (draw) => window.setTimeout(() => next(draw), lateMs)
  }, 250)
  await test.step('what failed is retried, first as it was, then on the edited workflow, however late the frames come', () =>
    retry(page))
})
