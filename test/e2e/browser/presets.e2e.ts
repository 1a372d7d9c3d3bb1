/** Inputs under names: kept in the dialog of Run, chosen, changed, renamed and removed, by keys too. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { documentOf, openAnother, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_presets',
  title: 'Parcels',
  nodes: { begin: { kind: 'noop', parameters: {} } },
  edges: {},
  input: {
    type: 'object',
    properties: {
      customer: { type: 'string', title: 'Customer' },
      count: { type: 'integer', title: 'Count' },
    },
  },
}

const strict = {
  ...{ ...workflow, id: 'wf_strict', title: 'Only for somebody' },
  input: { ...workflow.input, required: ['customer'] },
}

const presetsIn = async (page: Page): Promise<unknown> =>
  (JSON.parse(await documentOf(page)) as { readonly presets?: unknown }).presets

async function openRun(page: Page) {
  await page.getByTestId('run-button').click()
  return page.getByTestId('start-dialog')
}

async function keepInput(page: Page): Promise<void> {
  const dialog = await openRun(page)
  const customer = dialog.getByLabel('Customer')
  await expect(customer).toBeFocused()
  await customer.fill('Ada')
  await dialog.getByLabel('Count').fill('3')
  await dialog.getByRole('button', { name: 'Keep as a preset …' }).click()
  const name = dialog.getByTestId('preset-name')
  await expect(name).toBeFocused()
  expect(await barriers(page)).toEqual([])
  await name.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Give it a name.')
  await name.fill('Big order')
  await name.press('Enter')
  const choice = dialog.getByTestId('preset-choice')
  await expect(choice.locator('option:checked')).toHaveText('Big order')
  // The dialog is still there: Enter kept the name and started nothing.
  await expect(dialog).toBeVisible()
  expect(await barriers(page)).toEqual([])

  await dialog.getByLabel('Customer').fill('Grace')
  await dialog.getByTestId('preset-update').click()
  await expect(dialog.getByTestId('preset-update')).toHaveCount(0)
  await choice.selectOption('')
  await expect(dialog.getByLabel('Customer')).toHaveValue('')
  await choice.selectOption({ label: 'Big order' })
  await expect(dialog.getByLabel('Customer')).toHaveValue('Grace')

  await dialog.getByRole('button', { name: 'Rename this preset …' }).click()
  await name.fill('Bigger')
  await name.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Rename this preset …' }).click()
  await name.fill('Bigger')
  await name.press('Enter')
  await dialog.getByTestId('start-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  expect(await presetsIn(page)).toEqual({
    'big-order': { title: 'Bigger', input: { customer: 'Grace', count: 3 } },
  })

  await openRun(page)
  await expect(choice.locator('option:checked')).toHaveText('The last answers')
  await expect(dialog.getByLabel('Customer')).toHaveValue('Grace')
  await choice.selectOption({ label: 'Bigger' })
  await dialog.getByRole('button', { name: 'Remove this preset' }).click()
  await expect(choice.locator('option', { hasText: 'Bigger' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  expect(await presetsIn(page)).toBeUndefined()
  await page.getByTestId('undo-button').click()
  expect(await presetsIn(page)).toEqual({
    'big-order': { title: 'Bigger', input: { customer: 'Grace', count: 3 } },
  })
}

async function fitInput(page: Page): Promise<void> {
  const dialog = await openRun(page)
  const customer = dialog.getByTestId('field-customer')
  await dialog.getByTestId('start-button').click()
  await expect(customer.getByRole('alert')).toContainText('“Customer” is missing.')
  await expect(customer.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByTestId('field-count').getByRole('alert')).toHaveCount(0)
  expect(await barriers(page)).toEqual([])
  await customer.getByRole('textbox').fill('Ada')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByTestId('start-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
}

test('an input is kept under a name and chosen again, and what doesn’t fit is said at its field', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'orders.json', workflow)
  await putWorkflow(dataDirectory, 'strict.json', strict)
  await page.goto(server.url)
  await page.getByText('Parcels').first().click()
  await test.step('an input is kept under a name, chosen again, changed, renamed and removed', () =>
    keepInput(page))
  await openAnother(page, strict.title)
  await test.step('what doesn’t fit is said at its field, until something is changed', () => fitInput(page))
})
