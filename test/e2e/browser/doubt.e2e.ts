/** A step whose runner died while its effect may have happened: decided on the canvas, or in the inspector. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openNode, runState, startRun } from '../designer-driver.ts'
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

async function seeDoubt(page: Page): Promise<void> {
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await expect(card(page, 'pay')).toContainText('Needs you')
  await expect(page.getByTestId('run-doubt')).toContainText('was cut off while it ran')
}

async function takeAsDone(page: Page): Promise<void> {
  await seeDoubt(page)
  await page.getByTestId('decide-done-pay').click()
  await expect(page.getByTestId('resolve')).toBeVisible()
  await page.getByTestId('resolve-output').fill('{ "id": 7 }')
  await page.getByTestId('resolve-done').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openNode(page, 'thank', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('paid 7')
  await expect(page.getByTestId('decide-done-pay')).toHaveCount(0)
}

async function runAgain(page: Page): Promise<void> {
  await seeDoubt(page)
  // By the keyboard.
  await page.getByTestId('decide-again-pay').focus()
  await page.keyboard.press('Enter')
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'RUNNING')
}

async function endAsFailed(page: Page): Promise<void> {
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'APPROVAL_REQUIRED')
  await page.getByTestId('run-doubt-show').click()
  await expect(page.getByTestId('resolve')).toBeVisible()
  await page.getByTestId('decide-fail-pay').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await expect(card(page, 'thank')).not.toHaveAttribute('data-status', 'SUCCESS')
}

/** Runs the step, which goes on until it is cut off; gives the run's id. */
async function begin(page: Page): Promise<string> {
  await startRun(page)
  await expect(card(page, 'pay')).toHaveAttribute('data-status', 'RUNNING')
  return (await runState(page).getAttribute('data-run-id')) ?? ''
}

test('on the card of a step that was cut off it is taken as done, or run again, and ended as failed', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'pay.json', paying)
  await page.goto(server.url)
  await page.getByText('Pay once').first().click()
  const first = await begin(page)
  await begin(page)
  await server.kill()
  const again = await startServer(dataDirectory)
  await test.step('on the card it is taken as done with an output, and the run goes on', () =>
    takeAsDone(page))
  await test.step('on the card it is run again, and then ends as failed', async () => {
    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByTestId(`run-row-${first}`).click()
    await runAgain(page)
    await again.kill()
    const third = await startServer(dataDirectory)
    try {
      await endAsFailed(page)
    } finally {
      await third.stop()
    }
  })
})
