/** A workflow that runs another one: from the step to its run and back. */

import { expect } from '@playwright/test'
import { card, openNode, runState, unfold } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const format = { format: 'sagasmith.workflow', schemaVersion: 1 }

const invoice = {
  ...format,
  id: 'wf_invoice',
  title: 'Write the invoice',
  nodes: { write: { kind: 'transform', parameters: { expression: "'invoice ' & run.input.order" } } },
  edges: {},
  layout: { nodes: { write: { x: 0, y: 0 } } },
}

const order = {
  ...format,
  id: 'wf_order',
  title: 'Take the order',
  nodes: {
    bill: {
      kind: 'sub-workflow',
      parameters: { workflow: './invoice.json', input: '{ "order": 7 }' },
    },
  },
  edges: {},
  layout: { nodes: { bill: { x: 0, y: 0 } } },
}

test('a step leads to the run that it started and back, and a workflow is picked by its name', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'invoice.json', invoice)
  await putWorkflow(dataDirectory, 'order.json', order)
  await page.goto(server.url)
  await page.getByText('Take the order').first().click()
  await test.step('a step leads to the run that it started, and that run back to it', async () => {
    await page.getByTestId('run-button').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await openNode(page, 'bill', 'Run data')
    await expect(page.getByTestId('run-output')).toContainText('invoice 7')
    await expect(page.getByTestId('child-run')).toContainText('Write the invoice')
    await page.getByTestId('child-run-open').click()

    await expect(card(page, 'write')).toHaveAttribute('data-status', 'SUCCESS')
    await expect(page.getByTestId('run-origin')).toContainText('A step of another run')
    await page.getByTestId('run-origin-open').click()
    await expect(card(page, 'bill')).toHaveAttribute('data-status', 'SUCCESS')
    await expect(page.getByTestId('child-run')).toBeVisible()
  })

  await test.step('a workflow and its version are picked by their names', async () => {
    await page.getByTestId('home-button').click()
    await page.getByTestId('new-workflow').click()
    await page.getByTestId('palette-item-sub-workflow').click()
    await openNode(page, 'subWorkflow')
    await page.getByTestId('workflow-choice').selectOption({ label: 'Write the invoice' })
    await expect(card(page, 'subWorkflow')).toContainText('wf_invoice')
    await unfold(page, 'Version')
    const versions = page.getByTestId('version-choice')
    await expect(versions.locator('option')).toHaveText([/newest/, /Write the invoice/])
    await versions.selectOption({ index: 1 })
    await expect(page.getByTestId('problems-button')).toHaveText('No problems')
    // By an expression, too: the words for it stand beside the names.
    await page.getByTestId('workflow-choice').selectOption({ index: 3 })
    await expect(page.getByLabel('Id, path or expression')).toHaveValue('wf_invoice')
    await page.getByTestId('workflow-choice').selectOption({ label: 'Write the invoice' })
    await page.getByTestId('workflow-open').click()
    await expect(card(page, 'write')).toBeVisible()
  })
})
