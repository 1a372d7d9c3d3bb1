/** The items of a map on its card: counted by state, and looked at one by one, what failed first. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_deck',
  title: 'Many items',
  nodes: {
    each: { kind: 'map', parameters: { items: '[1..200]', limit: 50, tolerate: 200 } },
    charge: {
      kind: 'transform',
      parent: 'each',
      parameters: { expression: 'input % 90 = 0 ? $error("card refused") : input' },
    },
  },
  edges: {},
  layout: { nodes: { each: { x: 0, y: 0, width: 420, height: 220 }, charge: { x: 40, y: 90 } } },
}

test('the deck of a map leads from one failed item to the next', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'deck.json', workflow)
  await page.goto(server.url)
  await page.getByText('Many items').first().click()
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  const deck = page.getByTestId('deck-each')
  await expect(deck.getByRole('button')).toHaveText([/2\s*failed/, /198\s*done/])
  const failed = deck.getByRole('button', { name: /failed/ })
  await failed.click()
  await expect(deck).toContainText('No. 90 of 200')
  await expect(failed).toHaveAttribute('aria-pressed', 'true')
  await expect(card(page, 'charge')).toHaveAttribute('data-selected', 'true')
  await expect(card(page, 'each')).not.toHaveAttribute('data-selected', 'true')
  await failed.click()
  await expect(deck).toContainText('No. 180 of 200')
  expect(await barriers(page)).toEqual([])
  await failed.press('Enter')
  await expect(deck).toContainText('No. 90 of 200')
})
