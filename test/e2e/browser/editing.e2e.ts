/** Everything a person does to a drawing besides running it. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import {
  card,
  cards,
  connect,
  documentOf,
  dragTask,
  dragWire,
  edges,
  expectNoProblems,
  middleOf,
  nodeIds,
  openNode,
  pane,
  pressUntilDone,
  runState,
  typeInto,
} from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

interface Drawn {
  readonly nodes: Readonly<Record<string, { readonly kind: string; readonly parameters?: object }>>
  readonly edges: Readonly<Record<string, { readonly from: object; readonly to: object }>>
  readonly layout?: { readonly nodes: Readonly<Record<string, { readonly x: number; readonly y: number }>> }
}

const drawn = async (page: Page): Promise<Drawn> => JSON.parse(await documentOf(page)) as Drawn

/** Every connection as `from>to`. */
async function connections(page: Page): Promise<readonly string[]> {
  const { edges: found } = await drawn(page)
  return Object.values(found)
    .map((edge) => {
      const { from, to } = edge as { from: { node: string; port: string }; to: { node: string } }
      return `${from.node}.${from.port}>${to.node}`
    })
    .sort()
}

/** Presses the middle of an edge, where nothing else is. */
async function insertOn(page: Page, edge: number, kind: string): Promise<void> {
  await edges(page).nth(edge).locator('path').first().hover({ force: true })
  await page.locator('[data-testid^="insert-"]').nth(edge).click()
  await page.getByTestId(`quick-add-${kind}`).click()
}

/** Takes everything off the canvas, as before the first step. */
async function clear(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByTestId('canvas').locator('.react-flow').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(cards(page)).toHaveCount(0)
}

const foreign = { kind: 'acme-teleport', parameters: { to: 'Mars', crew: ['Ada'] }, acme: { seat: 4 } }
const strange = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'foreign',
  title: 'Foreign',
  nodes: { jump: foreign, log: { kind: 'log', parameters: { message: 'Arrived' } } },
  edges: { one: { from: { node: 'jump', port: 'out' }, to: { node: 'log', port: 'in' } } },
  layout: { nodes: { jump: { x: 0, y: 0 }, log: { x: 320, y: 0 } } },
}

async function offerTasks(page: Page): Promise<void> {
  await dragTask(page, 'transform', { x: 150, y: 200 })
  const from = await middleOf(card(page, 'transform'))
  await dragWire(page, { node: 'transform' }, { x: from.x + 300, y: from.y + 60 })
  await page.getByRole('combobox', { name: 'Search task kinds' }).fill('del')
  await page.keyboard.press('Enter')
  await expect(card(page, 'delay')).toBeVisible()
  expect(await connections(page)).toEqual(['transform.out>delay'])
  await page.getByTestId('undo-button').click()
  expect(await nodeIds(page)).toEqual(['transform'])
  await clear(page)
}

async function insertAndHeal(page: Page): Promise<void> {
  await dragTask(page, 'transform', { x: 130, y: 200 })
  await dragTask(page, 'log', { x: 640, y: 200 })
  await connect(page, { node: 'transform' }, 'log')
  await insertOn(page, 0, 'noop')
  expect(await connections(page)).toEqual(['noop.out>log', 'transform.out>noop'])
  await card(page, 'noop').click()
  await page.keyboard.press('ControlOrMeta+Delete')
  await expect(cards(page)).toHaveCount(2)
  expect(await connections(page)).toEqual(['transform.out>log'])
  await page.keyboard.press('ControlOrMeta+z')
  expect(await connections(page)).toEqual(['noop.out>log', 'transform.out>noop'])
  await card(page, 'noop').click()
  await page.keyboard.press('Delete')
  await expect(cards(page)).toHaveCount(2)
  expect(await connections(page)).toEqual(['transform.out>log'])
  await clear(page)
}

async function tidy(page: Page): Promise<void> {
  await dragTask(page, 'transform', { x: 500, y: 400 })
  await dragTask(page, 'log', { x: 200, y: 150 })
  await connect(page, { node: 'transform' }, 'log')
  const before = await documentOf(page)
  await page.getByTestId('tidy-button').click()
  await expect
    .poll(async () => {
      const places = (await drawn(page)).layout?.nodes
      return (places?.['transform']?.x ?? 0) < (places?.['log']?.x ?? 0)
    })
    .toBe(true)
  await page.getByTestId('undo-button').click()
  expect(await documentOf(page)).toBe(before)
  await clear(page)
}

async function leadToProblem(page: Page): Promise<void> {
  await dragTask(page, 'read-file', { x: 200, y: 150 })
  await expect(page.getByTestId('problems-button')).toContainText('1 error')
  // What was just added isn't reproached with what nobody could have filled in yet.
  await expect(card(page, 'readFile').getByLabel(/problems: /)).toHaveCount(0)
  await dragTask(page, 'log', { x: 520, y: 150 })
  await expect(card(page, 'readFile').getByLabel(/problems: /)).toBeVisible()
  await expect(card(page, 'log').getByLabel(/problems: /)).toHaveCount(0)
  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveCount(0)
  await page
    .getByTestId('problems')
    .getByRole('button', { name: /Read file/ })
    .click()
  const field = page.getByTestId('field-parameters.path')
  await expect(field.getByRole('textbox')).toBeFocused()
  await expect(field.getByRole('alert')).toBeVisible()
  await field.getByRole('textbox').fill('data.txt')
  await expectNoProblems(page)
  await expect(card(page, 'readFile').getByLabel(/problems: /)).toHaveCount(0)
}

async function changeWithoutMotion(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.evaluate(() => {
    Object.assign(window, { passing: 0 })
    const count = (): unknown =>
      Object.assign(window, { passing: Number(Reflect.get(window, 'passing')) + 1 })
    document.addEventListener('transitionrun', count)
  })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const passing = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((settle) => requestAnimationFrame(settle))
    return Number(Reflect.get(window, 'passing'))
  })
  expect(passing).toBe(0)
}

async function changeTheme(page: Page): Promise<void> {
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const theme = (): Promise<string | undefined> =>
    page.evaluate(() => document.documentElement.dataset['theme'])
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
  await expect.poll(theme).toBe('light')
  const light = await background()
  await expect(async () => {
    await page.getByTestId('theme-button').click()
    expect(await theme()).toBe('dark')
  }).toPass()
  expect(await background()).not.toBe(light)
  await page.reload()
  await expect.poll(theme).toBe('dark')
}

async function keepsUnknown(page: Page): Promise<void> {
  await page.getByRole('button', { name: /foreign\.json/ }).click()
  await expect(card(page, 'jump')).toContainText('Unknown kind “acme-teleport”')
  await expect(page.getByTestId('problems-button')).toContainText('1 error')
  await card(page, 'jump').click()
  await expect(page.getByTestId('inspector')).toContainText('Mars')
  const { x, y } = await middleOf(card(page, 'jump'))
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 80, y + 40, { steps: 5 })
  await page.mouse.up()
  await page.getByTestId('save-button').click()
  await expect(page.getByTestId('dirty-state')).toHaveText('Saved')
  const after = await drawn(page)
  expect(after.nodes['jump']).toEqual(foreign)
  expect(after.layout?.nodes['jump']).not.toEqual({ x: 0, y: 0 })
}

async function copyAndPaste(page: Page): Promise<void> {
  await dragTask(page, 'transform', { x: 150, y: 120 })
  await dragTask(page, 'log', { x: 470, y: 120 })
  await connect(page, { node: 'transform' }, 'log')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+c')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(JSON.parse(text)).toMatchObject({
    format: 'sagasmith.clip',
    nodes: { transform: { kind: 'transform' }, log: { kind: 'log' } },
    edges: [{ from: { node: 'transform' }, to: { node: 'log' } }],
  })
  await page.keyboard.press('ControlOrMeta+v')
  await expect(cards(page)).toHaveCount(4)
  expect(await connections(page)).toEqual(['transform.out>log', 'transform2.out>log2'])
  await page.keyboard.press('ControlOrMeta+d')
  await expect(cards(page)).toHaveCount(6)
  expect(await connections(page)).toHaveLength(3)
  await boxAround(page)
  await expect(page.getByTestId('inspector')).toContainText('6 nodes selected')
  await page.keyboard.press('Delete')
  await expect(cards(page)).toHaveCount(0)
  await page.getByTestId('undo-button').click()
  await expect(cards(page)).toHaveCount(6)
}

async function drawByKeys(page: Page): Promise<void> {
  await page.getByTestId('canvas').locator('.react-flow').focus()
  await page.keyboard.press('a')
  await page.keyboard.type('transform')
  await page.keyboard.press('Enter')
  await expect(card(page, 'transform')).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.type('log')
  await page.keyboard.press('Enter')
  await expect(card(page, 'log')).toBeVisible()
  await expect(edges(page)).toHaveCount(1)
  // A third one that stands alone is tied by the connect mode.
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.keyboard.type('nothing')
  await page.keyboard.press('Enter')
  await expect(card(page, 'noop')).toBeVisible()
  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  await expect(edges(page)).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('inspector').locator(':focus')).toHaveCount(1)
  await expectNoProblems(page)
  await page.keyboard.press('F5')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'log')).toHaveAttribute('data-status', 'SUCCESS')

  // Found by its name, given an expression that fails, run, mended and run again.
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('transform')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  const expression = page.getByTestId('field-parameters.expression').locator('.cm-content')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('transform')
  await expect(expression).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('$error("out of paper")')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(runState(page)).toHaveAttribute('data-status', 'FAILED')
  await expect(card(page, 'transform')).toHaveAttribute('data-status', 'FAILED')
  await expect(page.getByText(/out of paper/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(cards(page).filter({ has: card(page, 'transform') })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(expression).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('{ "paper": 7 }')
  await page.keyboard.press('F5')
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(card(page, 'noop')).toHaveAttribute('data-status', 'SUCCESS')
}

/** On a new canvas. */
async function surviveReload(page: Page, dataDirectory: string): Promise<void> {
  const empty = await documentOf(page)
  await dragTask(page, 'transform', { x: 150, y: 150 })
  await dragTask(page, 'log', { x: 480, y: 150 })
  await connect(page, { node: 'transform' }, 'log')
  await openNode(page, 'log')
  await typeInto(page, 'parameters.message', 'Not saved')
  const before = await documentOf(page)
  await expect.poll(() => draftHolds(dataDirectory, 'Not saved')).toBe(true)
  await page.reload()
  await expect(cards(page)).toHaveCount(2)
  expect(await documentOf(page)).toBe(before)
  await expect(page.getByTestId('dirty-state')).toHaveText('Edited')
  await pressUntilDone(page, 'undo-button')
  expect(await documentOf(page)).toBe(empty)
  await pressUntilDone(page, 'redo-button')
  expect(await documentOf(page)).toBe(before)
}

test.describe('on a new canvas', () => {
  test.beforeEach(async ({ page, server, context, dataDirectory }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await putWorkflow(dataDirectory, 'foreign.json', strange)
    await page.goto(server.url)
    await page.getByTestId('new-workflow').click()
    await expect(pane(page)).toBeVisible()
  })

  test('a drawing grows and is tidied, its problems lead to their fields, its theme is that of the system, and what is unknown is kept', async ({
    page,
  }) => {
    await test.step('a wire dropped on the void offers tasks and connects the one chosen', () =>
      offerTasks(page))
    await test.step('a node inserted on an edge takes its place, and heals when it is deleted', () =>
      insertAndHeal(page))
    await test.step('tidying up is one undo step', () => tidy(page))
    await test.step('a problem is on the card, in the list, and a click leads to its field', () =>
      leadToProblem(page))
    await test.step('for who wants no motion another theme is there at once, everywhere', () =>
      changeWithoutMotion(page))
    await test.step('the theme changes at a press and stays after a reload', () => changeTheme(page))
    await page.getByTestId('home-button').click()
    await test.step('an unknown kind opens as a placeholder and keeps its data', () => keepsUnknown(page))
  })

  test('nodes are copied as JSON text, a workflow is built with the keyboard alone, and unsaved work survives a reload', async ({
    page,
    dataDirectory,
  }) => {
    await test.step('nodes are copied as JSON text and pasted, duplicated, and deleted as a box', () =>
      copyAndPaste(page))
    await clear(page)
    await test.step('a workflow is built, run and repaired with the keyboard alone', () => drawByKeys(page))
    await page.getByTestId('home-button').click()
    await page.getByTestId('new-workflow').click()
    await test.step('unsaved work survives a reload, undo included', () => surviveReload(page, dataDirectory))
  })
})

/** Drags a selection box over everything. */
async function boxAround(page: Page): Promise<void> {
  const box = await page.getByTestId('canvas').boundingBox()
  if (box === null) throw new Error('There is no canvas.')
  await page.keyboard.press('Escape')
  await page.keyboard.down('Shift')
  await page.mouse.move(box.x + 6, box.y + 6)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 80, box.y + box.height - 200, { steps: 6 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
}

/** Whether some draft on the disk holds a text. */
async function draftHolds(dataDirectory: string, text: string): Promise<boolean> {
  const folder = join(dataDirectory, 'drafts')
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.some((found) => found.includes(text))
}
