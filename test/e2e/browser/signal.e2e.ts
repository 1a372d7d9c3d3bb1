/** A step that waits for a signal gets it from the inspector. */

import { expect } from '@playwright/test'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const asking = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_asking',
  title: 'Ask somebody',
  nodes: {
    ask: { kind: 'wait-signal', parameters: { name: 'approved' } },
    note: { kind: 'transform', parameters: { expression: '"by " & input.by' } },
  },
  edges: { first: { from: { node: 'ask', port: 'out' }, to: { node: 'note', port: 'in' } } },
  layout: { nodes: { ask: { x: 0, y: 0 }, note: { x: 320, y: 0 } } },
}

test('a signal is sent from the inspector, with what it carries', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'asking.json', asking)
  await page.goto(server.url)
  await page.getByText('Ask somebody').first().click()
  // Nothing is chosen: the inspector shows the workflow, with what others name it by.
  await expect(page.getByTestId('workflow-id')).toHaveText('wf_asking')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'ask')).toHaveAttribute('data-status', 'WAITING')
  await openNode(page, 'ask', 'Run data')

  // What its record holds in the meantime is no output.
  await expect(page.getByTestId('run-output')).toHaveCount(0)
  await expect(page.getByTestId('signal')).toContainText('approved')
  await page.getByTestId('signal-payload').fill('{"by": Ada}')
  await expect(page.getByTestId('signal-send')).toBeDisabled()
  await page.getByTestId('signal-payload').fill('{"by": "Ada"}')
  await page.getByTestId('signal-send').click()

  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(page.getByTestId('signal')).toHaveCount(0)
  await openNode(page, 'note', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('by Ada')
})
