/** Saying what undoes a step: in the inspector, by drawing, and for groups that are undone together. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import {
  card,
  documentOf,
  dragWire,
  edges,
  expectNoProblems,
  middleOf,
  openAnother,
  openNode,
  typeInto,
  unfold,
} from '../designer-driver.ts'
import { openOrder, orderOf, steps } from '../order-saga.ts'
import { putWorkflow, test } from './serving.ts'

/** An order of three steps with effects, and a step that stands aside. */
const { reserve, charge, mail, refund } = steps
const order = orderOf({ row: { reserve, charge, mail }, aside: { refund } })

const open = (page: Page, url: string): Promise<void> => openOrder(page, url, 'reserve')

const undoPort = (page: Page, node: string) => card(page, node).getByTestId('undo-port')

interface Nodes {
  readonly nodes: Readonly<Record<string, { readonly compensation?: Readonly<Record<string, unknown>> }>>
  readonly sagaScopes?: Readonly<Record<string, unknown>>
}

const exported = async (page: Page): Promise<Nodes> => JSON.parse(await documentOf(page)) as Nodes

const asks = { kind: 'approval', title: 'Ask the bank', parameters: { title: 'Refund it?' } }
const asking = {
  ...orderOf({ row: { reserve, charge }, aside: { refund, asks } }),
  id: 'wf_asks',
  title: 'Ask first',
}
const invoice = { ...orderOf({ row: { mail } }), id: 'wf_invoice', title: 'Send the invoice' }
const bill = { kind: 'sub-workflow', title: 'Bill', parameters: { workflow: 'wf_invoice' } }
const gone = { kind: 'sub-workflow', title: 'Archive', parameters: { workflow: 'wf_gone' } }
const starting = { ...orderOf({ row: { reserve, bill, gone } }), id: 'wf_starts', title: 'Start others' }

async function undoneByTask(page: Page): Promise<void> {
  await openNode(page, 'reserve', 'Undo')
  await page.getByTestId('undo-way').selectOption('task')
  await page.getByTestId('undo-kind').selectOption('write-file')
  await typeInto(page, 'compensation.task.parameters.path', 'stock.txt')
  await typeInto(page, 'compensation.task.parameters.content', '{{ original.output.path }}')
  await expect(undoPort(page, 'reserve')).toHaveAttribute('data-undo', 'task')

  expect(await barriers(page)).toEqual([])
  await openNode(page, 'mail', 'Undo')
  await page.getByTestId('undo-way').selectOption('impossible')
  await page.getByTestId('undo-reason').fill('A mail can’t be called back')
  await expect(undoPort(page, 'mail')).toHaveAttribute('data-undo', 'impossible')
  await expect(undoPort(page, 'mail')).toHaveAttribute('title', /can’t be called back/)
  // Both are seen under the cards, before anything runs.
  await expect(card(page, 'reserve').getByTestId('undo-shadow')).toContainText('Write file stock.txt')
  await expect(card(page, 'mail').getByTestId('undo-shadow')).toHaveText('A mail can’t be called back')

  const { nodes } = await exported(page)
  expect(nodes['reserve']?.compensation).toMatchObject({
    task: { kind: 'write-file', parameters: { path: 'stock.txt', content: '{{ original.output.path }}' } },
  })
  expect(nodes['mail']?.compensation).toEqual({ impossible: 'A mail can’t be called back' })
}

async function knownByAndWhere(page: Page): Promise<void> {
  await openNode(page, 'charge', 'Undo')
  await page.getByTestId('undo-way').selectOption('node')
  await expect(page.getByTestId('undo-refused')).toContainText('“Ask the bank” stands aside')
  await expect(page.getByTestId('undo-refused')).toContainText('waits for somebody')
  await page.getByTestId('undo-node').selectOption('refund')

  await unfold(page, 'Key, labels and variables')
  await page.getByRole('button', { name: 'Add to Variables' }).click()
  const variables = page.getByRole('group', { name: 'Variables' })
  await variables.getByLabel('Name 1').fill('ACCOUNT')
  await variables.getByLabel('Value 1').fill('{{ original.output.path }}')
  await unfold(page, 'Where it runs')
  await page.getByTestId('field-compensation.pool').getByRole('textbox').fill('bank')
  await page.getByTestId('field-compensation.route.topic').getByRole('textbox').fill('refunds')
  expect(await barriers(page)).toEqual([])
  expect((await exported(page)).nodes['charge']?.compensation).toEqual({
    node: 'refund',
    env: { ACCOUNT: '{{ original.output.path }}' },
    pool: 'bank',
    route: { topic: 'refunds' },
  })
}

async function whatOthersLeave(page: Page): Promise<void> {
  await page.getByTestId('rollback-button').click()
  const coverage = page.getByTestId('coverage')
  await expect(coverage).toContainText('Bill› Send the mail')
  await expect(coverage).toContainText('0 of 2 effects can be undone.')
  await expect(page.getByTestId('coverage-unknown')).toContainText('Archive')
  expect(await barriers(page)).toEqual([])
}

test('steps say what undoes them: a task, another step, or nothing; and what a started workflow would leave is told', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'invoice.json', invoice)
  await putWorkflow(dataDirectory, 'order.json', order)
  await putWorkflow(dataDirectory, 'asking.json', asking)
  await putWorkflow(dataDirectory, 'starting.json', starting)
  await open(page, server.url)
  await test.step('a step is undone by a task of its own, or says why nothing can', () => undoneByTask(page))
  await openAnother(page, asking.title)
  await test.step('a step that undoes says what it is known by and where it runs, and why some steps can’t undo', () =>
    knownByAndWhere(page))
  await openAnother(page, starting.title)
  await test.step('what a started workflow would leave behind is told before anything runs', () =>
    whatOthersLeave(page))
})

async function workflowSaysWhen(page: Page): Promise<void> {
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } })
  const group = page.getByTestId('workflow-inspector').getByRole('button', { name: 'Undo' })
  await expect(group).toContainText('whenever it ends without success')
  await group.click()
  await page.getByLabel('When somebody cancelled it').uncheck()
  await group.click()
  await expect(group).toContainText('4 of 5 cases')
  await expectNoProblems(page)
}

async function drawnFromThePort(page: Page): Promise<void> {
  await expect(edges(page)).toHaveCount(2)
  const target = await middleOf(page.locator('.react-flow__handle.target[data-nodeid="refund"]'))
  await dragWire(page, { node: 'charge', port: '$undo' }, target)
  await expect(page.getByTestId('edge-undo:charge')).toBeVisible()
  await expect(card(page, 'refund')).toHaveAttribute('data-undoes', 'true')
  expect((await exported(page)).nodes['charge']?.compensation).toEqual({ node: 'refund' })

  // The line is selected and removed like any other.
  await page.getByTestId('edge-undo:charge').locator('circle').click()
  await expect(page.getByTestId('inspector')).toContainText('“Refund” undoes “Charge”')
  await page.keyboard.press('Delete')
  await expect(page.getByTestId('edge-undo:charge')).toHaveCount(0)

  // By keys: to the undo tab, and the node is chosen there.
  await card(page, 'charge').click()
  await page.keyboard.press('u')
  await expect(page.getByTestId('undo-way')).toBeFocused()
  await page.getByTestId('undo-way').selectOption('node')
  await page.getByTestId('undo-node').selectOption('refund')
  await expect(page.getByTestId('edge-undo:charge')).toBeVisible()
  await page.getByTestId('undo-button').click()
  await expect(page.getByTestId('edge-undo:charge')).toHaveCount(0)
}

async function droppedOnTheVoid(page: Page): Promise<void> {
  const from = await middleOf(card(page, 'reserve'))
  await dragWire(page, { node: 'reserve', port: '$undo' }, { x: from.x, y: from.y + 260 })
  await page.getByRole('combobox', { name: 'Search task kinds' }).fill('log')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('edge-undo:reserve')).toBeVisible()
  await expect(card(page, 'log')).toHaveAttribute('data-undoes', 'true')
  await page.getByTestId('undo-button').click()
  await expect(card(page, 'log')).toHaveCount(0)
}

async function undoneTogether(page: Page): Promise<void> {
  await card(page, 'reserve').click()
  await card(page, 'charge').click({ modifiers: ['Shift'] })
  await page.keyboard.press('g')
  const frame = page.getByTestId('scope-undone')
  await expect(frame).toBeVisible()
  await page.getByTestId('scope-title').fill('Payment')
  await page.getByTestId('scope-order').selectOption('parallel')
  await page.getByTestId('scope-failure').selectOption('retry')
  await expect(page.getByTestId('scope-inspector')).toContainText('After two days a person is asked.')
  await expect(frame).toContainText('Payment')
  expect(await barriers(page)).toEqual([])
  expect((await exported(page)).sagaScopes).toEqual({
    undone: { nodes: ['reserve', 'charge'], onFailure: 'retry', order: 'parallel', title: 'Payment' },
  })

  // A third one joins; the group's title drags it as a whole.
  await card(page, 'mail').click()
  await card(page, 'charge').click({ modifiers: ['Shift'] })
  await page.keyboard.press('g')
  await expect(page.getByTestId('scope-inspector').getByRole('listitem')).toHaveCount(3)
  const before = await middleOf(card(page, 'mail'))
  const title = await middleOf(frame.getByText('Payment'))
  await page.mouse.move(title.x, title.y)
  await page.mouse.down()
  await page.mouse.move(title.x + 60, title.y + 40, { steps: 5 })
  await page.mouse.up()
  await expect
    .poll(async () => Math.round((await middleOf(card(page, 'mail'))).x - before.x))
    .toBeGreaterThan(30)

  await page.getByRole('button', { name: 'Take Send the mail out of the group' }).click()
  await expect(page.getByTestId('scope-inspector').getByRole('listitem')).toHaveCount(2)
  await frame.getByText('Payment').click()
  await page.keyboard.press('Shift+G')
  await expect(frame).toHaveCount(0)
  await expect(card(page, 'charge')).toBeVisible()
}

test('what undoes a step is drawn from its port, steps are undone together, and the workflow says when', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'order.json', order)
  await open(page, server.url)
  await test.step('a workflow says when its runs are undone', () => workflowSaysWhen(page))
  await test.step('another step is connected by drawing from the undo port, and keys do the same', () =>
    drawnFromThePort(page))
  await test.step('a wire dropped on the void adds the step that undoes', () => droppedOnTheVoid(page))
  await test.step('steps are grouped to be undone together', () => undoneTogether(page))
})
