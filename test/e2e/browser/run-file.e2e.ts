/** A run as a file: saved at a moment in one workspace, dropped on the window of another. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, startServer, test } from './serving.ts'

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_handed_on',
  title: 'Handed on',
  nodes: {
    first: { kind: 'transform', title: 'First', parameters: { expression: '{"n": 6 * 7}' } },
    second: { kind: 'transform', title: 'Second', parameters: { expression: 'input.n' } },
  },
  edges: { a: { from: { node: 'first', port: 'out' }, to: { node: 'second', port: 'in' } } },
  layout: { nodes: { first: { x: 0, y: 80 }, second: { x: 320, y: 80 } } },
}

test('a run is saved at the moment that is looked at, and opened there by somebody else', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'handed-on.json', workflow)
  await runCli(['run', path, '--data', dataDirectory])
  await page.goto(server.url)
  await page.getByText('Handed on').first().click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.locator('[data-testid^="run-row-"]').first().click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('timeline-button').click()
  const playhead = page.getByTestId('playhead')
  await playhead.press('Home')
  await playhead.press('ArrowRight')
  await playhead.press('ArrowRight')
  const moment = await page.getByTestId('playhead-event').textContent()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Save this run as a file')
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^run_.*\.sagarun$/)
  const bytes = await readFile(await download.path())

  const elsewhere = await mkdtemp(join(tmpdir(), 'sagasmith-elsewhere-'))
  const other = await startServer(elsewhere)
  try {
    await page.goto(other.url)
    const data = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([content], 'from-ada.sagarun'))
      return transfer
    }, bytes.toString('base64'))
    await page.dispatchEvent('body', 'drop', { dataTransfer: data })
    await expect(page.getByTestId('pulled-run')).toContainText('A run from the file from-ada.sagarun')
    await expect(page.getByTestId('resume-there')).toHaveCount(0)
    await expect(page.getByTestId('playhead-event')).toHaveText(moment ?? '')
    await expect(card(page, 'second')).not.toHaveAttribute('data-status', 'SUCCESS')
    await page.getByTestId('playhead').press('End')
    await openNode(page, 'second', 'Run data')
    await expect(page.getByTestId('run-output')).toContainText('42')
    expect(await barriers(page)).toEqual([])
  } finally {
    await other.stop()
    await rm(elsewhere, { recursive: true, force: true })
  }
})
