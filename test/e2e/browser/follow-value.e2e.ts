/** From a value of a run back to where it began, and on to who reads it. */

import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, openNode, runState } from '../designer-driver.ts'
import { putWorkflow, runCli, test } from './serving.ts'

const link = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

const transform = (title: string, expression: string) => ({
  kind: 'transform',
  title,
  parameters: { expression },
})

const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_follow',
  title: 'Bill the orders',
  nodes: {
    order: transform('Take the order', '{"customer": input.name, "lines": [{"price": 4}, {"price": 6}]}'),
    total: transform('Add up', '$sum(nodes.order.output.lines.price)'),
    bill: transform('Write the bill', '{"to": nodes.order.output.customer, "amount": input}'),
    send: transform('Send it', '"To " & input.to & ": " & $string(input.amount)'),
  },
  edges: { a: link('order', 'total'), b: link('total', 'bill'), c: link('bill', 'send') },
  layout: {
    nodes: {
      order: { x: 0, y: 80 },
      total: { x: 320, y: 80 },
      bill: { x: 640, y: 80 },
      send: { x: 960, y: 80 },
    },
  },
}

test('a value is followed to its beginning and to its readers, and each place leads to its step', async ({
  page,
  server,
  dataDirectory,
}) => {
  const path = await putWorkflow(dataDirectory, 'follow.json', workflow)
  await runCli(['run', path, '--input', '{"name":"Ada"}', '--data', dataDirectory])
  await page.goto(server.url)
  await page.getByText('Bill the orders').first().click()
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.locator('[data-testid^="run-row-"]').first().click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')

  await openNode(page, 'bill', 'Run data')
  const amount = page.getByTestId('run-output').getByRole('treeitem', { name: /^amount/ })
  await amount.focus()
  await page.keyboard.press('Shift+Enter')

  const hops = page.getByTestId('followed-hops').getByRole('listitem')
  await expect(hops.first()).toContainText('output.amount')
  await expect(hops.first()).toContainText('10')
  await expect(page.getByTestId('followed-hops')).toContainText('Take the order')
  await expect(page.getByTestId('followed-readers')).toContainText('Send it')
  await expect(page.getByTestId('followed-bill')).toHaveAttribute('data-role', 'here')
  await expect(page.getByTestId('followed-send')).toHaveAttribute('data-role', 'reader')
  expect(await barriers(page)).toEqual([])

  // On from the reader: what it gave came from both.
  await page
    .getByTestId('followed-readers')
    .getByRole('button', { name: /^Follow from here/ })
    .click()
  await expect(page.getByTestId('followed-send')).toHaveAttribute('data-role', 'here')
  await page.getByRole('button', { name: 'Back to the value before' }).click()
  await expect(page.getByTestId('followed-bill')).toHaveAttribute('data-role', 'here')

  await hops.last().getByRole('button').first().click()
  await expect(card(page, 'order')).toHaveAttribute('data-selected', 'true')
  // By keys alone, from the card.
  await card(page, 'send').click()
  await page.keyboard.press('w')
  await expect(page.getByTestId('followed-send')).toHaveAttribute('data-role', 'here')
  await page.getByRole('tab', { name: 'Log' }).click()
  await expect(page.getByTestId('followed-send')).toHaveCount(0)
})
