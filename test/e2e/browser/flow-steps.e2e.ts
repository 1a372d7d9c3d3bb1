/** A join that waits only so long leaves by a way of its own; steps inside of a loop leave it. */

import { expect } from '@playwright/test'
import {
  card,
  cards,
  connect,
  dragTask,
  expectNoProblems,
  openNode,
  runAndWait,
  typeInto,
  unfold,
} from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const step = (from: string, to: string, port = 'out') => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

const quotes = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_quotes',
  title: 'Ask for quotes',
  nodes: {
    ask: { kind: 'fork', parameters: { branches: [{ title: 'Near' }, { title: 'Far' }] } },
    near: { kind: 'transform', parameters: { expression: '{ "price": 7, "from": "near" }' } },
    far: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
    quotes: { kind: 'join', parameters: {} },
    order: { kind: 'transform', parameters: { expression: '"all " & $string(input)' } },
    some: { kind: 'transform', parameters: { expression: '"some " & $string(input)' } },
  },
  edges: {
    a: step('ask', 'near', 'branch-1'),
    b: step('ask', 'far', 'branch-2'),
    c: step('near', 'quotes'),
    d: step('far', 'quotes'),
    e: step('quotes', 'order'),
  },
  layout: {
    nodes: {
      ask: { x: 0, y: 80 },
      near: { x: 300, y: 0 },
      far: { x: 300, y: 160 },
      quotes: { x: 600, y: 80 },
      order: { x: 900, y: 0 },
      some: { x: 900, y: 200 },
    },
  },
}

test('a join goes on without a branch that is late', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'quotes.json', quotes)
  await page.goto(server.url)
  await page.getByText('Ask for quotes').first().click()
  await openNode(page, 'quotes')
  await typeInto(page, 'parameters.gather', 'list')
  await unfold(page, 'Time')
  await typeInto(page, 'parameters.onTimeout', 'port')
  await typeInto(page, 'parameters.amount', '300')
  await typeInto(page, 'parameters.unit', 'milliseconds')
  await typeInto(page, 'parameters.late', 'cancel')
  await connect(page, { node: 'quotes', port: 'timeout' }, 'some')
  await expectNoProblems(page)
  await runAndWait(page, 'SUCCEEDED')
  await expect(card(page, 'far')).toHaveAttribute('data-status', 'CANCELLED')
  await expect(card(page, 'quotes')).toHaveAttribute('data-status', 'SUCCESS')
  await openNode(page, 'some', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('some [{')
})

const search = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_search',
  title: 'Look for it',
  nodes: {
    again: { kind: 'loop', parameters: { mode: 'count', count: 50 } },
    look: { kind: 'if', parent: 'again', parameters: { condition: 'loop.index = 3' } },
    more: { kind: 'noop', parent: 'again', parameters: {} },
    after: { kind: 'transform', parameters: { expression: '"found at " & $string(input)' } },
  },
  edges: { a: step('look', 'more', 'false'), b: step('again', 'after') },
  layout: {
    nodes: {
      again: { x: 0, y: 0 },
      look: { x: 32, y: 88 },
      more: { x: 340, y: 200 },
      after: { x: 900, y: 60 },
    },
  },
}

test('a step drawn into a loop ends it', async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'search.json', search)
  await page.goto(server.url)
  await page.getByText('Look for it').first().click()
  await expect(cards(page)).toHaveCount(4)
  const outside = await dragTask(page, 'break-loop', { x: 60, y: 60 })
  await expect(page.getByTestId('problems-button')).not.toHaveText('No problems')
  await page.getByTestId('problems-button').click()
  await expect(page.getByText('leaves a loop, and stands in none')).toBeVisible()
  await page.keyboard.press('Escape')
  await card(page, outside).click()
  await page.keyboard.press('Delete')
  await expect(card(page, outside)).toHaveCount(0)

  const loop = await card(page, 'again').boundingBox()
  const canvas = await page.getByTestId('canvas').boundingBox()
  if (loop === null || canvas === null) throw new Error('nothing is drawn')
  const inside = await dragTask(page, 'break-loop', {
    x: loop.x - canvas.x + loop.width * 0.75,
    y: loop.y - canvas.y + loop.height * 0.35,
  })
  await connect(page, { node: 'look', port: 'true' }, inside)
  await openNode(page, inside)
  await typeInto(page, 'parameters.value', 'loop.index')
  await expectNoProblems(page)
  await runAndWait(page, 'SUCCEEDED')
  await expect(card(page, 'again').getByTestId('turn-bar').locator('i')).toHaveCount(4)
  await openNode(page, 'after', 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('found at 3')
})
