/** All runs on one page: counted, narrowed, kept as a view, steered at once, opened, and found by a pasted id. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const resting = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_rest',
  title: 'Rest a while',
  nodes: { rest: { kind: 'delay', parameters: { amount: 600 } } },
  edges: {},
}

const rows = (page: Page) => page.getByTestId('runs-row')

test('runs are narrowed, kept as a view, steered at once, and found by an id', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'resting.json', resting)
  await page.goto(server.url)
  await page.getByText('Rest a while').first().click()
  for (let count = 1; count <= 2; count += 1) {
    await page.getByTestId('run-button').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'WAITING')
    await page.getByRole('tab', { name: 'Runs' }).click()
    await expect(page.locator('[data-testid^="run-row-"]')).toHaveCount(count)
  }
  await page.getByTestId('engine-button').click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByTestId('runs-state-WAITING')).toContainText('2')

  // What is cancelled changes in place, also where it fits the filter no more.
  await page.getByTestId('runs-view-waiting').click()
  await expect(rows(page)).toHaveCount(2)
  await page.locator('[data-testid^="runs-mark-"]').first().check()
  await page.getByTestId('bulk-cancel').click()
  await expect(page.getByTestId('runs-state-CANCELLED')).toContainText('1')
  await expect(page.locator('[data-left="true"]')).toHaveCount(1)

  await page.getByTestId('runs-views').getByRole('button', { name: 'All runs' }).click()
  await page.getByTestId('runs-state-CANCELLED').click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('runs-columns').click()
  await page.getByTestId('runs-column-steps').uncheck()
  await expect(rows(page).first()).not.toContainText('of 1')
  await page.keyboard.press('Escape')
  await page.getByTestId('runs-save').click()
  await page.getByTestId('runs-view-name').fill('Given up')
  await page.keyboard.press('Enter')
  await page.getByTestId('runs-origin').selectOption('fork')
  await expect(page.getByTestId('runs-none')).toContainText('No run fits.')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  // One rests still; no step failed.
  await page.getByRole('button', { name: 'Show all runs' }).click()
  await page.getByTestId('runs-waits-for').selectOption('timer')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toHaveAttribute('data-status', 'WAITING')
  await page.getByTestId('runs-failed-at').fill('rest')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('runs-none')).toContainText('No run fits.')

  // All that fit, loaded or not: those are counted for which it can be.
  await page.getByRole('button', { name: 'Show all runs' }).click()
  await page.getByTestId('runs-for-all').click()
  await page.getByTestId('bulk-all-cancel').check()
  await page.getByTestId('bulk-all-send').click()
  await expect(page.getByTestId('bulk-result')).toHaveCount(1)
  await page.getByTestId('bulk-results-close').click()
  await expect(page.getByTestId('runs-state-CANCELLED')).toContainText('2')
  await expect(page.locator('[data-testid="runs-row"][data-status="CANCELLED"]')).toHaveCount(2)

  // Views are there after a restart of the page, and in the palette.
  await page.reload()
  // Keys that are pressed before the page is there go nowhere.
  await expect(page.getByTestId('connection')).toHaveAttribute('data-status', 'open')
  // So does what is asked of it before its document is back, which takes the place of any other page.
  await expect(page.getByRole('textbox', { name: 'Workflow title' })).toHaveValue('Rest a while')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('What shall happen?').fill('Runs: Given up')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(2)
  const id = (await rows(page).last().locator('code').textContent()) ?? ''
  await page.getByTestId('runs-text').fill(`2026-11-23 warn runner: gave up on ${id}`)
  await page.getByTestId('runs-places').getByRole('button').first().click()
  await expect(runState(page)).toHaveAttribute('data-status', 'CANCELLED')

  // The page's own address leads to what the runs are narrowed to.
  const link = encodeURIComponent('sagasmith://page/runs?status=CANCELLED&origin=manual&waitsFor=timer')
  await page.goto(`${new URL(server.url).origin}/#to=${link}`)
  await expect(page.getByTestId('runs-page')).toBeVisible()
  await expect(page.getByTestId('runs-origin')).toHaveValue('manual')
  await expect(page.getByTestId('runs-waits-for')).toHaveValue('timer')
  await expect(page.getByTestId('runs-link')).toBeVisible()
})
