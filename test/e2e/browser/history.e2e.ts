/** Checkpoints, saves and published versions of a workflow: what changed since, as a picture, and the way back. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, pane } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const workflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'past', title: 'With a past' },
  nodes: {
    a: { kind: 'log', title: 'Alpha', parameters: { message: 'x' } },
    b: { kind: 'noop', title: 'Beta' },
  },
  edges: {},
  layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 320, y: 0 } } },
}

test('a state is named, changed, compared and restored, by keyboard too', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'past.json', workflow)
  await page.goto(server.url)
  await page.getByRole('button', { name: /past\.json/ }).click()
  await expect(card(page, 'a')).toBeVisible()
  await page.keyboard.press('Control+Alt+h')
  await expect(page.getByTestId('history-dialog')).toContainText('Nothing was saved')
  await page.getByTestId('checkpoint-name').fill('Both steps')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('history-entry')).toHaveText(/Both steps/)
  await page.keyboard.press('Escape')

  await card(page, 'b').click()
  await page.keyboard.press('Delete')
  await expect(card(page, 'b')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await page.keyboard.press('Control+Alt+h')
  await expect(page.getByTestId('history-entry')).toHaveText([/Saved/, /Both steps/])
  await page.getByTestId('history-entry').last().click()
  await expect(page.getByTestId('diff-b')).toHaveAttribute('data-mark', 'removed')
  await expect(page.getByTestId('history-words')).toContainText('Beta')
  expect(await barriers(page)).toEqual([])
  await page.getByTestId('history-restore').click()
  await expect(card(page, 'b')).toBeVisible()
  await expect(page.getByTestId('dirty-state')).toHaveText('Edited')
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'b')).toHaveCount(0)
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
})
