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

/** So many are one picture from far away; `renderer` lays two thousand out. */
const many = 600
const grid = Object.fromEntries(
  Array.from({ length: many }, (_, index) => [`n${index}`, { kind: 'noop', title: `Step ${index}` }]),
)
const big = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_big',
  title: 'Six hundred',
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

/** Has the page hear from its workers once it is let, and counts those that are ended. */
const holdWorkers = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const gate = Promise.withResolvers<null>()
    const held = { ended: 0, release: () => gate.resolve(null) }
    class HeldWorker extends Worker {
      override set onmessage(hear: (message: MessageEvent) => void) {
        super.onmessage = (message) => void gate.promise.then(() => hear(message))
      }
      override terminate(): void {
        held.ended += 1
        super.terminate()
      }
    }
    Object.assign(window, { held, Worker: HeldWorker })
  })

interface Held {
  readonly held: { readonly ended: number; readonly release: () => void }
}

/** Presses the button and counts the frames in which it is told that cards are laid out, until they are. */
const countFrames = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const button = (name: string) =>
      document.querySelector<HTMLButtonElement>(`[data-testid="${name}-button"]`)
    button('tidy')?.click()
    let frames = 0
    while (button('undo')?.disabled !== false) {
      await new Promise((settle) => requestAnimationFrame(settle))
      if (document.querySelector('[data-testid="layout-bar"]') !== null) frames += 1
    }
    return frames
  })

test('hundreds of cards are laid out while the page goes on, and Escape stops it', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'big.json', big)
  await page.goto(server.url)
  await page.getByText(big.title).first().click()
  await expect(page.getByTestId('far-canvas')).toBeVisible()
  const before = await documentOf(page)

  await holdWorkers(page)
  await page.getByTestId('tidy-button').click()
  const bar = page.getByTestId('layout-bar')
  await expect(bar).toContainText(`Laying out ${many} cards`)
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  const ended = await page.evaluate(() => {
    const { held } = window as unknown as Held
    held.release()
    return held.ended
  })
  expect(ended).toBe(1)
  expect(await documentOf(page)).toBe(before)

  // Frames were drawn all the while: the layout was computed elsewhere.
  expect(await countFrames(page)).toBeGreaterThan(10)
  const after = await places(page)
  const corners = new Set(Object.values(after).map(({ x, y }) => `${x} ${y}`))
  expect(corners.size).toBe(many)
  expect(after['n1']?.x).toBeGreaterThan(after['n0']?.x ?? 0)
  await page.getByTestId('undo-button').click()
  expect(await documentOf(page)).toBe(before)
})
