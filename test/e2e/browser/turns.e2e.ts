/** The items of a map and the turns of a loop inside of it: seen at a glance, gone through one by one. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, openAnother, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const orders = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_turns',
  title: 'Each order twice',
  nodes: {
    each: { kind: 'map', parameters: { items: '["ann","bob","cid","dan"]', limit: 2, tolerate: 4 } },
    name: {
      kind: 'transform',
      parent: 'each',
      parameters: { expression: "input = 'cid' ? $error('No such customer') : $uppercase(input)" },
    },
    again: { kind: 'loop', parent: 'each', parameters: { mode: 'count', count: 2 } },
    turn: { kind: 'noop', parent: 'again', parameters: {} },
  },
  edges: { first: { from: { node: 'name', port: 'out' }, to: { node: 'again', port: 'in' } } },
  layout: {
    nodes: {
      each: { x: 0, y: 0 },
      name: { x: 32, y: 88 },
      again: { x: 320, y: 88 },
      turn: { x: 352, y: 176 },
    },
  },
}

const resting = {
  ...orders,
  id: 'wf_resting_items',
  title: 'Each rests',
  nodes: {
    each: { kind: 'map', parameters: { items: '[1..6]', limit: 1 } },
    rest: { kind: 'delay', parent: 'each', parameters: { amount: 1 } },
  },
  edges: {},
  layout: { nodes: { each: { x: 0, y: 0 }, rest: { x: 32, y: 88 } } },
}

async function anItemIsPicked(page: Page): Promise<void> {
  const bar = card(page, 'each').getByTestId('turn-bar')
  await expect(bar.locator('i')).toHaveCount(4)
  await expect(bar.locator('i').nth(2)).toHaveAttribute('data-mark', 'f')

  await openNode(page, 'name', 'Run data')
  const picker = page.getByTestId('turns-each')
  await expect(page.getByTestId('run-output')).toContainText('DAN')
  await picker.getByTitle('Item 1: done').click()
  await expect(page.getByTestId('run-output')).toContainText('ANN')
  await picker.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByTestId('run-output')).toContainText('BOB')
  await picker.getByLabel('Next one that failed').click()
  await expect(page.getByTestId('run-error-card')).toContainText('No such customer')
  // The card shows the chosen item as well.
  await expect(card(page, 'name')).toHaveAttribute('data-status', 'FAILED')
  await picker.getByTestId('turn-latest').click()
  await expect(card(page, 'name')).toHaveAttribute('data-status', 'SUCCESS')

  // Three of the four went on: the bead on the wire counts them, and keeps the last value in sight.
  const probe = page.getByTestId('probe-first')
  await expect(probe).toHaveText(/3$/)
  await probe.click()
  await expect(probe).toHaveAttribute('aria-pressed', 'true')
  await expect(probe).toContainText('"DAN"')
}

async function turnsOfTheItem(page: Page): Promise<void> {
  await openNode(page, 'turn', 'Run data')
  await expect(page.getByTestId('turns-each:3/again')).toBeVisible()
  await page.getByTestId('turns-each').getByTitle('Item 2: done').click()
  const inner = page.getByTestId('turns-each:1/again')
  await expect(inner.getByRole('slider')).toHaveAttribute('aria-valuemax', '2')
  await inner.getByRole('slider').focus()
  await page.keyboard.press('Home')
  await expect(page.getByTestId('run-output')).toContainText('BOB')
  await page.getByTestId('turns-each').getByTitle('Item 3: failed').click()
  await expect(page.getByTestId('run-data')).toContainText('not run in the chosen item')
}

test('items and the turns in them are picked one by one, and who has ended says no more why it waited', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'turns.json', orders)
  await putWorkflow(dataDirectory, 'resting.json', resting)
  await page.goto(server.url)
  await page.getByText('Each order twice').first().click()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', /SUCCEEDED|FAILED/)
  await test.step('an item is picked, and inspector and canvas show that one', () => anItemIsPicked(page))
  await test.step('the turns of a loop belong to the item that was picked', () => turnsOfTheItem(page))

  await test.step('a step that has ended says no more why it waited', async () => {
    await openAnother(page, resting.title)
    await page.getByTestId('run-button').click()
    await openNode(page, 'rest', 'Run data')
    await expect(page.getByTestId('why-waits')).toBeVisible()
    await expect(page.getByTestId('turns-each').locator('[data-mark="d"]')).toHaveCount(6)
    await expect(page.getByTestId('why-waits')).toHaveCount(0)
  })
})
