/** Publishing a further version: what changes is drawn, and which runs in flight that concerns. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, runState, typeInto } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})
const workflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'flight', title: 'In flight' },
  nodes: {
    hold: { kind: 'delay', title: 'Hold', parameters: { amount: 60, unit: 'minutes' } },
    tell: { kind: 'log', title: 'Tell', parameters: { message: 'old' } },
  },
  edges: { e1: edge('hold', 'tell') },
  layout: { nodes: { hold: { x: 0, y: 0 }, tell: { x: 320, y: 0 } } },
}

async function publish(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Publish')
  await page.keyboard.press('Enter')
}

test('a run that is still to come to a changed step is named, and ends as it began', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'flight.json', workflow)
  await page.goto(server.url)
  await page.getByRole('button', { name: /flight\.json/ }).click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'hold')).toHaveAttribute('data-status', 'WAITING')
  const runId = (await runState(page).getAttribute('data-run-id')) ?? ''
  await openNode(page, 'tell')
  await typeInto(page, 'parameters.message', 'new')
  await publish(page)
  const dialog = page.getByTestId('publish-dialog')
  await expect(dialog.getByTestId('blast-radius')).toContainText('One in flight')
  await expect(dialog.getByTestId('blast-run')).toContainText('Tell as it was')
  await expect(dialog.getByTestId('diff-tell')).toHaveAttribute('data-mark', 'changed')
  await page.getByTestId('publish-confirm').click()
  await expect(page.getByTestId('toasts')).toContainText('Published on this computer')

  // The run is as it was, and shown from there in its own version.
  await typeInto(page, 'parameters.message', 'newer')
  await publish(page)
  await dialog.getByRole('button', { name: 'Show this run' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(runState(page)).toHaveAttribute('data-run-id', runId)
  await expect(card(page, 'tell')).toContainText('old')
})
