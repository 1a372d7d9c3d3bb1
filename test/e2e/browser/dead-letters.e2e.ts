/** What ended without success: seen live, run again as it was or with another input, thrown away. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, runState } from '../designer-driver.ts'
import { failingOrder } from '../order-saga.ts'
import { putWorkflow, test } from './serving.ts'

/** Fails unless its input says otherwise. */
const demanding = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_demanding',
  title: 'Ship the order',
  nodes: {
    check: {
      kind: 'transform',
      parameters: { expression: "run.input.stock > 0 ? run.input.stock : $error('Out of stock')" },
    },
  },
  edges: {},
  input: { type: 'object', properties: { stock: { type: 'integer', title: 'Stock', default: 0 } } },
  layout: { nodes: { check: { x: 0, y: 0 } } },
}

/** Opens the workflow and lets it fail. */
async function fail(page: Page): Promise<void> {
  await page.getByTestId('run-button').click()
  await page.getByTestId('start-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
}

const rows = (page: Page) => page.getByTestId('letter-row')

test('a failed step becomes a dead letter that is edited and replayed', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'demanding.json', demanding)
  await page.goto(server.url)
  await expect(page.getByTestId('letters-count')).toHaveCount(0)
  await page.getByText('Ship the order').first().click()
  await fail(page)
  await expect(page.getByTestId('letters-count')).toHaveText('1')

  await page.getByTestId('letters-button').click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByTestId('letter-error')).toContainText('Out of stock')
  await expect(page.getByTestId('letter-error')).toContainText('expression_failed')
  await expect(page.getByTestId('letter-detail')).toContainText('1 attempt')

  await page.getByTestId('letter-edit').click()
  const dialog = page.getByTestId('input-dialog')
  const editor = dialog.locator('.cm-content')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await editor.evaluate(writeAsItEmpties)
  await expect(dialog.getByTestId('json-state')).toContainText('Line 1')
  await expect(dialog.getByTestId('input-send')).toBeDisabled()
  await page.keyboard.insertText('3}')
  await expect(dialog.getByTestId('json-state')).toHaveText('Valid JSON')
  await dialog.getByTestId('input-send').click()
  await expect(page.getByTestId('letters-empty')).toBeVisible()
  await expect(page.getByTestId('letters-count')).toHaveCount(0)

  await page.getByTestId('toasts').getByRole('button', { name: 'Open the run' }).click()
  await expect(page.getByTestId('engine-page')).toHaveCount(0)
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
})

/**
 * Empties what is selected, and writes at the moment in which the page shows that: what the page hands to the editor then
 * is older than what was written.
 */
function writeAsItEmpties(): Promise<void> {
  const state = document.querySelector('[data-testid="json-state"]')
  if (state === null) throw new Error('The editor says nothing.')
  return new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      observer.disconnect()
      document.execCommand('insertText', false, '{"stock": ')
      resolve()
    }).observe(state, { childList: true, characterData: true, subtree: true })
    document.execCommand('delete')
  })
}

async function goThrough(page: Page): Promise<void> {
  await page.getByText('Ship the order').first().click()
  await fail(page)
  await fail(page)
  await page.getByTestId('home-button').click()
  await page.getByText('Send the invoice').first().click()
  await fail(page)

  await page.keyboard.press('Shift+F7')
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).first()).toContainText('Send the invoice')
  await page.getByTestId('letters-workflow').selectOption('Ship the order')
  await expect(rows(page)).toHaveCount(2)
  await page.getByTestId('letters-workflow').selectOption('')
  await page.getByTestId('letters-search').fill('invoice stock')
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('letters-search').fill('')

  await page.getByTestId('letter-list').focus()
  await page.keyboard.press('End')
  await expect(rows(page).nth(2)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Delete')
  const confirm = page.getByTestId('confirm-dialog')
  await expect(confirm).toContainText('can’t be undone')
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(3)
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(2)
  // The one before took its place, and the keys still work.
  await expect(rows(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  // The dialog gives the focus back once it is closed.
  await expect(page.getByTestId('letter-list')).toBeFocused()
  await page.keyboard.press('o')
  await expect(page.getByTestId('engine-page')).toHaveCount(0)
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await expect(page.getByTestId('run-error-card')).toContainText('Out of stock')

  await page.getByTestId('letters-button').click()
  await page.getByTestId('letters-discard-all').click()
  await page.getByTestId('confirm-button').click()
  await expect(page.getByTestId('letters-empty')).toBeVisible()
}

async function goOn(page: Page): Promise<void> {
  await page.getByText('Ship the order').first().click()
  await fail(page)
  await page.getByTestId('letters-button').click()
  await expect(page.getByTestId('letter-retry')).toBeEnabled()
  await page.getByTestId('letter-list').focus()
  await page.keyboard.press('t')
  await page.getByTestId('toasts').getByRole('button', { name: 'Open the run' }).click()
  // The step has failed before, in the same run.
  await expect(page.getByTestId('try-0')).toBeVisible()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
}

async function cannotGoOn(page: Page): Promise<void> {
  await page.getByText('Take the order').first().click()
  await expect(card(page, 'ship')).toBeVisible()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await page.getByTestId('letters-button').click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByTestId('letter-not-on')).toContainText('nothing goes on in it')
  await expect(page.getByTestId('letter-retry')).toBeDisabled()
  // Its key does nothing either.
  await page.getByTestId('letter-list').focus()
  await page.keyboard.press('t')
  await expect(page.getByTestId('toasts').getByRole('button')).toHaveCount(0)
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('letter-replay').click()
  const told = page.getByTestId('toasts')
  await expect(told).toContainText('runs again')
  await expect(told.getByRole('button', { name: 'Open the run' })).toBeVisible()
}

async function toStart(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await page.getByTestId('home-button').click()
}

test('letters are found, gone through by keys and discarded, and go on unless they were undone', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'demanding.json', demanding)
  await putWorkflow(dataDirectory, 'other.json', { ...demanding, id: 'wf_other', title: 'Send the invoice' })
  await putWorkflow(dataDirectory, 'order.json', failingOrder())
  await page.goto(server.url)
  await test.step('letters are found, gone through by keys and discarded', () => goThrough(page))
  await toStart(page)
  await test.step('the run of a letter goes on from what failed', () => goOn(page))
  await page.getByTestId('letters-button').click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByTestId('letter-list').focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('letters-empty')).toBeVisible()
  await toStart(page)
  await test.step('what was undone can’t go on: only a new run is offered', () => cannotGoOn(page))
})
