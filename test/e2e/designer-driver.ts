/**
 * What a person does in the designer, for every shell: drag, connect, write into fields, run, look. Specs say
 * what should happen; how it is done on the page is known here.
 */

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { handedOver } from './handed-over.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** One end of a wire. */
export interface PortEnd {
  readonly node: string
  /** `out` unless the node has several ways out. */
  readonly port?: string
}

export const cards = (page: Page): Locator => page.locator('.react-flow__node')
export const card = (page: Page, node: string): Locator => page.getByTestId(`node-${node}`)
export const edges = (page: Page): Locator => page.locator('.react-flow__edge')
export const pane = (page: Page): Locator => page.locator('.react-flow__pane')
export const runState = (page: Page): Locator => page.getByTestId('run-state')

const port = (page: Page, { node, port: id = 'out' }: PortEnd, type: 'source' | 'target'): Locator =>
  page.locator(`.react-flow__handle.${type}[data-nodeid="${node}"][data-handleid="${id}"]`)

/** Drags a kind from the palette to a place on the canvas; gives the id of the new node. */
export async function dragTask(page: Page, kind: string, at: Point): Promise<string> {
  const before = await nodeIds(page)
  await page.getByTestId(`palette-item-${kind}`).dragTo(page.getByTestId('canvas'), { targetPosition: at })
  // One card more says nothing: another one may be out of sight by then, and isn't drawn.
  let added: string | undefined
  await expect
    .poll(async () => (added = (await nodeIds(page)).find((id) => !before.includes(id))))
    .toBeDefined()
  return added ?? ''
}

/** The ids of the nodes on the canvas. */
export const nodeIds = (page: Page): Promise<readonly string[]> =>
  cards(page).evaluateAll((found) => found.map((one) => one.getAttribute('data-id') ?? ''))

/** Draws a wire with the mouse. */
export async function connect(page: Page, from: PortEnd, to: string): Promise<void> {
  const count = await edges(page).count()
  await dragWire(page, from, await middleOf(port(page, { node: to, port: 'in' }, 'target')))
  await expect(edges(page)).toHaveCount(count + 1)
}

/** Draws a wire from a port and lets go at a place of the window. */
export async function dragWire(page: Page, from: PortEnd, to: Point): Promise<void> {
  const start = await middleOf(port(page, from, 'source'))
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

/** Where a node is drawn, in the canvas's own units. */
export const placeOf = (page: Page, node: string): Promise<Point> =>
  page.locator(`.react-flow__node[data-id="${node}"]`).evaluate((element) => {
    const { m41, m42 } = new DOMMatrix(getComputedStyle(element).transform)
    return { x: Math.round(m41), y: Math.round(m42) }
  })

/** The middle of an element that moves no more, in pixels of the window. */
export async function middleOf(element: Locator): Promise<Point> {
  await element.evaluate(standStill)
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not on the page.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Run in the page: until an element was in the same place for some frames, one after the other. */
async function standStill(element: Element): Promise<void> {
  const placeNow = (): string => JSON.stringify(element.getBoundingClientRect())
  let [place, frames] = [placeNow(), 0]
  while (frames < 4) {
    await new Promise((settle) => requestAnimationFrame(settle))
    const next = placeNow()
    frames = next === place ? frames + 1 : 0
    place = next
  }
}

/** Where an element is once it moves no more: the same at several looks, one after the other. */
export async function restingBox(element: Locator): Promise<object | null> {
  const seen: (object | null)[] = []
  const isStill = async (): Promise<boolean> => {
    seen.push(await element.boundingBox())
    const [last, ...before] = seen.slice(-4).map((box) => JSON.stringify(box))
    return before.length === 3 && before.every((box) => box === last)
  }
  await expect.poll(isStill).toBe(true)
  return seen.at(-1) ?? null
}

/** Opens another workflow of the person's own, from the start page. */
export async function openAnother(page: Page, title: string): Promise<void> {
  await page.getByTestId('home-button').click()
  await page.getByRole('region', { name: 'Recent workflows' }).getByRole('button', { name: title }).click()
  // Before that no key means it.
  await expect(page.getByTestId('document-title')).toHaveValue(title)
}

/** Opens a node in the inspector. */
export async function openNode(page: Page, node: string, tab = 'Parameters'): Promise<void> {
  await card(page, node).click()
  await expect(page.getByTestId('inspector').locator('header code')).toHaveText(node)
  const shown = page.getByRole('tab', { name: tab, exact: true })
  if ((await shown.getAttribute('aria-selected')) !== 'true') await shown.click()
}

/** Writes into a field of the open inspector: `parameters.message`, `retry.maxAttempts`. */
export async function typeInto(page: Page, field: string, text: string): Promise<void> {
  const row = page.getByTestId(`field-${field}`)
  const control = row.locator('.cm-content, textarea, input, select').first()
  await expect(control).toBeVisible()
  switch (await control.evaluate((element) => element.localName)) {
    case 'select':
      await control.selectOption(text)
      break
    case 'div':
      await control.click()
      await page.keyboard.press('ControlOrMeta+a')
      // Written over, coloured text would be given an inline style by Chromium, which the policy refuses.
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(text)
      break
    default:
      await control.fill(text)
  }
}

/** Opens a folded group of the inspector's form. */
export async function unfold(page: Page, title: string): Promise<void> {
  const group = page.getByTestId('inspector').getByRole('button', { name: title })
  if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
}

/** Waits until validation has looked at the last edit and found nothing. */
export async function expectNoProblems(page: Page): Promise<void> {
  await expect(page.getByTestId('problems-button')).toHaveText('No problems')
}

/** Presses Run and waits until the run is shown that this began: until then the one before is, with its end. */
export async function startRun(page: Page): Promise<void> {
  const button = page.getByTestId('run-button')
  await expect(button).toBeEnabled()
  const shown = await runState(page).evaluateAll((found) => found.map((one) => one.dataset['runId']))
  await button.click()
  await expect(runState(page)).toHaveAttribute('data-run-id', new RegExp(`^(?!${shown[0] ?? '-'}$)run_`))
}

/** Presses Run and waits for the end of the run. */
export async function runAndWait(page: Page, status: string): Promise<void> {
  await startRun(page)
  await expect(runState(page)).toHaveAttribute('data-status', status)
}

/**
 * Presses a button of the title bar until it has nothing left to do; gives the number of presses. By its key: a click looks
 * at the page for some frames, a tenth of a second each time.
 */
export async function pressUntilDone(page: Page, button: 'undo-button' | 'redo-button'): Promise<number> {
  const found = page.getByTestId(button)
  let presses = 0
  // Bounded: no spec makes as many edits.
  while (presses < 500 && (await found.isEnabled())) {
    await found.press('Enter')
    presses += 1
  }
  await expect(found).toBeDisabled()
  return presses
}

/** The open document as a person gets it: exported as a file. Keys are sorted, so equal means identical. */
export async function documentOf(page: Page): Promise<string> {
  const { content } = await handedOver(page, async () => {
    await page.getByTestId('export-button').click()
    // By its key, for it is asked for often: a press is a fifth of a click.
    await page.getByTestId('menu-file.export').press('Enter')
  })
  return content.toString('utf8')
}

interface Recorder {
  readonly seen: Map<string, string[]>
}

/** From now on every word that a card says about its run is kept, however short it is there. */
export async function recordStates(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Map<string, string[]>()
    const look = (): void => {
      for (const found of document.querySelectorAll<HTMLElement>('[data-testid^="node-"]')) {
        const word = found.querySelector('[data-tone] > span')?.textContent ?? null
        const node = found.dataset['testid']?.slice('node-'.length) ?? ''
        if (word === null) continue
        const words = seen.get(node) ?? []
        if (words.at(-1) !== word) words.push(word)
        seen.set(node, words)
      }
    }
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    Object.assign(window, { stateRecorder: { seen } satisfies Recorder })
  })
}

/** The words that a card has said since `recordStates`, in order. */
export const recordedStates = (page: Page, node: string): Promise<readonly string[]> =>
  page.evaluate(
    (id) => (window as unknown as { readonly stateRecorder: Recorder }).stateRecorder.seen.get(id) ?? [],
    node,
  )

/** Drags a file from the machine over the window and lets go of it there: in its middle where nothing else is said. */
export async function dropFile(
  page: Page,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
  at?: Point,
): Promise<void> {
  const path = join(await mkdtemp(join(tmpdir(), 'sagasmith-drop-')), name)
  await writeFile(path, bytes)
  const place = at ?? (await page.evaluate(() => ({ x: innerWidth / 2, y: innerHeight / 2 })))
  // What the browser itself is told of a drag that comes from outside: its page sees real events, in its own order.
  const line = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  // A browser lets go only where the page has said that it takes what hovers, and a busy page says so late.
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const) {
    await line.send('Input.dispatchDragEvent', { type, ...place, data })
    await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve)))
  }
  await line.detach()
}
