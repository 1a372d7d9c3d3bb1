/** The steps as a list: the whole of a workflow without the canvas, by keys alone. */

import { expect } from '@playwright/test'
import { barriersInBothThemes } from '../barriers.ts'
import { card, cards, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const step = (message: string) => ({ kind: 'log', title: message, parameters: { message } })
const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

const document = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_list',
  title: 'List',
  nodes: { ship: step('Ship it'), take: step('Take the order'), pay: step('Take the money') },
  edges: { e1: edge('take', 'pay'), e2: edge('pay', 'ship') },
  layout: { nodes: { take: { x: 0, y: 0 }, pay: { x: 320, y: 0 }, ship: { x: 640, y: 0 } } },
}

test('steps are walked, renamed, switched off, added and run from the list', async ({
  page,
  server,
  dataDirectory,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await putWorkflow(dataDirectory, 'list.json', document)
  await page.goto(server.url)
  await page.getByRole('button', { name: /list\.json/ }).click()
  await expect(cards(page)).toHaveCount(3)
  await page.keyboard.press('ControlOrMeta+Alt+l')
  await expect(page.getByRole('tab', { name: 'Steps' })).toBeFocused()
  const rows = page.getByRole('treeitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toHaveAccessibleName(/Take the order.*Log, leads to Take the money/)
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('row-take')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByTestId('row-pay')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('row-ship')).toBeFocused()
  expect(await barriersInBothThemes(page)).toEqual([])

  await page.keyboard.press('m')
  await expect(page.getByTestId('row-ship')).toContainText('off')
  await page.keyboard.press('m')
  await expect(page.getByTestId('row-ship')).not.toContainText('off')
  await page.keyboard.press('F2')
  await page.getByTestId('row-ship').getByRole('textbox').fill('Send it')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('row-ship')).toBeFocused()
  await expect(card(page, 'ship')).toContainText('Send it')

  await page.keyboard.press('a')
  await page.keyboard.type('nothing')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(4)
  await expect(page.getByTestId('row-ship')).toHaveAccessibleName(/leads to Do nothing/)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows).toHaveCount(3)

  await page.keyboard.press('F5')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await page.getByTestId('row-take').focus()
  // The keyboard gets out of the list by Tab, in both directions.
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('tab', { name: 'Steps' })).toBeFocused()
})
