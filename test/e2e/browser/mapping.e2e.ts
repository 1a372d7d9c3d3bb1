/** A transform is filled field by field, on the data of a run, and the expression that comes of it is what runs. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runAndWait } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const order = { id: 7, name: 'Ada', password: 'x', total: 12 }
const shop = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_shop', title: 'Shop' },
  nodes: {
    make: { kind: 'debug', parameters: { produce: 'value', value: order } },
    map: { kind: 'transform', title: 'Shape', parameters: { expression: 'input' } },
    other: { kind: 'transform', title: 'Shape it, too', parameters: { expression: 'input' } },
  },
  edges: {
    first: { from: { node: 'make', port: 'out' }, to: { node: 'map', port: 'in' } },
    second: { from: { node: 'make', port: 'out' }, to: { node: 'other', port: 'in' } },
  },
  layout: { nodes: { make: { x: 0, y: 0 }, map: { x: 340, y: 0 }, other: { x: 340, y: 160 } } },
}

async function pickAndRename(page: Page): Promise<void> {
  await openNode(page, 'map')
  await page.getByRole('button', { name: 'Fields', exact: true }).click()
  const mapping = page.getByTestId('mapping')
  await expect(mapping.getByRole('textbox', { name: 'Object 1' })).toHaveValue('input')
  await mapping.getByRole('textbox', { name: 'All but' }).fill('password')
  await mapping.getByRole('button', { name: 'Take id' }).click()
  await mapping.getByRole('textbox', { name: 'Name of field 1' }).fill('number')
  await mapping.getByRole('button', { name: 'Add a field' }).click()
  await mapping.getByRole('textbox', { name: 'Name of field 2' }).fill('label.text')
  await mapping
    .getByRole('textbox', { name: 'Value of field 2' })
    .fill('{{ input.name }}: {{ input.total }} €')
  const after = page.getByTestId('before-after').getByRole('region', { name: 'After' })
  await expect(after).toContainText('"Ada: 12 €"')
  await expect(after.locator('[data-change="new"]')).toHaveCount(2)
  const before = page.getByTestId('before-after').getByRole('region', { name: 'Before' })
  await expect(before.locator('[data-change="gone"]')).toHaveText([/^id/, /^password/])
  expect(await barriers(page)).toEqual([])

  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'map', 'Run data')
  for (const text of ['number', 'label', 'Ada: 12 €']) {
    await expect(page.getByTestId('run-output')).toContainText(text)
  }
  await expect(page.getByTestId('run-output')).not.toContainText('password')

  // It is an expression like any other, and what can't be seen as fields stays one.
  await openNode(page, 'map')
  await expect(page.getByTestId('mapping')).toBeVisible()
  await page.getByRole('button', { name: 'Expression', exact: true }).click()
  const editor = page.getByTestId('editor-Expression').locator('.cm-content')
  await expect(editor).toContainText('"number": input.id')
  await editor.fill('$sum(input.total)')
  await expect(page.getByRole('button', { name: 'Fields', exact: true })).toBeDisabled()
}

async function takeByKeys(page: Page): Promise<void> {
  await openNode(page, 'other')
  await page.getByRole('button', { name: 'Fields', exact: true }).click()
  const mapping = page.getByTestId('mapping')
  const named = (name: string) => mapping.getByRole('textbox', { name })
  const button = (name: string) => mapping.getByRole('button', { name, exact: true })
  // What is taken goes from what is offered; the next one has the focus.
  await button('Take id').press('Enter')
  await expect(button('Take name')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(named('Name of field 4')).toBeFocused()
  await expect(named('Name of field 4')).toHaveValue('total')
  // A new row can be written into at once.
  await button('Add a field').press('Enter')
  await expect(named('Name of field 5')).toBeFocused()
  await page.keyboard.type('due')
  await page.keyboard.press('Tab')
  await page.keyboard.type('input.total')
  await page.keyboard.press('Tab')
  // Who removes rows goes on with the next one, and with the way to add one in the end.
  await expect(button('Remove due')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button('Remove total')).toBeFocused()
  for (let left = 4; left > 0; left -= 1) await page.keyboard.press('Enter')
  await expect(button('Add a field')).toBeFocused()
  await expect(named('Name of field 1')).toHaveCount(0)
}

test('fields are picked, renamed and put together, with an example before and after, and so they are by keys', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'shop.json', shop)
  await page.goto(server.url)
  await page.getByText('Shop').first().click()
  await expect(card(page, 'map')).toContainText('input')
  await runAndWait(page, 'SUCCEEDED')
  await test.step('fields are picked, renamed and put together, with an example before and after', () =>
    pickAndRename(page))
  await test.step('fields are taken, added and removed by keys, and the focus is never lost', () =>
    takeByKeys(page))
})
