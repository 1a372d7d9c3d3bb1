/** A step is told when it doesn't run, and its card says which condition held; a wait takes several signals. */

import { expect } from '@playwright/test'
import { card, openNode, runState, typeInto, unfold } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const billing = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_billing',
  title: 'Bill somebody',
  nodes: {
    ask: { kind: 'wait-signal', parameters: { name: 'paid', count: 2 } },
    bill: { kind: 'transform', parameters: { expression: '"billed"' } },
    thank: { kind: 'transform', parameters: { expression: '"after " & $string(input)' } },
  },
  edges: {
    first: { from: { node: 'ask', port: 'out' }, to: { node: 'bill', port: 'in' } },
    second: { from: { node: 'bill', port: 'out' }, to: { node: 'thank', port: 'in' } },
  },
  layout: { nodes: { ask: { x: 0, y: 0 }, bill: { x: 320, y: 0 }, thank: { x: 640, y: 0 } } },
}

test('a step is skipped by its condition, and the next goes on', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'billing.json', billing)
  await page.goto(server.url)
  await page.getByText('Bill somebody').first().click()
  await openNode(page, 'bill', 'Settings')
  await unfold(page, 'Skipping')
  await typeInto(page, 'skipIf', 'input[0] = 7')
  await typeInto(page, 'onSkip', 'pass')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'WAITING')
  await openNode(page, 'ask', 'Run data')
  await page.getByTestId('signal-payload').fill('7')
  await page.getByTestId('signal-send').click()
  await expect(card(page, 'ask')).toContainText('1 has come')
  await expect(page.getByTestId('signal-payload')).toHaveValue('')
  await page.getByTestId('signal-payload').fill('8')
  await page.getByTestId('signal-send').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'bill')).toContainText('Skipped')
  await expect(card(page, 'bill')).toContainText('input[0] = 7')
  await openNode(page, 'thank', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('after [7,8]')
})
