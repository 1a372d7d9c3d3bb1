/**
 * Buttons and cards keep their places while a run begins, is paused and ends: nobody presses what came to stand under the
 * pointer. What is opened is seen as a whole, whatever the panels leave of the window.
 */

import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, restingBox, runState } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const slow = {
  ...{
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'slow',
    title: 'A workflow with a rather long title',
  },
  nodes: {
    wait: { kind: 'wait-signal', parameters: { name: 'go' } },
    stop: { kind: 'stop', parameters: { status: 'failed', message: 'That was it.' } },
  },
  edges: { e: { from: { node: 'wait', port: 'out' }, to: { node: 'stop', port: 'in' } } },
  layout: { nodes: { wait: { x: 0, y: 0 }, stop: { x: 320, y: 0 } } },
}

/** Where each button of the bar stands, by its name. */
const places = (page: Page): Promise<Readonly<Record<string, readonly number[]>>> =>
  page
    .getByRole('banner')
    .getByRole('button')
    .evaluateAll((buttons) =>
      Object.fromEntries(
        buttons
          .filter((button) => button.checkVisibility())
          .map((button) => {
            const { x, y, width, height } = button.getBoundingClientRect()
            // Pause and Resume share a place.
            const name = (button.dataset['testid'] ?? button.ariaLabel ?? '').replace('resume', 'pause')
            return [name, [x, y, width, height].map(Math.round)]
          }),
      ),
    )

const steps = Array.from({ length: 9 }, (_, at) => at)

/** A row of steps that is wider than what the panels of a small window leave. */
const row = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'wf_row', title: 'One after the other' },
  nodes: Object.fromEntries(steps.map((at) => [`s${at}`, { kind: 'noop' }])),
  edges: Object.fromEntries(
    steps
      .slice(1)
      .map((at) => [
        `e${at}`,
        { from: { node: `s${at - 1}`, port: 'out' }, to: { node: `s${at}`, port: 'in' } },
      ]),
  ),
  layout: { nodes: Object.fromEntries(steps.map((at) => [`s${at}`, { x: at * 300, y: 0 }])) },
}

/** Whether a card is on the canvas with all of it. */
async function isWhole(page: Page, node: string): Promise<boolean> {
  const [inner, outer] = [
    await card(page, node).boundingBox(),
    await page.getByTestId('canvas').boundingBox(),
  ]
  if (inner === null || outer === null) return false
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  )
}

async function noCardMoves(page: Page): Promise<void> {
  const before = await restingBox(card(page, 'wait'))
  const failed = async (): Promise<void> => {
    await page.getByTestId('run-button').click()
    await expect(card(page, 'wait')).toHaveAttribute('data-status', 'WAITING')
    await page.getByTestId('cancel-button').click()
    await expect(runState(page)).toHaveAttribute('data-status', 'CANCELLED')
  }
  await failed()
  await expect(page.getByTestId('run-error')).toBeVisible()
  expect(await restingBox(card(page, 'wait'))).toEqual(before)
  await page.getByRole('button', { name: 'Stop showing this run' }).click()
  await expect(page.getByTestId('run-error')).toHaveCount(0)
  expect(await restingBox(card(page, 'wait'))).toEqual(before)

  // The same where a person moved the view.
  await page.mouse.move(700, 600)
  await page.mouse.wheel(0, 60)
  const moved = await restingBox(card(page, 'wait'))
  expect(moved).not.toEqual(before)
  await failed()
  await expect(page.getByTestId('run-error')).toBeVisible()
  expect(await restingBox(card(page, 'wait'))).toEqual(moved)
}

/** The palette has them too, so the narrowest window that there is leaves them out. */
const widerAlone = ['retry-button', 'rerun-button']

async function nothingInTheBarMoves(page: Page): Promise<void> {
  for (const width of [860, 1000, 1280, 1600])
    await test.step(`of ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.getByTestId('run-button')).toBeEnabled()
      await restingBox(page.getByTestId('run-button'))
      const before = await places(page)
      expect(Object.keys(before)).toContain('undo-button')
      await page.getByTestId('run-button').click()
      await expect(page.getByTestId('pause-button')).toBeEnabled()
      const during = await places(page)
      expect(during).toMatchObject(before)
      // Each of them can be pressed where it is seen.
      expect(Object.keys(during)).toEqual(
        expect.arrayContaining(['pause-button', 'cancel-button', ...(width < 1000 ? [] : widerAlone)]),
      )
      const title = await page.getByTestId('document-title').boundingBox()
      const state = await runState(page).boundingBox()
      expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(state?.x ?? 0)
      for (const [x = 0, , wide = 0] of Object.values(during)) {
        expect(x).toBeGreaterThan(0)
        expect(x + wide).toBeLessThanOrEqual(width)
      }
      if (width >= 1000) await expect(page.getByTestId('retry-button')).toBeDisabled()
      await page.getByTestId('pause-button').click()
      await expect(page.getByTestId('resume-button')).toBeVisible()
      expect(await places(page)).toEqual(during)
      await page.getByTestId('resume-button').click()
      await page.getByTestId('cancel-button').click()
      await expect(runState(page)).toHaveAttribute('data-status', 'CANCELLED')
      await expect(page.getByTestId('cancel-button')).toBeDisabled()
      expect(await places(page)).toEqual(during)
      expect(await barriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Stop showing this run' }).click()
      expect(await places(page)).toEqual(before)
    })
}

async function tabsAreReached(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1000, height: 700 })
  await page.getByTestId('problems-button').click()
  const panel = page.getByTestId('bottom-panel')
  const isInside = async (part: Locator): Promise<boolean> => {
    const [inner, outer] = [await part.boundingBox(), await panel.boundingBox()]
    return (
      inner !== null && outer !== null && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width
    )
  }
  await panel.getByRole('tab', { name: 'Problems' }).press('ArrowLeft')
  const last = panel.getByRole('tab', { name: 'Tests' })
  await expect(last).toBeFocused()
  await expect.poll(() => isInside(last)).toBe(true)
  expect(await isInside(page.getByLabel('Close the bottom panel'))).toBe(true)
  await page.getByLabel('Close the bottom panel').click()
  await expect(panel).toHaveCount(0)
}

async function openedAsAWhole(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1100, height: 700 })
  await page.getByTestId('problems-button').click()
  await expect(page.getByTestId('bottom-panel')).toBeVisible()
  await page.getByTestId('home-button').click()
  await page.getByRole('button', { name: /row\.json/ }).click()
  const areWhole = async (): Promise<readonly boolean[]> =>
    Promise.all(['s0', 's4', 's8'].map((node) => isWhole(page, node)))
  await expect.poll(areWhole).toEqual([true, true, true])
  const small = await card(page, 's0').boundingBox()
  // With the room of the panels it is larger, and whole again.
  await page.getByLabel('Close the bottom panel').press('Enter')
  await expect(page.getByTestId('canvas')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+i')
  await expect
    .poll(async () => (await card(page, 's0').boundingBox())?.width)
    .toBeGreaterThan(small?.width ?? 0)
  await expect.poll(areWhole).toEqual([true, true, true])
  // Where a person looked, they look again.
  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 80)
  const chosen = await restingBox(card(page, 's0'))
  const tab = (name: string) => page.getByTestId('tabs').getByRole('button', { name, exact: true })
  await tab(slow.title).click()
  await expect(card(page, 'wait')).toBeVisible()
  await tab(row.title).click()
  await expect.poll(() => card(page, 's0').boundingBox()).toEqual(chosen)
}

test('what is pressed and looked at keeps its place, whatever comes above it, and in windows of any width', async ({
  page,
  server,
  dataDirectory,
}) => {
  await putWorkflow(dataDirectory, 'row.json', row)
  await putWorkflow(dataDirectory, 'slow.json', slow)
  await page.goto(server.url)
  await page.getByRole('button', { name: /slow\.json/ }).click()
  await test.step('no card moves when the reason of a failure comes above the canvas, and when it goes', () =>
    noCardMoves(page))
  await page.getByRole('button', { name: 'Stop showing this run' }).click()
  await test.step('in windows of any width nothing in the bar moves', () => nothingInTheBarMoves(page))
  await test.step('in a small window each tab of the bottom panel is reached, and the panel can be closed', () =>
    tabsAreReached(page))
  await test.step('a wide workflow is opened as a whole beside open panels, and stays so until a person moves it', () =>
    openedAsAWhole(page))
})
