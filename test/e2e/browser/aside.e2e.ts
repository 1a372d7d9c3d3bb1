/** A run in a window of its own: it follows what is selected in the first one, and the moment that is looked at. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const workflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_pair', title: 'Two steps' },
  nodes: {
    first: { kind: 'transform', title: 'Count', parameters: { expression: '{ "count": 41 }' } },
    second: { kind: 'transform', title: 'Add one', parameters: { expression: 'input.count + 1' } },
  },
  edges: { e: { from: { node: 'first', port: 'out' }, to: { node: 'second', port: 'in' } } },
  layout: { nodes: { first: { x: 0, y: 0 }, second: { x: 280, y: 0 } } },
}

test('the data of a step is in one window and the canvas in another, and they look at the same', async ({
  page,
  server,
  app,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'pair.json', workflow)
  await page.goto(server.url)
  await page.getByText('Two steps').first().click()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await card(page, 'second').click()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.insertText('window of its own')
  const opening = app === null ? page.waitForEvent('popup') : app.waitForEvent('window')
  await page.keyboard.press('Enter')
  const aside = await opening

  // The same run and step; the room is the data's.
  const inspector = aside.getByTestId('inspector')
  await expect(inspector.locator('header code')).toHaveText('second')
  await expect(inspector).toContainText('42')
  await expect(aside.getByTestId('palette-item-if')).toHaveCount(0)
  await expect(aside.getByText('2 nodes', { exact: true })).toBeVisible()
  await expect(aside.getByTestId('aside-note')).toBeVisible()
  expect(await barriers(aside)).toEqual([])

  // It follows the first window's selection and playhead.
  await card(page, 'first').click()
  await expect(inspector.locator('header code')).toHaveText('first')
  await expect(inspector).toContainText('41')
  await page.getByTestId('timeline-button').click()
  await page.getByTestId('playhead').press('Home')
  await page.getByTestId('playhead').press('ArrowRight')
  await expect(aside.getByTestId('run-past')).toBeVisible()
  await page.getByTestId('run-past').getByRole('button').click()
  await expect(aside.getByTestId('run-past')).toHaveCount(0)

  // What is done there stays there.
  await card(aside, 'second').click()
  await expect(inspector.locator('header code')).toHaveText('second')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('first')
  await aside.close()

  // The first window is as it was, palette included.
  await page.reload()
  await expect(page.getByTestId('palette-item-if')).toBeVisible()
  await expect(page.getByTestId('tabs').getByRole('listitem')).toHaveCount(1)
})
