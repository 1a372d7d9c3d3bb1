/** A workflow is rehearsed before it runs: what becomes of it when each step goes wrong. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openAnother, typeInto } from '../designer-driver.ts'
import { givesBack, notCalledBack, openOrder, orderOf, steps } from '../order-saga.ts'
import { putWorkflow, test } from './serving.ts'

const { reserve, charge, mail } = steps
const order = orderOf({
  row: {
    reserve: { ...reserve, compensation: givesBack },
    charge: { ...charge, compensation: givesBack },
    mail: { ...mail, compensation: notCalledBack },
    ship: { ...charge, title: 'Ship' },
  },
})

const asking = {
  ...order,
  ...{ id: 'wf_asking', title: 'Ask the customer' },
  input: {
    type: 'object',
    properties: { customer: { type: 'string', title: 'Customer' } },
    required: ['customer'],
  },
}

const cell = (page: Page, node: string, mode: string) => page.getByTestId(`rehearsal-${node}-${mode}`)

async function eachEndIsLookedAt(page: Page): Promise<void> {
  await page.getByTestId('rehearse-button').click()
  await expect(page.getByTestId('rehearsal-summary')).toContainText('failures rehearsed, none broke a rule.')
  await expect(page.getByTestId('rehearsal-summary')).toContainText('Answered by mocks:')

  // Where a person would have to decide is shown first.
  const detail = page.getByTestId('rehearsal-detail')
  await expect(detail).toContainText('“Send the mail” loses its worker')
  await expect(detail).toContainText('A person decides about')
  await expect(cell(page, 'mail', 'crashes')).toContainText('Needs you')
  await expect(cell(page, 'charge', 'undo-fails')).toContainText('Undo failed')

  await cell(page, 'ship', 'fails').click()
  await expect(detail).toContainText('“Ship” fails')
  await expect(cell(page, 'ship', 'fails')).toContainText('Undone')
  await expect(detail.getByRole('list').first().getByRole('listitem')).toHaveText(['Charge', 'Reserve'])
  await expect(detail).toContainText('Send the mail')

  // By keys; the name of a step leads to it on the canvas.
  await page.keyboard.press('ArrowRight')
  await expect(cell(page, 'ship', 'times-out')).toBeFocused()
  await expect(detail).toContainText('“Ship” times out')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('mail')

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }
}

async function inputIsAskedFor(page: Page): Promise<void> {
  await page.getByTestId('bottom-panel').or(page.getByTestId('rollback-button')).first().click()
  await page.getByRole('tab', { name: 'Rehearsal' }).click()
  await expect(page.getByTestId('rehearsal-empty')).toContainText('before it does')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('ControlOrMeta+Alt+r')
  const dialog = page.getByTestId('rehearse-dialog')
  await expect(dialog).toContainText('Nothing is kept')
  expect(await barriers(page)).toEqual([])
  await typeInto(page, 'customer', 'Ann')
  await dialog.getByTestId('start-button').click()
  await expect(page.getByTestId('rehearsal-summary')).toContainText('none broke a rule')

  // What was edited since is rehearsed again.
  await card(page, 'ship').click()
  await page.keyboard.press('m')
  await expect(page.getByTestId('rehearsal-summary')).toContainText('The workflow was edited since.')
}

test('a workflow is rehearsed: each failure with its end, and with the input that it asks for', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'order.json', order)
  await putWorkflow(dataDirectory, 'asking.json', asking)
  await openOrder(page, server.url)
  await test.step('every step goes wrong before it does, and each end is looked at', () =>
    eachEndIsLookedAt(page))
  await openAnother(page, asking.title)
  await test.step('a workflow with a form is asked for its input, by keys too', () => inputIsAskedFor(page))
})
