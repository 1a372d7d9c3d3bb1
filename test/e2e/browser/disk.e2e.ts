/** Another program writes to the file that is open: its changes are taken in, and asked about only where both did. */

import { readFile, writeFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, typeInto } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const log = (message: string, title: string) => ({ kind: 'log', title, parameters: { message } })
const workflow = (nodes: object) => ({
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'shared', title: 'Shared', nodes, edges: {} },
  layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 320, y: 0 }, c: { x: 640, y: 0 } } },
})

test('a file changed outside is merged node by node, conflicts are chosen side by side', async ({
  page,
  server,
  dataDirectory,
}) => {
  const [a, b] = [log('first', 'Alpha'), log('second', 'Beta')]
  const path = await putWorkflow(dataDirectory, 'shared.json', workflow({ a, b }))
  await page.goto(server.url)
  await page.getByRole('button', { name: /shared\.json/ }).click()
  await openNode(page, 'a')
  await typeInto(page, 'parameters.message', 'mine')

  // Nobody is asked: what is new there comes beside what was written here.
  await writeFile(
    path,
    JSON.stringify(workflow({ a, b: log('second', 'Beta, renamed'), c: log('x', 'New') })),
  )
  await expect(card(page, 'c')).toBeVisible()
  await expect(card(page, 'b')).toContainText('Beta, renamed')
  await expect(card(page, 'a')).toContainText('mine')
  await expect(page.getByTestId('toasts')).toContainText('Another program changed the file')

  await writeFile(path, JSON.stringify(workflow({ a: log('theirs', 'Alpha'), b, c: log('y', 'New') })))
  await expect(page.getByTestId('disk-banner')).toBeVisible()
  await expect(card(page, 'a')).toContainText('mine')
  await page.getByTestId('disk-look').click()
  const row = page.getByTestId('merge-row')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('parameters.message')
  expect(await barriers(page)).toEqual([])
  await row.getByTestId('merge-theirs').check()
  await page.getByTestId('merge-apply').click()
  await expect(card(page, 'a')).toContainText('theirs')
  await expect(page.getByTestId('disk-banner')).toHaveCount(0)

  // Nothing is left that the file doesn't have; undone, all is as it was, and saving asks nothing any more.
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  await page.getByTestId('undo-button').click()
  await expect(card(page, 'a')).toContainText('mine')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  expect(await readFile(path, 'utf8')).toContain('mine')
})
