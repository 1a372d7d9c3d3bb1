/** Two runs side by side: from the list of runs, and from a run that is shown. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const link = (from: string, port: string, to: string) => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_compare',
  title: 'Check orders',
  nodes: {
    order: { kind: 'noop', title: 'Take the order' },
    check: { kind: 'if', title: 'Large?', parameters: { condition: 'input.total > 100' } },
    ask: {
      kind: 'transform',
      title: 'Ask for approval',
      parameters: { expression: '{"asked": input.total}' },
    },
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

test('two runs are laid side by side, and it is said where they part', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'compare.json', workflow)
  for (const total of [120, 12]) {
    const input = JSON.stringify({ total })
    await runCli(['run', path, '--input', input, '--data', dataDirectory])
  }
  await page.goto(server.url)
  await page.getByText('Check orders').first().click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  const rows = page.locator('[data-testid^="run-row-"]')
  await expect(rows).toHaveCount(2)
  await rows.first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByTestId('bulk-compare').click()

  const dialog = page.getByTestId('compare-dialog')
  const parting = 'At “Large?”, run B took “false”, run A took “true”, because input.total was 12, not 120.'
  await expect(dialog.getByTestId('compare-part')).toHaveText(parting)
  await expect(dialog.getByTestId('diff-check')).toHaveAttribute('data-mark', 'parts')
  await expect(dialog.getByTestId('diff-ask')).toHaveAttribute('data-mark', 'removed')
  await expect(dialog.getByTestId('diff-ship')).toHaveAttribute('data-mark', 'added')

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect(await barriers(page)).toEqual([])
  }

  // By keys: from difference to difference, the picture along; then out.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByTestId('diff-check')).toHaveAttribute('data-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await rows.first().click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('compare-button').click()
  await expect(dialog.getByTestId('compare-part')).toHaveText(parting)
  await dialog.getByTestId('compare-swap').click()
  await expect(dialog.getByTestId('compare-part')).toContainText('input.total was 120, not 12')
})
