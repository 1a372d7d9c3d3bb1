/** Mouse and trackpad move the canvas as people are used to: each way is chosen once, and does what it says. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, middleOf, pane } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const workflow = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_move', title: 'Moved around', edges: {} },
  nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } },
  layout: { nodes: { a: { x: 0, y: 0 }, b: { x: 300, y: 0 } } },
}

/** Where the view is: its place, and how large things are. */
const sight = (page: Page): Promise<{ readonly x: number; readonly y: number; readonly zoom: number }> =>
  page.locator('.react-flow__viewport').evaluate((element) => {
    const { a, e, f } = new DOMMatrix(getComputedStyle(element).transform)
    return { x: Math.round(e), y: Math.round(f), zoom: Number(a.toFixed(3)) }
  })

async function choose(page: Page, way: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('mouse and trackpad')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('navigation')).toBeFocused()
  await page.getByTestId('navigation').selectOption(way)
  await page.getByRole('button', { name: 'Back to the workflow' }).click()
  await expect(card(page, 'a')).toBeVisible()
}

/** Turns the wheel over the free canvas, and waits until the view has moved. */
async function scroll(page: Page): Promise<{ readonly moved: boolean; readonly zoomed: boolean }> {
  const before = await sight(page)
  const { x, y } = await middleOf(pane(page))
  await page.mouse.move(x, y + 150)
  await page.mouse.wheel(0, 120)
  await expect.poll(() => sight(page)).not.toEqual(before)
  const after = await sight(page)
  return { moved: after.zoom === before.zoom, zoomed: after.zoom !== before.zoom }
}

/** Drags from the free canvas over both cards. */
async function drag(page: Page, button: 'left' | 'middle' = 'left'): Promise<string> {
  const before = await sight(page)
  await page.keyboard.press('Escape')
  const [a, b] = [await card(page, 'a').boundingBox(), await card(page, 'b').boundingBox()]
  if (a === null || b === null) throw new Error('The cards are not in view.')
  await page.mouse.move(a.x - 24, a.y - 60)
  await page.mouse.down({ button })
  await page.mouse.move(b.x + 20, b.y + 20, { steps: 6 })
  await page.mouse.up({ button })
  const chosen = await page.locator('[data-testid^="node-"][data-selected="true"]').count()
  const { x } = await sight(page)
  return x === before.x ? `${chosen} selected` : 'moved'
}

test('scrolling, dragging and the middle button do what the chosen way says, and it stays after a reload', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'move.json', workflow)
  await page.goto(server.url)
  await page.getByText('Moved around').first().click()
  await expect(card(page, 'a')).toBeVisible()
  expect(await scroll(page)).toEqual({ moved: true, zoomed: false })
  expect(await drag(page)).toBe('moved')

  await choose(page, 'mouse')
  await page.keyboard.press('Shift+1')
  expect(await scroll(page)).toEqual({ moved: false, zoomed: true })
  await page.reload()
  await expect(card(page, 'a')).toBeVisible()
  expect(await scroll(page)).toEqual({ moved: false, zoomed: true })

  await choose(page, 'modelling')
  expect(await drag(page)).toBe('2 selected')
  expect(await drag(page, 'middle')).toBe('moved')

  await choose(page, 'drawing')
  expect(await scroll(page)).toEqual({ moved: true, zoomed: false })
  await page.keyboard.press('ControlOrMeta+,')
  await expect(page.getByTestId('canvas-settings')).toContainText('A drag selects')
  // What is written as code in a sentence is shown as code.
  await expect(
    page
      .getByTestId('setting-port')
      .locator('code')
      .filter({ hasText: /^serve$/ }),
  ).toBeVisible()
  expect(await barriers(page)).toEqual([])
})
