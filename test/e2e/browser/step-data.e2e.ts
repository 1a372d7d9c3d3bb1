/** A step's data: looked through, searched, and put into fields by dragging and by keyboard. */

import { expect } from '@playwright/test'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const orders = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_data',
  title: 'Data to fields',
  variables: { currency: 'EUR' },
  nodes: {
    fetch: {
      kind: 'transform',
      title: 'Fetch the order',
      parameters: {
        expression:
          '{"id": "A-17", "customer": {"first name": "Ada", "tags": ["new", "eu"]}, "lines": [{"sku": "bolt", "price": 4, "count": 12}, {"sku": "pump", "price": 40, "count": 1}], "paid": true, "note": null}',
      },
    },
    say: { kind: 'log', title: 'Say it', parameters: { message: 'Hello ' } },
    total: { kind: 'transform', title: 'Its total', parameters: { expression: '' } },
  },
  edges: {
    a: { from: { node: 'fetch', port: 'out' }, to: { node: 'say', port: 'in' } },
    b: { from: { node: 'say', port: 'out' }, to: { node: 'total', port: 'in' } },
  },
  layout: { nodes: { fetch: { x: 0, y: 0 }, say: { x: 320, y: 0 }, total: { x: 640, y: 0 } } },
}

test('values go from their tree into fields', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'data.json', orders)
  await page.goto(server.url)
  await page.getByText('Data to fields').first().click()
  await openNode(page, 'say', 'Input')
  await expect(page.getByTestId('source-input')).toContainText('No data yet')
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', /FAILED|SUCCEEDED/)

  // Narrow: with the keyboard alone.
  const arrives = page.getByTestId('source-input')
  await expect(arrives.getByRole('treeitem', { name: 'A-17' })).toBeVisible()
  await page.getByLabel('Search names and values').fill('ada')
  await expect(arrives.getByRole('treeitem')).toHaveCount(3)
  await arrives.getByRole('treeitem').first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('place-value')).toContainText('input.customer.`first name`')
  await page.keyboard.press('Enter')
  const message = page.getByTestId('field-parameters.message')
  await expect(message.getByRole('textbox')).toHaveValue('Hello {{ input.customer.`first name` }}')
  await expect(message.getByTestId('expression-preview')).toContainText('Hello Ada')

  // Completed from the run's own data.
  const writes = message.getByRole('textbox')
  await writes.fill('')
  await writes.pressSequentially('{{ input.customer.fi')
  await expect(message.getByRole('option')).toHaveText([/first name.*"Ada"/])
  await page.keyboard.press('Enter')
  await expect(writes).toHaveValue('{{ input.customer.`first name`')

  // Wide: dragged into an expression.
  await page.keyboard.press('ControlOrMeta+Shift+I')
  await card(page, 'total').click()
  await expect(page.getByTestId('inspector-columns')).toBeVisible()
  const price = page.getByTestId('source-nodes.fetch.output').getByRole('treeitem', { name: 'lines' })
  await price.dragTo(page.getByTestId('editor-Expression'))
  const total = page.getByTestId('field-parameters.expression')
  await expect(total.getByTestId('expression-preview')).toContainText('"sku": "bolt"')
})

test('what steps give in test runs is recorded, changed and used by previews', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'data.json', orders)
  await page.goto(server.url)
  await page.getByText('Data to fields').first().click()
  await openNode(page, 'fetch', 'Run data')
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', /FAILED|SUCCEEDED/)
  await page.getByTestId('record-mocks').click()
  await expect(page.getByTestId('mock-set')).toHaveValue('recorded')
  await expect(page.getByTestId('mock-way')).toHaveValue('output')
  const output = page.getByTestId('editor-What it gives').locator('.cm-content')
  await expect(output).toContainText('"A-17"')
  await output.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('{"id": "B-2"}')

  await openNode(page, 'say', 'Input')
  await expect(page.getByTestId('source-input')).toContainText('B-2')
  // What failed in the run fails in the set.
  await openNode(page, 'total', 'Run data')
  await expect(page.getByTestId('mock-way')).toHaveValue('error')
  await expect(page.getByTestId('mock-code')).toHaveValue('task_input_invalid')

  await page.getByRole('tab', { name: 'Settings', exact: true }).click()
  await expect(page.getByTestId('policy-sentence')).toContainText('It is tried once.')
})
