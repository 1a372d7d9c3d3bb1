/** Many runs at once: marked, narrowed to a state, paused, resumed, cancelled. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const resting = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_rest',
  title: 'Rest a while',
  nodes: { rest: { kind: 'delay', parameters: { amount: 600 } } },
  edges: {},
  layout: { nodes: { rest: { x: 0, y: 0 } } },
}

const rows = (page: Page) => page.locator('[data-testid^="run-row-"]')
const inState = (page: Page, status: string) =>
  page.locator(`[data-testid^="run-row-"][data-status="${status}"]`)

/** At its end three runs wait, and three were cancelled. */
async function steerThree(page: Page): Promise<void> {
  for (let count = 1; count <= 3; count += 1) {
    await page.getByTestId('run-button').click()
    await expect(rows(page)).toHaveCount(count)
    await expect(card(page, 'rest')).toHaveAttribute('data-status', 'WAITING')
  }

  // By keys: go to the list, mark the first, then all.
  await rows(page).first().focus()
  await page.keyboard.press('Space')
  await expect(page.getByTestId('bulk-bar')).toContainText('1 marked')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByTestId('bulk-bar')).toContainText('3 marked')
  await page.getByTestId('bulk-pause').click()
  await expect(inState(page, 'PAUSED')).toHaveCount(3)
  await expect(page.getByTestId('toasts')).toContainText('3 runs pause.')

  await page.getByTestId('runs-filter').selectOption('succeeded')
  await expect(rows(page)).toHaveCount(0)
  await page.getByTestId('runs-filter').selectOption('paused')
  await expect(rows(page)).toHaveCount(3)
  await page.getByTestId('runs-filter').selectOption('all')

  // One by a click with Ctrl: the others keep their marks.
  await rows(page)
    .nth(0)
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(page.getByTestId('bulk-bar')).toContainText('2 marked')
  await page.getByTestId('bulk-resume').click()
  await expect(inState(page, 'PAUSED')).toHaveCount(1)

  await page.getByTestId('bulk-all').click()
  await page.getByTestId('bulk-cancel').click()
  await expect(page.getByTestId('confirm-dialog')).toContainText('The 3 runs end')
  await page.getByTestId('confirm-button').click()
  await expect(inState(page, 'CANCELLED')).toHaveCount(3)
  await expect(page.getByTestId('bulk-retry')).toBeVisible()
  await page.getByTestId('bulk-rerun').click()
  await expect(page.getByTestId('confirm-dialog')).toContainText('3 new runs start')
  await page.getByTestId('confirm-button').click()
  await expect(page.getByTestId('bulk-sums')).toHaveText('3 new runs were started.')
  await page.getByTestId('bulk-results-close').click()
  await expect(inState(page, 'WAITING')).toHaveCount(3)
  await page.getByLabel('Mark none').click()
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0)
}

/** More than the list loads at a time: of those that wait each is run again four times over, and those that were cancelled once. */
async function startMany(dataDirectory: string): Promise<number> {
  const again = (status: string) =>
    runCli([
      ...['runs', 'rerun', '--workflow', resting.id, '--status', status, '--yes'],
      ...['--data', dataDirectory],
    ])
  for (const status of ['WAITING', 'WAITING', 'WAITING', 'WAITING', 'CANCELLED'])
    expect((await again(status)).code).toBe(0)
  return 3 * 2 ** 4 + 3
}

async function cancelAll(page: Page, waiting: number): Promise<void> {
  await expect(rows(page)).toHaveCount(50)
  await expect(inState(page, 'WAITING')).toHaveCount(50)
  await page.getByTestId('runs-filter').selectOption('active')
  await page.getByTestId('runs-workflow').selectOption({ label: 'This workflow' })
  await page.getByTestId('bulk-all-button').click()
  const dialog = page.getByTestId('bulk-all-dialog')
  await expect(dialog).toContainText('under way, this workflow')
  await expect(page.getByTestId('bulk-all-resume')).toBeDisabled()
  await expect(page.getByTestId('bulk-all-send')).toBeDisabled()
  await page.getByTestId('bulk-all-cancel').check()
  await expect(page.getByTestId('bulk-all-send')).toHaveText(`Cancel ${waiting} runs`)
  await page.getByTestId('bulk-all-send').click()
  await expect(page.getByTestId('bulk-sums')).toHaveText(`${waiting} runs are being cancelled.`)
  await expect(page.getByTestId('bulk-result')).toHaveCount(waiting)
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByTestId('bulk-all-button')).toBeFocused()
  await page.getByTestId('runs-filter').selectOption('all')
  await expect(inState(page, 'CANCELLED')).toHaveCount(50)
}

test('runs are paused, resumed and cancelled together: three of a list, and all that match', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'resting.json', resting)
  await page.goto(server.url)
  await page.getByText('Rest a while').first().click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await test.step('three runs are paused, resumed and cancelled together', () => steerThree(page))
  const waiting = await startMany(dataDirectory)
  await test.step('all runs that match are counted and cancelled, also those that the list has not loaded', () =>
    cancelAll(page, waiting))
})
