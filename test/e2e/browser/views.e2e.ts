/** What is shown of runs and of a workflow's other forms, against the pictures of docs/screens, as `screens.e2e.ts` has it. */

import { expect } from '@playwright/test'
import { busyPixels, isAsMeant, pictured } from '../as-meant.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const link = (from: string, port: string, to: string) => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

/** Two ways, and nothing that takes its time. */
const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_check',
  title: 'Check orders',
  nodes: {
    order: { kind: 'noop', title: 'Take the order' },
    check: { kind: 'if', title: 'Large?', parameters: { condition: 'input.total > 100' } },
    ask: { kind: 'transform', title: 'Ask first', parameters: { expression: '{"asked": input.total}' } },
    ship: {
      kind: 'transform',
      title: 'Ship at once',
      parameters: { expression: '{"shipped": input.total}' },
    },
    file: { kind: 'noop', title: 'File it' },
  },
  edges: {
    a: link('order', 'out', 'check'),
    b: link('check', 'true', 'ask'),
    c: link('check', 'false', 'ship'),
    d: link('ask', 'out', 'file'),
    e: link('ship', 'out', 'file'),
  },
  layout: {
    nodes: {
      order: { x: 0, y: 80 },
      check: { x: 320, y: 80 },
      ask: { x: 640, y: 0 },
      ship: { x: 640, y: 180 },
      file: { x: 960, y: 80 },
    },
  },
}

test('an order that was taken back, its way back step by step, and what was rehearsed of it', async ({
  page,
  server,
}) => {
  await page.setViewportSize(pictured)
  await page.goto(server.url)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByTestId('sample-order-saga').getByRole('button', { name: 'Open and run' }).click()
  await expect(runState(page)).toHaveAttribute('data-status', 'COMPENSATED')
  await expect(page.getByTestId('canvas')).not.toHaveAttribute('data-rewinding')
  await page.getByTestId('fit-button').click()
  await isAsMeant(page, 'rollback', busyPixels)
  await page.keyboard.press('Alt+F9')
  await expect(page.getByTestId('bottom-panel')).toBeVisible()
  await isAsMeant(page, 'undone', busyPixels)
  await page.getByTestId('rehearse-button').click()
  await page.getByTestId('rehearse-dialog').getByTestId('start-button').click()
  await expect(page.getByTestId('rehearsal-summary')).toContainText('none broke a rule')
  await isAsMeant(page, 'rehearsal', busyPixels)
  await page.getByLabel('Close the bottom panel').click()
  await page.getByTestId('letters-button').click()
  await page.getByTestId('letter-list').focus()
  await page.keyboard.press('ArrowDown')
  await isAsMeant(page, 'dead-letters', busyPixels)
})

test('two runs side by side, the last runs on the workflow, the list of steps, code, history and settings', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'check.json', workflow)
  for (const total of [120, 12]) {
    await runCli(['run', path, '--input', JSON.stringify({ total }), '--data', dataDirectory])
  }
  await page.setViewportSize(pictured)
  await page.goto(server.url)
  await page.getByText('Check orders').first().click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  const rows = page.locator('[data-testid^="run-row-"]')
  await expect(rows).toHaveCount(2)
  await rows.first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByTestId('bulk-compare').click()
  await expect(page.getByTestId('compare-part')).toBeVisible()
  await isAsMeant(page, 'compare', busyPixels)
  await page.keyboard.press('Escape')

  await page.getByTestId('ghosts-button').click()
  await expect(page.getByTestId('ghost-bar')).toContainText('The last 2 runs')
  await page.getByTestId('fit-button').click()
  await isAsMeant(page, 'ghosts', busyPixels)
  await page.getByTestId('ghosts-button').click()

  await page.getByRole('tab', { name: 'Steps' }).click()
  await card(page, 'check').click()
  await isAsMeant(page, 'steps')
  await page.getByTestId('code-button').click()
  await expect(page.getByTestId('code-editor')).toBeVisible()
  await isAsMeant(page, 'code')
  await page.getByTestId('code-button').click()
  await openNode(page, 'check', 'Settings')
  await isAsMeant(page, 'step-settings')
  await page.keyboard.press('Control+Alt+h')
  await expect(page.getByTestId('history-dialog')).toBeVisible()
  await isAsMeant(page, 'history')
})
