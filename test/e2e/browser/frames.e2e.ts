/** Frames, notes and labels: what is drawn for people only; each gesture one undo step. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, cards, edges, middleOf, pane, pressUntilDone, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const step = (message: string) => ({ kind: 'log', title: message, parameters: { message } })
const edge = (from: string, to: string, port = 'out') => ({
  from: { node: from, port },
  to: { node: to, port: 'in' },
})

const shop = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_shop',
  title: 'Shop',
  nodes: {
    take: step('Take the order'),
    rich: { kind: 'if', title: 'Large order?', parameters: { condition: 'input.total > 100' } },
    gift: step('Add a gift'),
    pay: step('Take the money'),
    ship: step('Ship it'),
  },
  edges: {
    e1: edge('take', 'rich'),
    e2: edge('rich', 'gift', 'true'),
    e3: edge('rich', 'pay', 'false'),
    e4: edge('gift', 'pay'),
    e5: edge('pay', 'ship'),
  },
  layout: {
    nodes: {
      take: { x: 0, y: 80 },
      rich: { x: 320, y: 40 },
      gift: { x: 720, y: 0 },
      pay: { x: 720, y: 240 },
      ship: { x: 1080, y: 240 },
    },
  },
}

const frame = (page: Page, id: string) => page.getByTestId(`frame-${id}`)

async function drawFrame(page: Page): Promise<void> {
  await card(page, 'gift').click()
  await card(page, 'pay').click({ modifiers: ['Shift'] })
  await page.keyboard.press('ControlOrMeta+g')
  await expect(frame(page, 'frame')).toBeVisible()
  await page.getByTestId('frame-title').fill('The till')
  await page.getByRole('radio', { name: 'Green' }).check()
  await expect(frame(page, 'frame')).toHaveAttribute('data-color', 'green')
  await expect(frame(page, 'frame')).toContainText('The till')
  expect(await barriers(page)).toEqual([])

  await frame(page, 'frame').getByRole('button', { name: 'Collapse The till' }).click()
  await expect(card(page, 'pay')).toHaveCount(0)
  await expect(frame(page, 'frame')).toContainText('2 steps')
  await expect(cards(page)).toHaveCount(4)
  // Two lines lead in, by two ways of the same card; one leads out; the one within is not drawn.
  await expect(edges(page)).toHaveCount(4)
  await page.getByTestId('undo-button').click()
  await expect(card(page, 'pay')).toBeVisible()
}

async function writeNotes(page: Page): Promise<void> {
  await expect(edges(page).filter({ hasText: 'input.total > 100' }).first()).toBeAttached()
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('n')
  await page.keyboard.insertText('# Careful\n\nNever **twice**.')
  await page.keyboard.press('Escape')
  const note = page.getByTestId('note-note')
  await expect(note.getByRole('heading', { name: 'Careful' })).toBeVisible()
  await expect(note.locator('b')).toHaveText('twice')
  await page.getByRole('radio', { name: 'Blue' }).check()
  await expect(note).toHaveAttribute('data-color', 'blue')
  expect(await barriers(page)).toEqual([])

  // In its middle is the plus.
  const line = await page.locator('.react-flow__edge[data-id="e5"] path').first().boundingBox()
  await page.mouse.click((line?.x ?? 0) + (line?.width ?? 0) / 4, (line?.y ?? 0) + (line?.height ?? 0) / 2)
  await page.keyboard.press('F2')
  await expect(page.getByTestId('edge-label')).toBeFocused()
  await page.keyboard.type('paid')
  await expect(page.locator('.react-flow__edge[data-id="e5"]')).toContainText('paid')
  await page.getByTestId('guard-button').click()
  await expect(card(page, 'if')).toBeVisible()
  await page.getByTestId('undo-button').click()
  await expect(card(page, 'if')).toHaveCount(0)
  await pressUntilDone(page, 'undo-button')
}

async function goAlong(page: Page): Promise<void> {
  await card(page, 'ship').click()
  await page.keyboard.press('ControlOrMeta+g')
  await expect(frame(page, 'frame')).toBeVisible()
  const title = await middleOf(frame(page, 'frame').locator('b'))
  const before = await middleOf(card(page, 'ship'))
  await page.mouse.move(title.x, title.y)
  await page.mouse.down()
  await page.mouse.move(title.x - 100, title.y + 60, { steps: 6 })
  await page.mouse.up()
  await expect.poll(async () => (await middleOf(card(page, 'ship'))).x).toBeLessThan(before.x - 60)
  await page.getByTestId('undo-button').click()
  await expect.poll(async () => (await middleOf(card(page, 'ship'))).x).toBeCloseTo(before.x, 0)

  const gift = await middleOf(card(page, 'gift'))
  await page.mouse.move(gift.x, gift.y)
  await page.mouse.down()
  await page.mouse.move(before.x + 10, before.y + 20, { steps: 8 })
  await page.mouse.up()
  await frame(page, 'frame').locator('button').click()
  await expect(frame(page, 'frame')).toContainText('2 steps')
  await expect(card(page, 'gift')).toHaveCount(0)
  await pressUntilDone(page, 'undo-button')
}

async function lookFromFarAway(page: Page): Promise<void> {
  await card(page, 'gift').click()
  await card(page, 'pay').click({ modifiers: ['Shift'] })
  await page.keyboard.press('ControlOrMeta+g')
  await page.getByTestId('frame-title').fill('The till')
  const title = frame(page, 'frame').getByText('The till')
  const near = await title.boundingBox()
  const mark = page.locator('[data-zoom]')
  await pane(page).click({ position: { x: 300, y: 40 } })
  const zoom = (): Promise<number> =>
    page.locator('.react-flow__viewport').evaluate((one: HTMLElement) => new DOMMatrix(one.style.transform).a)
  const before = await zoom()
  await page.keyboard.press('-')
  await expect.poll(zoom).toBeCloseTo(before * 0.8, 3)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, 1_000)
  await page.keyboard.up('Control')
  await expect(mark).toHaveAttribute('data-zoom', 'speck')
  await expect(mark).toHaveAttribute('data-speck')
  // Nothing of the card can be read, and all of it says its title.
  const name = card(page, 'pay').getByTitle('Take the money')
  expect(await name.evaluate((word) => getComputedStyle(word).fontSize)).toBe('0px')
  const { x, y } = await middleOf(card(page, 'pay'))
  const said = await page.evaluate(
    (at) => document.elementFromPoint(at.x, at.y)?.closest('[title]')?.getAttribute('title'),
    { x, y },
  )
  expect(said).toBe('Take the money')
  await expect(card(page, 'pay').locator('svg').first()).toBeVisible()
  // Its words are drawn a tenth as large there, and are as high as other words of the page all the same.
  const far = await title.boundingBox()
  expect(far?.height).toBeGreaterThan(9)
  expect(near?.height).toBeLessThan(30)
}

async function nest(page: Page): Promise<void> {
  const [inner, outer] = [frame(page, 'frame'), frame(page, 'frame2')]
  await card(page, 'ship').click()
  await page.keyboard.press('ControlOrMeta+g')
  await page.getByTestId('frame-title').fill('Inner')
  await card(page, 'pay').click()
  await inner.locator('b').click({ modifiers: ['Shift'] })
  await page.keyboard.press('ControlOrMeta+g')
  await page.getByTestId('frame-title').fill('Outer')
  await page.getByTestId('fit-button').click()
  const isAround = async (): Promise<boolean> => {
    const [small, large] = [await inner.boundingBox(), await outer.boundingBox()]
    if (small === null || large === null) return false
    const right = small.x + small.width < large.x + large.width
    const below = small.y + small.height < large.y + large.height
    return large.x < small.x && large.y < small.y && right && below
  }
  await expect.poll(isAround).toBe(true)

  await inner.getByRole('button', { name: 'Collapse Inner' }).click()
  await expect(inner).toContainText('1 step')
  await expect(card(page, 'ship')).toHaveCount(0)
  await expect(card(page, 'pay')).toBeVisible()
  // The line from the one to the other leads to the card of the frame now.
  await expect(edges(page)).toHaveCount(5)
  await outer.getByRole('button', { name: 'Collapse Outer' }).click()
  await expect(outer).toContainText('2 steps')
  await expect(inner).toHaveCount(0)
  await expect(card(page, 'pay')).toHaveCount(0)
  // Two lead in, and the one within is not drawn.
  await expect(edges(page)).toHaveCount(4)
  expect(await barriers(page)).toEqual([])

  await page.getByTestId('run-button').click()
  await expect(runState(page)).toHaveAttribute('data-status', 'SUCCEEDED')
  await expect(outer).toContainText('2 of 2 steps done')

  // What is collapsed stays so: as a draft over a restart, and the inner one under the outer one.
  await page.reload()
  await expect(outer).toContainText('2 steps')
  await outer.getByRole('button', { name: 'Open Outer' }).click()
  await expect(card(page, 'pay')).toBeVisible()
  // What is open again may be larger than what was looked at.
  await page.getByTestId('fit-button').click()
  await expect(inner).toContainText('1 step')
  await expect(card(page, 'ship')).toHaveCount(0)
  await inner.getByRole('button', { name: 'Open Inner' }).click()
  await expect(card(page, 'ship')).toBeVisible()
  await page.getByTestId('undo-button').click()
  await page.getByTestId('undo-button').click()
  await expect(outer).toContainText('2 steps')
  await expect(inner).toHaveCount(0)
}

test('what is drawn for people: frames, notes and labels, what goes along, all of it from far away, and frames in frames', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'shop.json', shop)
  await page.goto(server.url)
  await page.getByRole('button', { name: /shop\.json/ }).click()
  await expect(cards(page)).toHaveCount(5)
  await test.step('a frame is drawn, named, coloured, collapsed to one card and opened again', () =>
    drawFrame(page))
  await pressUntilDone(page, 'undo-button')
  await page.getByTestId('fit-button').click()
  await test.step('a note is written in Markdown, and an edge has a label or says its condition', () =>
    writeNotes(page))
  await test.step('what is dropped on a frame belongs to it, and goes along with it', () => goAlong(page))
  await test.step('from far away a card is its icon, its title is said where the pointer rests, and frames are named as on a map', () =>
    lookFromFarAway(page))
  await pressUntilDone(page, 'undo-button')
  await page.getByTestId('fit-button').click()
  await test.step('a frame in a frame: each is one card or open for itself, tells of the run, and is there after a restart', () =>
    nest(page))
})
