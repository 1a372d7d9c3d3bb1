/** A step whose runner died while its effect may have happened: decided on the canvas, or in the inspector. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, runState } from '../designer-driver.ts'
import type { Server } from './serving.ts'
import { putWorkflow, startServer, test } from './serving.ts'

const paying = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_pay',
  title: 'Pay once',
  nodes: {
    pay: { kind: 'shell-command', parameters: { program: 'sleep', arguments: ['600'] } },
    thank: { kind: 'transform', parameters: { expression: "'paid ' & input.id" } },
  },
  edges: { next: { from: { node: 'pay', port: 'out' }, to: { node: 'thank', port: 'in' } } },
  layout: { nodes: { pay: { x: 0, y: 0 }, thank: { x: 320, y: 0 } } },
}

/** Cuts the step off, and comes back; the caller stops the new server. */
async function cutOff(page: Page, server: Server, dataDirectory: string): Promise<Server> {
  await putWorkflow(dataDirectory, 'pay.json', paying)
  await page.goto(server.url)
  await page.getByText('Pay once').first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'RUNNING')
  await server.kill()
  const again = await startServer(dataDirectory)
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await expect(card(page, 'pay')).toContainText('Needs you')
  await expect(page.getByTestId('run-doubt')).toContainText('was cut off while it ran')
  return again
}

test('on the card it is taken as done with an output, and the run goes on', async ({
  page,
  server,
  dataDirectory,
}) => {
  const again = await cutOff(page, server, dataDirectory)
  try {
    await page.getByTestId('decide-done-pay').click()
    await expect(page.getByTestId('resolve')).toBeVisible()
    await page.getByTestId('resolve-output').fill('{ "id": 7 }')
    await page.getByTestId('resolve-done').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
    await openNode(page, 'thank', 'Run data')
    await expect(page.getByTestId('run-output')).toContainText('paid 7')
    await expect(page.getByTestId('decide-done-pay')).toHaveCount(0)
  } finally {
    await again.stop()
  }
})

test('on the card it is run again, and then ends as failed', async ({ page, server, dataDirectory }) => {
  const again = await cutOff(page, server, dataDirectory)
  // By the keyboard.
  await page.getByTestId('decide-again-pay').focus()
  await page.keyboard.press('Enter')
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'RUNNING')
  await again.kill()
  const third = await startServer(dataDirectory)
  try {
    await expect(card(page, 'pay')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
    await page.getByTestId('run-doubt-show').click()
    await expect(page.getByTestId('resolve')).toBeVisible()
    await page.getByTestId('decide-fail-pay').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
    await expect(card(page, 'thank')).not.toHaveAttribute('data-status', 'SUCCESS')
  } finally {
    await third.stop()
  }
})
