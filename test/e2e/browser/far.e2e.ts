/** Large workflows: only what is seen is made, and from far away all of it is one picture that is pressed all the same. */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { cardSize, portsOf } from '../../../src-renderer/canvas/geometry.ts'
import { taskHandles } from '../../../src-renderer/canvas/handles.ts'
import { card, cards } from '../designer-driver.ts'
import { putWorkflow, test } from './serving.ts'

const count = 1_000
/** With nothing wrong: a card that has a problem is another one once that is found. */
const call = { kind: 'http-request', parameters: { url: 'https://example.test' } }
const step = (index: number): object =>
  index === 0
    ? { kind: 'if', parameters: { condition: 'true' } }
    : { ...(index % 2 === 0 ? { kind: 'noop' } : call), title: `Step ${index}` }
const large = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'wf_large',
  title: 'A thousand steps',
  nodes: Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, step(index)])),
  edges: Object.fromEntries(
    Array.from({ length: count - 1 }, (_, index) => [
      `e${index}`,
      {
        from: { node: `n${index}`, port: index === 0 ? 'true' : 'out' },
        to: { node: `n${index + 1}`, port: 'in' },
      },
    ]),
  ),
  layout: {
    nodes: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `n${index}`,
        { x: (index % 40) * 320, y: Math.floor(index / 40) * 160 },
      ]),
    ),
  },
}

/** Counts every card that is made, however short it is there, and how often React Flow takes one in. */
const countCards = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const made = new Set<string>()
    const taken = { count: 0 }
    const known = new WeakSet<object>()
    Object.assign(window, { made, taken })
    const count = (value: unknown): void => {
      // What it keeps of one that it knows is put back as it is.
      if (typeof value !== 'object' || value === null || !('internals' in value) || known.has(value)) return
      known.add(value)
      taken.count += 1
    }
    const put = Reflect.get(Map.prototype, 'set') as (...given: readonly unknown[]) => unknown
    Object.assign(Map.prototype, {
      set: new Proxy(put, {
        apply: (target, map, given: readonly unknown[]) => {
          count(given[1])
          return Reflect.apply(target, map, given)
        },
      }),
    })
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element)
            for (const one of [node, ...node.querySelectorAll('.react-flow__node')])
              if (one.matches('.react-flow__node')) made.add(one.getAttribute('data-id') ?? '')
    }).observe(document, { subtree: true, childList: true })
  })

const cardsTaken = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { readonly taken: { count: number } }).taken.count)

const cardsMade = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { readonly made: Set<string> }).made.size)

/** Until cards are seen. */
async function comeNear(page: Page): Promise<void> {
  await page.mouse.move(400, 400)
  for (let turn = 0; turn < 40 && (await page.getByTestId('far-canvas').count()) > 0; turn += 1) {
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -240)
    await page.keyboard.up('Control')
  }
  await expect(cards(page).first()).toBeVisible()
}

async function lookFromFarAway(page: Page): Promise<void> {
  // It is known to be far away before there is a canvas: each card is taken in once, as one that isn't seen.
  expect(await cardsMade(page)).toBe(0)
  expect(await cardsTaken(page)).toBe(count)
  await expect(cards(page)).toHaveCount(0)
  await expect(page.getByTestId('far-canvas')).toHaveText(/1000 steps/)

  const at = await page.getByTestId('far-canvas').boundingBox()
  const viewport = page.locator('.react-flow__viewport')
  const { x, y, zoom } = await viewport.evaluate((one: HTMLElement) => {
    const { a, e, f } = new DOMMatrix(one.style.transform)
    return { x: e, y: f, zoom: a }
  })
  const middle = (column: number, row: number) => ({
    x: (at?.x ?? 0) + x + (column * 320 + 120) * zoom,
    y: (at?.y ?? 0) + y + (row * 160 + 32) * zoom,
  })
  const third = middle(2, 1)
  await page.mouse.click(third.x, third.y)
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText('n42')

  const [from, to] = [middle(1, 2), middle(3, 4)]
  await page.keyboard.down('Shift')
  await page.mouse.move(from.x - 40, from.y - 16)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect(page.getByTestId('inspector')).toContainText('9 nodes selected')

  await page.mouse.dblclick(third.x, third.y)
  await expect(card(page, 'n42')).toBeVisible()
  await expect(page.getByTestId('far-canvas')).toHaveCount(0)
  await page.getByTestId('fit-button').click()
  await expect(page.getByTestId('far-canvas')).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
}

test('from far away a large workflow is one picture, and near enough to be read it draws only what it must', async ({
  page,
  server,
  dataDirectory,
}) => {
  await countCards(page)
  await putWorkflow(dataDirectory, 'large.json', large)
  await page.goto(server.url)
  await page.getByText('A thousand steps').first().click()
  await expect(page.getByTestId('far-canvas')).toBeVisible()
  await test.step('from far away nothing is made but a picture; a step of it is pressed, boxed, and gone to', () =>
    lookFromFarAway(page))

  await comeNear(page)
  await test.step('ports are where React Flow was told that they are', async () => {
    const found = await cards(page).evaluateAll((all) =>
      all.map((one) => {
        const viewport = document.querySelector<HTMLElement>('.react-flow__viewport')
        const zoom = new DOMMatrix(viewport?.style.transform).a
        const box = one.getBoundingClientRect()
        const handles = [...one.querySelectorAll<HTMLElement>('.react-flow__handle')].map((handle) => {
          const own = handle.getBoundingClientRect()
          const round = (value: number): number => Math.round(value * 2) / 2
          return [handle.dataset['handleid'], round((own.x - box.x) / zoom), round((own.y - box.y) / zoom)]
        })
        return { id: one.getAttribute('data-id') ?? '', handles }
      }),
    )
    expect(found.length).toBeGreaterThan(3)
    for (const { id, handles } of found) {
      const node = large.nodes[id] as { readonly kind: string; readonly parameters?: object }
      const spec = taskSpecsByKind.get(node.kind) ?? null
      const ports = portsOf(node as never, spec ?? undefined)
      const canBeUndone = handles.some(([port]) => port === '$undo')
      const told = taskHandles({ spec, ports, size: cardSize(ports.length), canBeUndone })
      const sorted = (list: readonly (readonly unknown[])[]) =>
        list.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
      expect(sorted(handles)).toEqual(sorted(told.map((one) => [one.id, one.x, one.y])))
    }
  })

  await test.step('a card that comes into view draws no line anew that is there already', async () => {
    const seen = await page.evaluate(async () => {
      const pane = document.querySelector('.react-flow__pane')
      const lines = document.querySelector('.react-flow__edges')
      if (pane === null || lines === null) throw new Error('There is no canvas.')
      const cards = () =>
        [...document.querySelectorAll('.react-flow__node')].map((one) => one.getAttribute('data-id'))
      const before = new Set(cards())
      const drawn: (string | null)[] = []
      const observer = new MutationObserver((changes) => {
        for (const { target, oldValue } of changes)
          drawn.push(`${oldValue} ${(target as Element).getAttribute('d')}`)
      })
      observer.observe(lines, { subtree: true, attributeFilter: ['d'], attributeOldValue: true })
      for (let step = 0; step < 40; step += 1) {
        const wheel = { deltaX: 14, deltaY: 6, clientX: 500, clientY: 400, bubbles: true, cancelable: true }
        pane.dispatchEvent(new WheelEvent('wheel', wheel))
        await new Promise((settle) => requestAnimationFrame(settle))
      }
      observer.disconnect()
      return { came: cards().filter((id) => !before.has(id)).length, drawn }
    })
    expect(seen.came).toBeGreaterThan(3)
    expect(seen.drawn).toEqual([])
  })

  await test.step('a pan touches neither the cards that stay in view nor the shapes of the map, and the map leads the canvas', async () => {
    const map = page.getByTestId('canvas-map')
    await expect(map.getByRole('img', { name: 'Map of the workflow' })).toBeVisible()
    // A thousand cards, and a shape for each colour of them.
    expect(await map.locator('svg').first().locator('path').count()).toBeLessThan(8)
    const changed = await page.evaluate(async () => {
      const picture = document.querySelector('[data-testid="canvas-map"] svg')
      const mask = document.querySelector<SVGElement>('[data-testid="map-mask"]')
      const pane = document.querySelector('.react-flow__pane')
      const inView = (one: Element): boolean => {
        const { left, top, right, bottom } = one.getBoundingClientRect()
        return left > 300 && top > 300 && right < innerWidth - 300 && bottom < innerHeight - 200
      }
      const staying = [...document.querySelectorAll('.react-flow__node')].filter(inView)
      if (picture === null || mask === null || pane === null) throw new Error('There is no canvas.')
      const before = mask.innerHTML
      const places = new Set<string>()
      const touched: string[] = []
      const observer = new MutationObserver((changes) => {
        for (const { target, attributeName } of changes)
          touched.push(`${target.nodeName} ${attributeName ?? 'content'}`)
      })
      const all = { attributes: true, childList: true, characterData: true, subtree: true }
      for (const one of [...staying, ...picture.children]) observer.observe(one, all)
      for (let step = 0; step < 12; step += 1) {
        const wheel = { deltaX: step % 2 === 0 ? 6 : -4, deltaY: 3, clientX: 500, clientY: 400 }
        pane.dispatchEvent(new WheelEvent('wheel', { ...wheel, bubbles: true, cancelable: true }))
        // The first step may be a jump, for which all is painted; those of a pan move what is painted then. No time passes
        // between them, for on a busy machine the canvas would come to rest.
        if (step > 0) places.add(`${mask.style.transform} ${mask.innerHTML}`)
      }
      for (let frame = 0; frame < 2; frame += 1) await new Promise((settle) => requestAnimationFrame(settle))
      observer.disconnect()
      const painted = new Set([...places].map((place) => place.slice(place.indexOf('<'))))
      return { staying: staying.length, touched, places: places.size, paintings: painted.size, before }
    })
    expect(changed).toMatchObject({ touched: [], places: 11, paintings: 1 })
    expect(changed.staying).toBeGreaterThan(0)
    const mask = map.getByTestId('map-mask')
    await expect(mask).not.toHaveAttribute('style', /translate/)
    expect(await mask.innerHTML()).not.toBe(changed.before)

    const sight = () =>
      page.locator('.react-flow__viewport').evaluate((one: HTMLElement) => {
        const { a, e, f } = new DOMMatrix(one.style.transform)
        return { zoom: a, x: e, y: f }
      })
    const box = await map.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + 40]
    const atFirst = await sight()
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 12, y + 6, { steps: 3 })
    await page.mouse.up()
    await expect.poll(async () => (await sight()).x).toBeLessThan(atFirst.x - 100)
    expect((await sight()).y).toBeLessThan(atFirst.y - 50)
    await page.mouse.wheel(0, -200)
    await expect.poll(async () => (await sight()).zoom).toBeGreaterThan(atFirst.zoom * 1.1)
  })

  await test.step('a hand that comes nearer or goes away paints the map once its sight is another by a quarter, and at rest', async () => {
    const mask = page.getByTestId('map-mask')
    await expect(mask).not.toHaveAttribute('style', /translate/)
    const seen = await page.evaluate(() => {
      const layer = document.querySelector<SVGElement>('[data-testid="map-mask"]')
      const pane = document.querySelector('.react-flow__pane')
      if (layer === null || pane === null) throw new Error('There is no canvas.')
      const [places, painted] = [new Set<string>(), new Set<string>()]
      for (let step = 0; step < 12; step += 1) {
        const wheel = { deltaY: 4, ctrlKey: true, clientX: 500, clientY: 400 }
        pane.dispatchEvent(new WheelEvent('wheel', { ...wheel, bubbles: true, cancelable: true }))
        // The first step may be a jump. No time passes between them, for the canvas would come to rest.
        if (step === 0) continue
        places.add(`${layer.style.transform} ${layer.innerHTML}`)
        painted.add(layer.innerHTML)
      }
      return { places: places.size, paintings: painted.size, last: layer.innerHTML }
    })
    expect(seen).toMatchObject({ places: 11, paintings: 1 })
    await expect(mask).not.toHaveAttribute('style', /translate/)
    expect(await mask.innerHTML()).not.toBe(seen.last)
  })
})
