/** Tidying: in a worker under the page's own policy, around what a person placed, stopped by a key. */

import type { ConsoleMessage, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, documentOf, pane, placeOf } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

interface Place {
  readonly x: number
  readonly y: number
  readonly byHand?: boolean
}

const places = async (page: Page): Promise<Readonly<Record<string, Place>>> =>
  (JSON.parse(await documentOf(page)) as { readonly layout: { readonly nodes: Record<string, Place> } })
    .layout.nodes

const edge = (from: string, to: string, port = 'out') => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

const crossed = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_crossed',
  title: 'Crossed lanes',
  nodes: {
    check: { kind: 'if', parameters: { condition: 'true' } },
    yes: { kind: 'noop' },
    no: { kind: 'noop' },
    each: { kind: 'map', parameters: { items: '[1]' } },
    inner: { kind: 'noop', parent: 'each' },
    end: { kind: 'noop' },
  },
  edges: {
    a: edge('check', 'no', 'false'),
    b: edge('check', 'yes', 'true'),
    c: edge('yes', 'each'),
    d: edge('no', 'each'),
    e: edge('each', 'end'),
  },
  frames: { f: { title: 'Both ways', nodes: ['yes', 'no'] } },
  layout: {
    nodes: {
      check: { x: 0, y: 0 },
      yes: { x: 420, y: 420 },
      no: { x: 400, y: 60 },
      each: { x: 120, y: 560 },
      inner: { x: 160, y: 660 },
      end: { x: 40, y: 240 },
    },
    frames: { f: { x: 360, y: 0, width: 400, height: 600 } },
  },
}

test('tidying goes around a card that was placed by hand, until all are to be laid out', async ({
  page,
  server,
  dataDirectory,
}) => {
  const refused: string[] = []
  const hear = (message: ConsoleMessage): void => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
  }
  page.on('console', hear)
  await putWorkflow(dataDirectory, 'crossed.json', crossed)
  await page.goto(server.url)
  await page.getByText('Crossed lanes').first().click()
  await expect(card(page, 'check')).toBeVisible()
  const before = await documentOf(page)

  await page.getByTestId('tidy-button').click()
  await expect.poll(async () => (await placeOf(page, 'end')).x).toBeGreaterThan(1_000)
  const tidy = await places(page)
  // The first way out leads to what is on top.
  expect(tidy['yes']?.y).toBeLessThan(tidy['no']?.y ?? 0)
  expect(tidy['inner']?.x).toBeGreaterThan(tidy['each']?.x ?? 0)
  await page.getByTestId('undo-button').click()
  expect(await documentOf(page)).toBe(before)

  await card(page, 'end').click()
  await page.keyboard.press('Shift+Alt+ArrowDown')
  const placed = (await places(page))['end']
  expect(placed).toMatchObject({ byHand: true })
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.getByTestId('tidy-button').click()
  const toast = page.getByTestId('toasts')
  await expect(toast).toContainText('The one that you placed stays where it is.')
  expect((await places(page))['end']).toEqual(placed)
  await toast.getByRole('button', { name: 'Lay out all' }).click()
  await expect.poll(async () => (await places(page))['end']?.byHand).toBeUndefined()
  expect(refused).toEqual([])
  page.off('console', hear)
})

const many = 2_000
const grid = Object.fromEntries(
  Array.from({ length: many }, (_, index) => [`n${index}`, { kind: 'noop', title: `Step ${index}` }]),
)
const big = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_big',
  title: 'Two thousand',
  nodes: grid,
  edges: Object.fromEntries(
    Array.from({ length: many - 1 }, (_, index) => [
      `e${index}`,
      edge(`n${Math.max(0, index - (index % 7))}`, `n${index + 1}`),
    ]),
  ),
  layout: {
    nodes: Object.fromEntries(
      Object.keys(grid).map((id, index) => [id, { x: (index % 40) * 300, y: Math.floor(index / 40) * 120 }]),
    ),
  },
}

test('two thousand cards are laid out while the page goes on, and Escape stops it', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'big.json', big)
  await page.goto(server.url)
  await page.getByText('Two thousand').first().click()
  await expect(page.getByTestId('far-canvas')).toBeVisible()
  const before = await documentOf(page)

  await page.getByTestId('tidy-button').click()
  const bar = page.getByTestId('layout-bar')
  await expect(bar).toContainText('Laying out 2000 cards')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  expect(await documentOf(page)).toBe(before)

  await page.evaluate(() => {
    const seen = { frames: 0 }
    Object.assign(window, { seen })
    const count = (): void => {
      if (document.querySelector('[data-testid="layout-bar"]') !== null) seen.frames += 1
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
  })
  await page.getByTestId('tidy-button').click()
  await expect(bar).toHaveCount(1)
  await expect(bar).toHaveCount(0)
  const frames = await page.evaluate(() => (window as unknown as { seen: { frames: number } }).seen.frames)
  // Frames were drawn all the while: the layout was computed elsewhere.
  expect(frames).toBeGreaterThan(10)
  const after = await places(page)
  const corners = new Set(Object.values(after).map(({ x, y }) => `${x} ${y}`))
  expect(corners.size).toBe(many)
  expect(after['n1']?.x).toBeGreaterThan(after['n0']?.x ?? 0)
  await page.getByTestId('undo-button').click()
  expect(await documentOf(page)).toBe(before)
})
