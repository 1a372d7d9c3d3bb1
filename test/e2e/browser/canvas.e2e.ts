/** The canvas under the hands: menus, own keys, arranging, selecting, finding; each gesture one undo step. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { barriers } from '../barriers.ts'
import { card, cards, edges, middleOf, pane, placeOf } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const step = (message: string) => ({ kind: 'log', title: message, parameters: { message } })
const edge = (from: string, to: string) => ({
  from: { node: from, port: 'out' },
  to: { node: to, port: 'in' },
})

/** Six steps in two rows, hand-placed and a little crooked. */
const crooked = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_crooked',
  title: 'Crooked',
  nodes: {
    take: step('Take the order'),
    check: step('Check the stock'),
    pay: step('Take the money'),
    pack: step('Pack it'),
    ship: step('Ship it'),
    thank: step('Say thanks'),
  },
  edges: {
    e1: edge('take', 'check'),
    e2: edge('check', 'pay'),
    e3: edge('pay', 'pack'),
    e4: edge('pack', 'ship'),
    e5: edge('check', 'thank'),
  },
  layout: {
    nodes: {
      take: { x: 0, y: 0 },
      check: { x: 320, y: 24 },
      pay: { x: 640, y: 0 },
      pack: { x: 48, y: 240 },
      ship: { x: 400, y: 280 },
      thank: { x: 680, y: 200 },
    },
  },
}

test.beforeEach(async ({ page, server, dataDirectory }) => {
  await putWorkflow(dataDirectory, 'crooked.json', crooked)
  await page.goto(server.url)
  await page.getByRole('button', { name: /crooked\.json/ }).click()
  await expect(cards(page)).toHaveCount(6)
})

async function openMenus(page: Page): Promise<void> {
  await card(page, 'pay').click({ button: 'right' })
  const menu = page.getByTestId('canvas-menu')
  await expect(menu).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: 'Connect from node' })).toBeVisible()
  expect(await barriers(page)).toEqual([])
  await menu.getByRole('menuitem', { name: 'Bypass node or not' }).click()
  await expect(menu).toHaveCount(0)
  await expect(card(page, 'pay').getByLabel('Bypassed')).toBeVisible()
  await page.getByTestId('undo-button').click()
  await expect(card(page, 'pay').getByLabel('Bypassed')).toHaveCount(0)

  await card(page, 'check').click()
  await page.keyboard.press('Shift+F10')
  await expect(menu).toBeVisible()
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('menuitem').nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(menu.getByRole('menuitem', { name: 'Delete and heal' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(5)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(6)

  await pane(page).click({ button: 'right', position: { x: 20, y: 20 } })
  await expect(menu.getByRole('menuitem', { name: 'Add note' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
}

async function changeKeys(page: Page): Promise<void> {
  await page.getByTestId('keys-button').click()
  const sheet = page.getByTestId('cheat-sheet')
  await sheet.getByRole('searchbox').fill('tidy')
  const row = sheet.getByTestId('keys-edit.tidy')
  await row.getByRole('button', { name: /Change the keys/ }).click()
  await page.keyboard.press('c')
  await expect(row.getByRole('alert')).toContainText('C belongs to “Connect from node”.')
  expect(await barriers(page)).toEqual([])
  await row.getByRole('button', { name: 'Leave it' }).click()
  await row.getByRole('button', { name: /Change the keys/ }).click()
  await page.keyboard.press('y')
  await expect(row).toContainText('Y')
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(cards(page)).toHaveCount(6)
  const before = await placeOf(page, 'ship')
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('y')
  await expect.poll(() => placeOf(page, 'ship')).not.toEqual(before)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => placeOf(page, 'ship')).toEqual(before)

  await page.keyboard.press('?')
  await sheet.getByTestId('letters-switch').click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('y')
  await page.keyboard.press('a')
  await expect(page.getByTestId('quick-add')).toHaveCount(0)
  await expect.poll(() => placeOf(page, 'ship')).toEqual(before)
}

test('the other button opens a menu, and so does the menu key; keys are changed, and stay after a reload', async ({
  page,
}) => {
  await test.step('the other button opens a menu of what is pressed, and the menu key one of what is selected', () =>
    openMenus(page))
  await test.step('keys are changed, conflicts are told, and they stay after a reload', () =>
    changeKeys(page))
})

async function selectAround(page: Page): Promise<void> {
  await card(page, 'check').click()
  await page.keyboard.press(']')
  await expect(page.getByTestId('inspector')).toContainText('5 nodes selected')
  await page.keyboard.press('Escape')
  await card(page, 'pay').click()
  await page.keyboard.press('[')
  await expect(page.getByTestId('inspector')).toContainText('3 nodes selected')

  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('l')
  await expect(page.getByTestId('lasso')).toBeVisible()
  const [first, second] = [await middleOf(card(page, 'take')), await middleOf(card(page, 'check'))]
  await page.mouse.move(first.x - 30, first.y - 60)
  await page.mouse.down()
  await page.mouse.move(second.x + 60, second.y - 60, { steps: 5 })
  await page.mouse.move(second.x + 60, second.y + 40, { steps: 5 })
  await page.mouse.move(first.x - 30, first.y + 40, { steps: 5 })
  await page.mouse.up()
  await expect(page.getByTestId('lasso')).toHaveCount(0)
  await expect(page.getByTestId('inspector')).toContainText('2 nodes selected')
  await expect(page.locator('.react-flow__edge.selected')).toHaveCount(1)
}

async function leadTo(page: Page): Promise<void> {
  await pane(page).click({ position: { x: 20, y: 20 } })
  await page.keyboard.press('j')
  await expect(page.getByTestId('jump-letters')).toHaveCount(6)
  const letter = await card(page, 'ship').getByTestId('jump-letters').textContent()
  await page.keyboard.press(letter ?? '')
  await expect(page.locator('.react-flow__node[data-id="ship"]')).toBeFocused()
  await expect(page.getByTestId('jump-letters')).toHaveCount(0)

  // Who types on at once writes in it, however late a busy page's next frame is.
  expect(await holderBeforeFrame(page, 'f')).toBe('find-field')
  await page.getByTestId('find-field').fill('take')
  const bar = page.getByTestId('find-bar')
  await expect(bar).toContainText('1 of 2')
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('2 of 2')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('pay')
  await page.keyboard.press('Shift+Enter')
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('take')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(page.locator('.react-flow__node[data-id="take"]')).toBeFocused()
  expect(await edges(page).count()).toBe(5)
}

/** What has the keyboard once a key was pressed with Control, and nothing of it was drawn. */
const holderBeforeFrame = (page: Page, key: string): Promise<string | undefined> =>
  page.evaluate(async (pressed) => {
    const options = { key: pressed, ctrlKey: true, bubbles: true, cancelable: true, composed: true }
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', options))
    // Microtasks alone: no frame comes between.
    for (let turn = 0; turn < 3; turn += 1) await Promise.resolve()
    return (document.activeElement as HTMLElement | null)?.dataset['testid']
  }, key)

async function dragAndCopy(page: Page): Promise<void> {
  const from = await middleOf(card(page, 'pack'))
  const target = await middleOf(card(page, 'take'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(target.x + 20, from.y + 30, { steps: 8 })
  await page.mouse.move(target.x + 3, from.y + 30, { steps: 4 })
  await expect(page.getByTestId('guides')).toBeAttached()
  await page.mouse.up()
  await expect(page.getByTestId('guides')).toHaveCount(0)
  expect((await placeOf(page, 'pack')).x).toBe(0)

  const ship = await placeOf(page, 'ship')
  const start = await middleOf(card(page, 'ship'))
  await page.keyboard.down('Alt')
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + 40, start.y + 120, { steps: 6 })
  await page.mouse.up()
  await page.keyboard.up('Alt')
  await expect(cards(page)).toHaveCount(7)
  await expect.poll(() => placeOf(page, 'ship')).toEqual(ship)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(6)
  // What was dragged goes back, too.
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => placeOf(page, 'pack')).toEqual({ x: 48, y: 240 })
  await page.keyboard.press('Escape')
}

async function lineUp(page: Page): Promise<void> {
  await card(page, 'take').click()
  await card(page, 'check').click({ modifiers: ['Shift'] })
  await card(page, 'pay').click({ modifiers: ['Shift'] })
  await page.keyboard.press('Alt+w')
  await expect.poll(() => placeOf(page, 'check')).toEqual({ x: 320, y: 0 })
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => placeOf(page, 'check')).toEqual({ x: 320, y: 24 })
  await page.keyboard.press('Escape')
  await card(page, 'pack').click()
  await card(page, 'ship').click({ modifiers: ['Shift'] })
  await card(page, 'thank').click({ modifiers: ['Shift'] })
  await page.keyboard.press('Alt+Shift+H')
  await expect.poll(() => placeOf(page, 'ship')).toEqual({ x: 364, y: 280 })
}

/**
 * How many steps of a hand on a trackpad, each in a frame of its own, from the middle of the canvas. The page's timers stand
 * still meanwhile: on a busy machine the canvas would come to rest between two frames.
 */
const pan = (page: Page, steps: number) =>
  pane(page).evaluate(async (element, count) => {
    const box = element.getBoundingClientRect()
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }
    const flow = element.closest('.react-flow')
    const dots = element.ownerDocument.querySelector<SVGElement>('[data-testid="dots"]')
    const seen: { motion: string | null; isHeld: boolean; slide: string; painted: string }[] = []
    const [start, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)]
    const standing = new Map<number, Parameters<typeof start>>()
    let last = 0
    const stand = (...given: Parameters<typeof start>): number => {
      last -= 1
      standing.set(last, given)
      return last
    }
    const give = (id?: number): void => {
      if (id === undefined || !standing.delete(id)) clear(id)
    }
    Object.assign(window, { setTimeout: stand, clearTimeout: give })
    for (let step = 0; step < count; step += 1) {
      const wheel = { deltaX: 7, deltaY: 5, ...at, bubbles: true, cancelable: true }
      element.dispatchEvent(new WheelEvent('wheel', wheel))
      await new Promise((settle) => requestAnimationFrame(settle))
      const painted = dots?.querySelector('pattern')?.outerHTML ?? ''
      const motion = flow?.getAttribute('data-motion') ?? null
      const held = [...(flow?.querySelectorAll('[data-held], .react-flow__viewport') ?? [])].every((layer) =>
        layer.getAnimations().some(({ playState }) => playState === 'paused'),
      )
      seen.push({ motion, isHeld: held, slide: dots?.style.transform ?? '', painted })
    }
    Object.assign(window, { setTimeout: start, clearTimeout: clear })
    for (const given of standing.values()) start(...given)
    return seen
  }, steps)

async function seePan(page: Page): Promise<void> {
  await expect(page.locator('.react-flow')).not.toHaveAttribute('data-motion')
  const steps = await pan(page, 8)
  const [first] = steps
  // One step alone may be a jump; from the second on it is a pan.
  expect(steps.slice(1).map(({ motion }) => motion)).toEqual(Array(7).fill('pan'))
  expect(steps.slice(1).every(({ isHeld }) => isHeld)).toBe(true)
  expect(new Set(steps.map(({ slide }) => slide)).size).toBe(8)
  expect(steps.map(({ painted }) => painted)).toEqual(Array(8).fill(first?.painted))
  await expect(page.locator('.react-flow')).not.toHaveAttribute('data-motion')
  const rest = await page
    .getByTestId('dots')
    .evaluate((dots: SVGElement) => ({ slide: dots.style.transform, painted: dots.innerHTML }))
  expect(rest.slide).toBe('')
  expect(rest.painted).not.toContain(first?.painted)
  await expect(page.locator('.react-flow__viewport')).toHaveCSS('will-change', 'auto')
}

async function tellMoving(page: Page): Promise<void> {
  const isMoving = () =>
    page.evaluate(() => {
      interface Fiber {
        readonly memoizedProps: {
          readonly value?: {
            readonly canvas?: { readonly current?: { readonly isMoving?: () => boolean } }
          }
        } | null
        readonly child: Fiber | null
        readonly sibling: Fiber | null
      }
      const element = document.querySelector('#root')
      const key = Object.keys(element ?? {}).find((name) => name.startsWith('__reactContainer$')) ?? ''
      const queue: (Fiber | null | undefined)[] = [
        (element as unknown as Record<string, Fiber> | null)?.[key],
      ]
      for (const fiber of queue) {
        if (fiber === null || fiber === undefined) continue
        const told = fiber.memoizedProps?.value?.canvas?.current?.isMoving
        if (told !== undefined) return told()
        queue.push(fiber.child, fiber.sibling)
      }
      throw new Error('The page has no canvas.')
    })
  await expect.poll(isMoving).toBe(false)
  const box = await pane(page).boundingBox()
  await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 30)
  await page.mouse.down({ button: 'middle' })
  await page.mouse.move((box?.x ?? 0) + 90, (box?.y ?? 0) + 70, { steps: 3 })
  expect(await isMoving()).toBe(true)
  await page.mouse.up({ button: 'middle' })
  await expect.poll(isMoving).toBe(false)
}

async function countLayers(page: Page): Promise<void> {
  await expect(page.locator('.react-flow')).not.toHaveAttribute('data-motion')
  const trace = await page.context().newCDPSession(page)
  const names: string[] = []
  trace.on('Tracing.dataCollected', ({ value }) => void names.push(...value.map(({ name }) => String(name))))
  const isOver = new Promise((settle) => void trace.once('Tracing.tracingComplete', settle))
  const traceConfig = { includedCategories: ['blink'] }
  await trace.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await pan(page, 24)
  await expect(page.locator('.react-flow')).not.toHaveAttribute('data-motion')
  await trace.send('Tracing.end')
  await isOver
  await trace.detach()
  const updates = names.filter((name) => name === 'PaintArtifactCompositor::Update').length
  // Its first step, its second, what comes into view meanwhile, and its rest; without layers that are held there are 24.
  expect(updates).toBeGreaterThan(0)
  expect(updates).toBeLessThan(12)
}

test('a pan is light, and nodes are selected, found, dragged and lined up, by the hand and by keys', async ({
  page,
}) => {
  await test.step('a pan moves what is painted and paints nothing anew; at rest all is painted where it came to', () =>
    seePan(page))
  await test.step('who shows a stream is told that the canvas is being moved, and that it came to rest', () =>
    tellMoving(page))
  await test.step('the steps of a pan put the layers of the page together no more often than one that begins and ends', () =>
    countLayers(page))
  await page.getByTestId('fit-button').click()
  await test.step('everything before and after a node is selected, and what an outline goes around', () =>
    selectAround(page))
  await test.step('letters lead to a card, and a search from hit to hit', () => leadTo(page))
  await test.step('a drag snaps to what it lines up with; with Alt it leaves the original where it was', () =>
    dragAndCopy(page))
  await test.step('nodes are lined up and spaced by keys, each as one step', () => lineUp(page))
})
