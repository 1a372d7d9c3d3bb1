/** A configured step becomes a task: saved, in the palette, used, replaced. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openAnother, openNode, runAndWait } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const greeting = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'greeting', title: 'Greeting' },
  nodes: {
    order: { kind: 'transform', title: 'The order', parameters: { expression: '{ "name": "Ada" }' } },
    hello: {
      kind: 'log',
      title: 'Greet somebody',
      parameters: { message: 'Hello {{ nodes.order.output.name }}', level: 'warn' },
    },
  },
  edges: { e: { from: { node: 'order', port: 'out' }, to: { node: 'hello', port: 'in' } } },
  layout: { nodes: { order: { x: 0, y: 0 }, hello: { x: 300, y: 0 } } },
}

test('a step is saved as a task, used at once, taken back, and replaced only when asked', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'greeting.json', greeting)
  await page.goto(server.url)
  await page.getByRole('button', { name: /greeting\.json/ }).click()
  await card(page, 'hello').click()
  await page.keyboard.press('Shift+S')
  const dialog = page.getByTestId('save-task-dialog')
  await expect(dialog.getByTestId('task-title')).toHaveValue('Greet somebody')
  await expect(dialog.getByTestId('task-kind')).toHaveValue('my.greet-somebody')
  await expect(dialog.getByTestId('task-open-message')).toBeChecked()
  await expect(dialog.getByTestId('task-preview')).toContainText('Greet somebody')
  expect(await barriers(page)).toEqual([])

  await dialog.getByTestId('task-kind').fill('greet')
  await expect(dialog).toContainText('with a dot in between')
  await expect(dialog.getByTestId('task-save')).toBeDisabled()
  await dialog.getByTestId('task-kind').fill('acme.greet')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()

  const file = JSON.parse(await readFile(join(dataDirectory, 'tasks', 'acme.greet.task.json'), 'utf8'))
  expect(file).toMatchObject({ kind: 'acme.greet', based: { kind: 'log' }, open: ['message'] })
  expect(file.based.parameters).toEqual({ level: 'warn' })
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet somebody')
  await expect(page.getByTestId('field-parameters.message')).toContainText('nodes.order.output.name')
  await expect(page.getByTestId('field-parameters.level')).toHaveCount(0)
  await runAndWait(page, 'SUCCEEDED')

  await card(page, 'hello').click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByTestId('field-parameters.level')).toBeVisible()
  await page.keyboard.press('Shift+S')
  await dialog.getByTestId('task-kind').fill('acme.greet')
  await dialog.getByTestId('task-title').fill('Greet warmly')
  await page.keyboard.press('Enter')
  await expect(dialog.getByTestId('task-taken')).toContainText('acme.greet')
  await dialog.getByTestId('task-replace').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('palette-item-acme.greet')).toContainText('Greet warmly')
})

const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})
const says = (title: string, expression: string) => ({ kind: 'transform', title, parameters: { expression } })

const head = { format: 'sagasmith.workflow', schemaVersion: 1, edges: {} }
const bill = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_bill', title: 'Bill' },
  nodes: {
    order: says('The order', '{ "pens": 3, "price": 4 }'),
    net: says('Net price', 'input.pens * input.price'),
    gross: says('With tax', 'input * 2'),
    say: says('Say it', '"It is " & input'),
  },
  edges: { e1: edge('order', 'net'), e2: edge('net', 'gross'), e3: edge('gross', 'say') },
  layout: {
    nodes: {
      order: { x: 0, y: 0 },
      net: { x: 300, y: 0 },
      gross: { x: 600, y: 0 },
      say: { x: 900, y: 0 },
    },
  },
}
const price = {
  ...{ ...head, id: 'wf_price', title: 'Price' },
  input: {
    type: 'object',
    required: ['count'],
    properties: { count: { type: 'number', title: 'How many' }, price: { type: 'number', default: 4 } },
  },
  nodes: { a: says('Times', 'input.count * input.price') },
}
const shop = {
  ...{ ...head, id: 'wf_shop', title: 'Shop' },
  nodes: {
    order: says('The order', '{ "pens": 3 }'),
    call: {
      kind: 'sub-workflow',
      title: 'Price it',
      parameters: { workflow: './price.json', input: '{ "count": input.pens, "price": 5 }' },
    },
  },
  edges: { e: edge('order', 'call') },
  layout: { nodes: { order: { x: 0, y: 0 }, call: { x: 300, y: 0 } } },
}

/** The task of that kind, as it was saved. */
const savedTask = async (dataDirectory: string, kind: string) =>
  JSON.parse(await readFile(join(dataDirectory, 'tasks', `${kind}.task.json`), 'utf8'))

async function stepsBecomeTask(page: Page, dataDirectory: string): Promise<void> {
  await card(page, 'net').click()
  await card(page, 'gross').click({ modifiers: ['Shift'] })
  await page.keyboard.press('x')
  await page.getByTestId('extract-name').fill('Price both')
  await page.getByTestId('extract-as-task').check()
  await page.getByTestId('extract-send').click()
  const dialog = page.getByTestId('save-task-dialog')
  await expect(dialog.getByTestId('task-kind')).toHaveValue('my.price-both')
  await dialog.getByTestId('task-save').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByTestId('palette-item-my.price-both')).toContainText('Price both')
  const file = await savedTask(dataDirectory, 'my.price-both')
  expect(file.based).toMatchObject({
    kind: 'sub-workflow',
    parameters: { workflow: expect.stringMatching(/^wf_/) },
  })
  await runAndWait(page, 'SUCCEEDED')
}

async function callBecomesTask(page: Page, dataDirectory: string): Promise<void> {
  await card(page, 'call').click()
  await page.keyboard.press('Shift+S')
  const dialog = page.getByTestId('save-task-dialog')
  await expect(dialog.getByTestId('task-by-fields')).toBeChecked()
  await expect(dialog.getByTestId('task-preview')).toContainText('How many')
  expect(await barriers(page)).toEqual([])
  await dialog.getByTestId('task-save').click()
  await expect(dialog).toBeHidden()
  const file = await savedTask(dataDirectory, 'my.price-it')
  expect(file.based.parameters).toEqual({ workflow: 'wf_price' })
  await openNode(page, 'call')
  await expect(page.getByTestId('field-parameters.count')).toContainText('How many')
  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'call', 'Run data')
  await expect(page.getByText('15').first()).toBeVisible()
}

test('selected steps, and a call of a workflow, become tasks', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'bill.json', bill)
  await putWorkflow(dataDirectory, 'price.json', price)
  await putWorkflow(dataDirectory, 'shop.json', shop)
  await page.goto(server.url)
  await page.getByRole('button', { name: /shop\.json/ }).click()
  await test.step('a call that is saved as a task asks for what the workflow gets, field by field', () =>
    callBecomesTask(page, dataDirectory))
  await openAnother(page, 'Bill')
  await test.step('selected steps become a sub-workflow and then a task, which runs', () =>
    stepsBecomeTask(page, dataDirectory))
})
