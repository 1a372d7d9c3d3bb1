/** A real worker is killed from the designer; its step is taken over, and the report says what that means. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** One after the other, for long enough that there is a next step whenever the worker is asked for. */
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
  layout: { nodes: Object.fromEntries(ids.map((id, index) => [id, { x: 300 * index, y: 0 }])) },
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
  await expect(card(page, 'a')).toHaveAttribute('data-status', /RUNNING|SUCCESS/)
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
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED', { timeout: 60_000 })
})
