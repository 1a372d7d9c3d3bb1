/** Steps become a workflow of their own, run as before, and come back. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, cards, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})
const says = (title: string, expression: string) => ({ kind: 'transform', title, parameters: { expression } })

const bill = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_bill',
  title: 'Bill',
  settings: { output: '{ "net": nodes.net.output, "said": nodes.say.output }' },
  nodes: {
    order: says('The order', '{ "pens": 3, "price": 4 }'),
    net: says('Net price', 'input.pens * input.price'),
    gross: says('With tax', '$round(input * 1.21, 2) & " for " & nodes.order.output.pens'),
    say: says('Say it', '"It is " & input'),
  },
  edges: { e1: edge('order', 'net'), e2: edge('net', 'gross'), e3: edge('gross', 'say') },
  layout: {
    nodes: { order: { x: 0, y: 0 }, net: { x: 300, y: 0 }, gross: { x: 600, y: 0 }, say: { x: 900, y: 0 } },
  },
}

test('steps become a workflow of their own, which is opened, run and written out again', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'bill.json', bill)
  await page.goto(server.url)
  await page.getByRole('button', { name: /bill\.json/ }).click()
  await expect(cards(page)).toHaveCount(4)

  await card(page, 'net').click()
  await card(page, 'gross').click({ modifiers: ['Shift'] })
  await page.keyboard.press('x')
  const dialog = page.getByTestId('extract-dialog')
  await expect(dialog.getByTestId('extract-facts')).toContainText('the result of “The order”')
  await expect(dialog.getByTestId('extract-facts')).toContainText('the result of “Net price”')
  expect(await barriers(page)).toEqual([])
  await dialog.getByTestId('extract-name').fill('Price it')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(card(page, 'extracted')).toContainText('Price it')
  await expect(card(page, 'net')).toHaveCount(0)

  await page.keyboard.press('F5')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'say', 'Run data')
  await expect(page.getByText('It is 14.52 for 3').first()).toBeVisible()

  await openNode(page, 'extracted')
  await page.getByTestId('workflow-open').click()
  await expect(card(page, 'arrived')).toContainText('What arrived')
  await expect(cards(page)).toHaveCount(3)
  await page.getByTestId('tabs').getByRole('button', { name: /^Bill/ }).click()

  await card(page, 'extracted').click()
  await page.keyboard.press('Shift+X')
  await expect(card(page, 'net')).toContainText('Net price')
  await page.keyboard.press('Shift+1')
  await expect(cards(page)).toHaveCount(6)
  await page.keyboard.press('F5')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'say', 'Run data')
  await expect(page.getByText('It is 14.52 for 3').first()).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(4)

  await card(page, 'order').click()
  await card(page, 'gross').click({ modifiers: ['Shift'] })
  await page.keyboard.press('x')
  await expect(page.getByTestId('extract-refusal')).toBeVisible()
  await expect(page.getByTestId('extract-send')).toBeDisabled()
})
