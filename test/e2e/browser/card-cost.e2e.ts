/** What a change of one step costs, counted in what React draws for it: its card and its edges, and of those a part. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { card, cards, edges, middleOf } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const waits = { kind: 'wait-signal', parameters: { name: 'never' } }
const workflow = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_cost',
  title: 'One of many',
  nodes: {
    quick: { kind: 'delay', parameters: { amount: 1, unit: 'seconds' } },
    next: waits,
    ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`other${at}`, waits])),
  },
  edges: { on: { from: { node: 'quick', port: 'out' }, to: { node: 'next', port: 'in' } } },
  layout: {
    nodes: {
      quick: { x: 0, y: 0 },
      next: { x: 320, y: 0 },
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`other${at}`, { x: (at % 4) * 264, y: 160 }]),
      ),
    },
  },
}

/**
 * How many components of each card and edge, and of the inspector, were drawn in one commit, with the state that the
 * card of `quick` had after it.
 */
interface Commit {
  readonly status: string | null
  readonly drawn: Readonly<Record<string, number>>
}

/** Looks at each commit as React's own tools do: at what differs from before, and which of it was drawn. */
const countDrawn = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    interface Fiber {
      readonly tag: number
      readonly flags: number
      readonly alternate: Fiber | null
      readonly child: Fiber | null
      readonly sibling: Fiber | null
      readonly stateNode: unknown
    }
    const parts = '.react-flow__node, .react-flow__edge, [data-testid="inspector"]'
    const performedWork = 1
    const hostElement = 5
    const commits: Commit[] = []
    const look = (fiber: Fiber, inside: string | null, drawn: Record<string, number>): void => {
      const element = fiber.tag === hostElement ? (fiber.stateNode as Element) : null
      const id = element?.matches(parts) ? (element.getAttribute('data-id') ?? 'inspector') : inside
      const isDrawn = fiber.tag !== hostElement && (fiber.flags & performedWork) !== 0
      if (id !== null && isDrawn) drawn[id] = (drawn[id] ?? 0) + 1
      // What was left as it was is the same piece of the tree.
      if (fiber.alternate !== null && fiber.child === fiber.alternate.child) return
      for (let child = fiber.child; child !== null; child = child.sibling)
        if (child.alternate !== null) look(child, id, drawn)
    }
    const onCommitFiberRoot = (_: number, root: { readonly current: Fiber }): void => {
      const drawn: Record<string, number> = {}
      look(root.current, null, drawn)
      const status = document.querySelector('[data-testid="node-quick"]')?.getAttribute('data-status') ?? null
      if (Object.keys(drawn).length > 0) commits.push({ status, drawn })
    }
    const hook = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot,
      onCommitFiberUnmount: () => undefined,
    }
    Object.assign(window, { commits, __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
  })

const commitsOf = (page: Page): Promise<readonly Commit[]> =>
  page.evaluate(() => (window as unknown as { readonly commits: readonly Commit[] }).commits)

/** The workflow, open on a page that counts what it draws. */
async function openCounted(page: Page, dataDirectory: string, url: string): Promise<void> {
  await countDrawn(page)
  await putWorkflow(dataDirectory, 'cost.json', workflow)
  await page.goto(url)
  await page.getByText('One of many').first().click()
  await expect(cards(page)).toHaveCount(10)
}

async function drawEnd(page: Page): Promise<void> {
  await expect(card(page, 'other7')).toHaveAttribute('data-status', 'WAITING')
  await expect(card(page, 'quick')).toHaveAttribute('data-status', 'SUCCESS')
  const commits = await commitsOf(page)
  const ended = commits.find(({ status }) => status === 'SUCCESS')
  // The card, its ring, its state with icon and clock, and its words: not its title, its ports, its marks and its shadow.
  expect(ended?.drawn['quick']).toBeGreaterThan(3)
  expect(ended?.drawn['quick']).toBeLessThan(12)
  const others = Object.entries(ended?.drawn ?? {}).filter(([id]) => id.startsWith('other'))
  // Of a card that goes on waiting at most its clock.
  expect(others.filter(([, count]) => count > 1)).toEqual([])
}

async function drawMoved(page: Page): Promise<void> {
  await expect(edges(page)).toHaveCount(1)
  const drag = async (node: string): Promise<readonly Commit[]> => {
    const at = await middleOf(card(page, node))
    await page.mouse.move(at.x, at.y)
    await page.mouse.down()
    await page.mouse.move(at.x + 30, at.y + 60, { steps: 4 })
    await expect(page.getByTestId('inspector')).toContainText(node)
    const before = (await commitsOf(page)).length
    await page.mouse.up()
    await expect(page.getByTestId('undo-button')).toBeEnabled()
    await page.getByTestId('undo-button').click()
    await expect(page.getByTestId('undo-button')).toBeDisabled()
    return (await commitsOf(page)).slice(before)
  }
  const drawnOf = (commits: readonly Commit[], id: string): number =>
    commits.reduce((sum, { drawn }) => sum + (drawn[id] ?? 0), 0)
  const beside = await drag('other7')
  const drawn = new Set(beside.flatMap(({ drawn: counts }) => Object.keys(counts)))
  expect([...drawn]).toEqual(['other7'])
  expect(drawnOf(await drag('next'), 'on')).toBeGreaterThan(0)
}

async function seePorts(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const out = card(page, 'quick').locator('.react-flow__handle.source').first()
  const colour = () => out.evaluate((port) => getComputedStyle(port).backgroundColor)
  const before = await colour()
  await page.evaluate(() => {
    const begun: string[] = []
    Object.assign(window, { begun })
    document.addEventListener('transitionrun', ({ propertyName }) => begun.push(propertyName))
  })
  const { x, y } = await middleOf(card(page, 'quick'))
  await page.mouse.move(x, y)
  await expect.poll(colour).not.toBe(before)
  const begun = await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((settle) => requestAnimationFrame(settle))
    return Reflect.get(window, 'begun') as readonly string[]
  })
  expect(begun).toEqual([])
  await page.mouse.move(0, 0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
}

async function keepPicture(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pictures = new Set<Element>()
    const shapes = new Set<string | null>()
    Object.assign(window, { pictures, shapes })
    const look = (): void => {
      const picture = document.querySelector('[data-testid="node-quick"] svg[width="13"]')
      if (picture === null) return
      pictures.add(picture)
      shapes.add(picture.getAttribute('class'))
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await page.getByTestId('run-button').click()
  await expect(card(page, 'quick').locator('svg.lucide-circle-check')).toHaveCount(1)
  const seen = await page.evaluate(() => {
    const { pictures, shapes } = window as unknown as {
      readonly pictures: ReadonlySet<Element>
      readonly shapes: ReadonlySet<string | null>
    }
    return { pictures: pictures.size, shapes: shapes.size }
  })
  expect(seen.shapes).toBeGreaterThan(1)
  expect(seen.pictures).toBe(1)
}

async function countShapes(page: Page): Promise<void> {
  const shapes = await page
    .locator('svg.lucide[fill="none"]')
    .evaluateAll((icons) => icons.map((icon) => icon.childElementCount))
  expect(shapes.length).toBeGreaterThan(80)
  expect(shapes.filter((count) => count !== 1)).toEqual([])
}

async function bringIntoSight(page: Page): Promise<void> {
  await card(page, 'next').click()
  const looks = await page.evaluate(async () => {
    let count = 0
    const tabs = document.querySelectorAll('[data-testid="inspector"] [role="tab"]')
    for (const tab of tabs) tab.scrollIntoView = () => void (count += 1)
    document.querySelector<HTMLElement>('[role="tab"][data-tab="settings"]')?.click()
    await Promise.resolve()
    const atOnce = count
    await new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)))
    return { atOnce, withFrame: count }
  })
  expect(looks).toEqual({ atOnce: 0, withFrame: 1 })
}

async function seeEdge(page: Page): Promise<void> {
  await expect(edges(page)).toHaveCount(1)
  const probe = page.getByTestId('probe-on')
  await expect(probe).toHaveCount(1)
  expect(await page.locator('.react-flow__edges [transform]').count()).toBe(0)
  const [line, plus, bead] = await Promise.all([
    page.locator('.react-flow__edge-path').boundingBox(),
    page.getByTestId('insert-on').boundingBox(),
    probe.locator('circle').boundingBox(),
  ])
  const middle = (box: typeof line) => (box?.x ?? 0) + (box?.width ?? 0) / 2
  expect(middle(plus)).toBeCloseTo(middle(line), 0)
  expect(middle(bead)).toBeCloseTo(middle(line), 0)
  expect(bead?.y).toBeGreaterThan(line?.y ?? 0)
}

async function changeTone(page: Page): Promise<void> {
  await expect(card(page, 'other7')).toHaveAttribute('data-status', 'WAITING')
  await expect(card(page, 'quick')).toHaveAttribute('data-status', 'SUCCESS')
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] })
  const inside = await page.evaluate(async () => {
    const settled = () =>
      new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(() => settle(null))))
    const element = document.querySelector('[data-testid="node-other0"]')
    if (element === null) throw new Error('There is no card.')
    await settled()
    performance.mark('tone-begins')
    element.setAttribute('data-tone', 'bad')
    element.getBoundingClientRect()
    performance.mark('tone-ends')
    return element.querySelectorAll('*').length
  })
  const trace = await browser?.stopTracing()
  interface TraceEvent {
    readonly name: string
    readonly ts: number
    readonly args: { readonly elementCount?: number }
  }
  const { traceEvents } = JSON.parse(trace?.toString() ?? '') as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const at = (name: string): number => traceEvents.find((event) => event.name === name)?.ts ?? Number.NaN
  const restyled = traceEvents
    .filter(({ name, ts }) => name === 'UpdateLayoutTree' && ts > at('tone-begins') && ts < at('tone-ends'))
    .map(({ args }) => args.elementCount ?? 0)
  expect(inside).toBeGreaterThan(15)
  expect(restyled).toHaveLength(1)
  expect(restyled[0]).toBeGreaterThan(0)
  // The card itself, and parts that a rule for its tone could mean.
  expect(restyled[0]).toBeLessThan(12)
}

async function growWords(page: Page): Promise<void> {
  const mark = page.locator('[data-zoom]')
  const told = await page.evaluate(async () => {
    const [pane, flow] = ['.react-flow__pane', '.react-flow'].map((name) => document.querySelector(name))
    const level = document.querySelector('[data-zoom]')
    if (!pane || !flow || !level) throw new Error('There is no canvas.')
    const box = pane.getBoundingClientRect()
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }
    const turns = async (deltaY: number, count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) {
        const wheel = { deltaY, ctrlKey: true, ...at, bubbles: true, cancelable: true }
        pane.dispatchEvent(new WheelEvent('wheel', wheel))
        await new Promise((settle) => requestAnimationFrame(settle))
      }
    }
    const rest = (): Promise<void> =>
      new Promise((settle) => {
        const look = (): void => void (flow.hasAttribute('data-motion') ? setTimeout(look, 20) : drawn())
        const drawn = (): void => void requestAnimationFrame(() => requestAnimationFrame(() => settle()))
        setTimeout(look, 20)
      })
    const changes: { readonly level: string | null; readonly motion: string | null }[] = []
    new MutationObserver(() => {
      changes.push({ level: level.getAttribute('data-zoom'), motion: flow.getAttribute('data-motion') })
    }).observe(level, { attributes: true, attributeFilter: ['data-zoom'] })
    const zoom = (): number =>
      new DOMMatrix(document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform).a
    while (zoom() < 1) await turns(-20, 1)
    await rest()
    changes.length = 0
    await turns(20, Math.ceil((500 * Math.log2(zoom() / 0.65)) / 20))
    await rest()
    await turns(-20, 20)
    await rest()
    return changes
  })
  await expect(mark).toHaveAttribute('data-zoom', 'near')
  expect(told).toEqual([
    { level: 'mid', motion: null },
    { level: 'near', motion: null },
  ])
}

test('what is moved and what a run changes is drawn for a card and an edge, and words of cards wait for a hand that is still', async ({
  page,
  server,
  dataDirectory,
}) => {
  await openCounted(page, dataDirectory, server.url)
  await test.step('a step that is moved, and moved back, has its own card and edges drawn, and no others', () =>
    drawMoved(page))
  // With nothing selected.
  await page.keyboard.press('Escape')
  await test.step('the pointer gives a card’s ports their colour at once, and no frames of a motion', () =>
    seePorts(page))
  await test.step('a state that becomes another one keeps its picture on the page, with other shapes', () =>
    keepPicture(page))
  await test.step('a step that ends has its own card drawn, and of that only what tells of its run', () =>
    drawEnd(page))
  await test.step('an icon is one shape, so that few of the page’s elements are pieces of icons', () =>
    countShapes(page))
  await test.step('what is chosen is brought into sight with the next frame, not in the middle of a press', () =>
    bringIntoSight(page))
  await test.step('an edge is drawn where it is: what a transform moves would be a piece of its own on the page', () =>
    seeEdge(page))
  await test.step('another tone of a card leaves most of what is inside of it as it is', () =>
    changeTone(page))
  await test.step('words of cards grow for a smaller size once the hand is still, not on its way', () =>
    growWords(page))
})
