/** A real worker is killed from the designer; its step is taken over, and the report says what that means. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

/** So many that there is a next one whenever the worker is asked for, be the machine as busy as it may. */
const ids = Array.from({ length: 90 }, (_, index) => `s${index + 1}`)

/** One after the other. */
const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_crash',
  title: 'Crash me',
  nodes: Object.fromEntries(
    ids.map((id) => [id, { kind: 'debug', sideEffect: 'keyed', parameters: { sleepMs: 1_200 } }]),
  ),
  edges: Object.fromEntries(
    ids
      .slice(1)
      .map((id, index) => [id, { from: { node: ids[index], port: 'out' }, to: { node: id, port: 'in' } }]),
  ),
  layout: {
    nodes: Object.fromEntries(
      ids.map((id, index) => [id, { x: 300 * (index % 10), y: 160 * Math.floor(index / 10) }]),
    ),
  },
}

test('the worker of a run dies after its effect; the run goes on, and the report tells it', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'crash.json', workflow)
  await page.goto(server.url)
  await page.getByText('Crash me').first().click()
  await page.getByTestId('run-button').click()
  await expect(card(page, 's1')).toHaveAttribute('data-status', /RUNNING|SUCCESS/)
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog')
  await palette.getByRole('option').first().waitFor()
  await page.keyboard.insertText('Crash its worker')
  await expect(palette.getByRole('option').first()).toContainText('Crash its worker')
  await page.keyboard.press('Enter')

  const dialog = page.getByTestId('crash-dialog')
  await expect(dialog.getByRole('radio', { name: /After the effect/ })).toBeChecked()
  await dialog.getByTestId('crash-send').click()
  const report = dialog.getByTestId('crash-report')
  await expect(report).toHaveAttribute('data-state', 'recovered', { timeout: 60_000 })
  await expect(report.locator('[data-effect=keyed]')).toHaveCount(1)
  await expect(report).toContainText('was done again')
  expect(await barriers(page)).toEqual([])

  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const done = page.locator('.react-flow__node [data-status=SUCCESS]')
  const before = await done.count()
  await expect.poll(() => done.count()).toBeGreaterThan(before)
  await page.keyboard.press('Shift+F5')
  await expect(runState(page)).toHaveAttribute('data-status', 'CANCELLED')
})
