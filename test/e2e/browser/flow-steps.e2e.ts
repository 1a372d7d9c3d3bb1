/** A join that waits only so long leaves by a way of its own; steps leave a loop, and cancel other runs. */

import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import {
  card,
  cards,
  connect,
  dragTask,
  expectNoProblems,
  openNode,
  runAndWait,
  runState,
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

async function joinLate(page: Page): Promise<void> {
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
}

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

async function leaveLoop(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
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
}

const waits = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_waits',
  title: 'Wait for the payment',
  nodes: { wait: { kind: 'wait-signal', parameters: { name: 'paid' } } },
  edges: {},
  layout: { nodes: { wait: { x: 0, y: 0 } } },
}

const starts = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_starts',
  title: 'Start and take back',
  nodes: { begin: { kind: 'sub-workflow', parameters: { workflow: './waits.json', mode: 'start' } } },
  edges: {},
  layout: { nodes: { begin: { x: 0, y: 0 } } },
}

async function askToEnd(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByText('Start and take back').first().click()
  await expect(cards(page)).toHaveCount(1)
  const ask = await dragTask(page, 'steer-runs', { x: 620, y: 320 })
  await connect(page, { node: 'begin' }, ask)
  await expect(page.getByTestId('problems-button')).not.toHaveText('No problems')
  await openNode(page, ask)
  await typeInto(page, 'parameters.runs', 'input.runId')
  await typeInto(page, 'parameters.reason', 'Nobody pays.')
  await expectNoProblems(page)
  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, ask, 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('requested[1]')
}

const orders = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_keys',
  title: 'Price each order',
  nodes: {
    each: { kind: 'map', parameters: { items: '[{ "id": "o-7", "n": 1 }, { "id": "o-3", "n": 2 }]' } },
    price: { kind: 'transform', parent: 'each', parameters: { expression: 'item.n * 10' } },
  },
  edges: {},
  layout: { nodes: { each: { x: 0, y: 0 }, price: { x: 32, y: 88 } } },
}

/** By its head: what stands inside of it is in the way of its middle. */
async function openBox(page: Page, tab: string): Promise<void> {
  await card(page, 'each').click({ position: { x: 60, y: 18 } })
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('each')
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

async function knowByKeys(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByText('Price each order').first().click()
  await openBox(page, 'Parameters')
  await unfold(page, 'Keys')
  await typeInto(page, 'parameters.key', 'item.id')
  await typeInto(page, 'parameters.gives', 'object')
  await expectNoProblems(page)
  await runAndWait(page, 'SUCCEEDED')
  await openNode(page, 'price', 'Run data')
  await page.getByTestId('turns-each').getByTitle('o-7: done').click()
  await expect(page.getByTestId('turn-key')).toHaveText('o-7')
  await expect(page.getByTestId('run-output')).toContainText('10')
  await expect(card(page, 'each').getByTestId('deck-each')).toContainText('o-7')
  await openBox(page, 'Run data')
  await expect(page.getByTestId('run-output')).toContainText('o-3')
}

async function goOnWithRest(page: Page, dataDirectory: string): Promise<void> {
  const parameters = {
    items: '[{ "id": "o-7", "file": "one.txt" }, { "id": "o-3", "file": "two.txt" }]',
    limit: 1,
  }
  const path = await putWorkflow(dataDirectory, 'read-each.json', {
    ...orders,
    id: 'wf_read',
    title: 'Read each file',
    nodes: {
      each: { kind: 'map', parameters },
      price: { kind: 'read-file', parent: 'each', parameters: { path: '{{ item.file }}' } },
    },
  })
  const put = (name: string, text: string) => writeFile(join(dirname(path), name), text)
  await put('one.txt', 'as it was')
  await page.getByTestId('home-button').click()
  await page.getByText('Read each file').first().click()
  await openBox(page, 'Parameters')
  await unfold(page, 'Keys')
  await typeInto(page, 'parameters.key', 'item.id')
  await expect(page.getByLabel('When the run goes on from here', { exact: true })).toHaveValue('all')
  await typeInto(page, 'parameters.onAgain', 'rest')
  await expect(page.getByTestId('field-parameters.onAgain')).toContainText('Items with the same key')
  await expectNoProblems(page)
  await runAndWait(page, 'FAILED')
  // What was done is not done again; what wasn't is.
  await put('one.txt', 'changed meanwhile')
  await put('two.txt', 'there by now')
  await page.getByTestId('run-retry').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await openBox(page, 'Run data')
  for (const text of ['as it was', 'there by now'])
    await expect(page.getByTestId('run-output')).toContainText(text)
  await expect(page.getByTestId('run-output')).not.toContainText('changed meanwhile')
}

const booked = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_booked', title: 'One at a time' },
  nodes: {
    place: { kind: 'semaphore', parameters: { leaseMs: 5_400_000 } },
    work: { kind: 'delay', parent: 'place', parameters: { amount: 3, unit: 'hours' } },
  },
  edges: {},
  layout: { nodes: { place: { x: 0, y: 0 }, work: { x: 40, y: 90 } } },
}

async function keepPlace(page: Page): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByText('One at a time').first().click()
  await page.getByTestId('run-button').click()
  const box = card(page, 'place')
  await expect(box).toContainText('Is at work inside, for 1.5 h at most.')
  // How much of it is used is drawn around its icon, and when it is over is said there; the clock counts down to it.
  await expect(box.getByTestId('limit-ring').locator('title')).toHaveText(
    /^Timed out at .+, if it isn’t done before$/,
  )
  await expect(box).toContainText(/in 1 h \d\d m/)
  await expect(card(page, 'work').getByTestId('limit-ring')).toHaveCount(0)
}

test('a join goes on without who is late, loops and maps end or go on as is drawn in their forms, and a box keeps its place; a step asks another run to end', async ({
  page,
  server,
  dataDirectory,
}) => {
  const files = { quotes, search, orders, booked, waits, starts }
  for (const [name, workflow] of Object.entries(files))
    await putWorkflow(dataDirectory, `${name}.json`, workflow)
  await page.goto(server.url)
  await test.step('a join goes on without a branch that is late', () => joinLate(page))
  await test.step('a step drawn into a loop ends it', () => leaveLoop(page))
  await test.step('items of a map are known by their keys', () => knowByKeys(page))
  await test.step('a map that goes on keeps what its items gave, once that is chosen in its form', () =>
    goOnWithRest(page, dataDirectory))
  await test.step('a box shows how long it may still keep its place', () => keepPlace(page))
  await test.step('a drawn step asks a run to end that another step started', () => askToEnd(page))
})
