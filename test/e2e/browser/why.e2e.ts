/** A step that waits says for what, who has it, and where in line it stands. */

import { expect } from '@playwright/test'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const one = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_line',
  title: 'One at a time',
  nodes: {
    work: {
      kind: 'shell-command',
      title: 'Work through all orders of the week before, in the order in which they came in',
      parameters: { program: 'sleep', arguments: ['60'] },
      concurrency: { running: 'TASK', limit: 1, onFull: 'reroute' },
    },
  },
  edges: {},
  layout: { nodes: { work: { x: 0, y: 0 } } },
}

test('the second run stands in line behind the first', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'one.json', one)
  await page.goto(server.url)
  await page.getByText('One at a time').first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 'work')).toHaveAttribute('data-status', 'RUNNING')
  await page.getByTestId('run-button').click()
  await expect(card(page, 'work')).toHaveAttribute('data-status', 'CONCURRENCY_CONTROLLED')
  // In one sentence above the canvas, and as a turnstile on the card, whose slot opens who has it.
  await expect(page.getByTestId('explain')).toContainText('(1 of 1 busy), position 1 of 1')
  // However long it is, the way out of following stays beside it.
  await expect
    .poll(async () => {
      const [said, way] = await Promise.all([
        page.getByTestId('explain').boundingBox(),
        page.getByTestId('following').boundingBox(),
      ])
      return said !== null && way !== null && said.x + said.width <= way.x
    })
    .toBe(true)
  await expect(page.getByTestId('gate-work').getByRole('button')).toHaveCount(1)
  await openNode(page, 'work', 'Run data')
  const why = page.getByTestId('why-waits')
  await expect(why).toContainText('1 of 1 taken')
  await expect(why).toContainText('Number 1 of 1 in line')
  await expect(why.locator('li')).toHaveCount(1)

  // The first ends: its place is free, and nothing waits any more.
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByTestId('gate-work').getByRole('button').click()
  await expect(card(page, 'work')).toHaveAttribute('data-status', 'RUNNING')
  await expect(page.getByTestId('explain')).toContainText(/^Running “.*” for/)
  await page.getByTestId('cancel-button').click()
  const first = (await runState(page).getAttribute('data-run-id')) ?? ''
  await page.locator('[data-run]').nth(0).click()
  // The cards of both say the same for a moment: what is cancelled next has to be the other one.
  await expect(runState(page)).not.toHaveAttribute('data-run-id', first)
  await expect(card(page, 'work')).toHaveAttribute('data-status', 'RUNNING')
  await expect(why).toHaveCount(0)
  await page.getByTestId('cancel-button').click()
  await expect(card(page, 'work')).toHaveAttribute('data-status', 'CANCELLED')
})
