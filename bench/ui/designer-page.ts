/** What the bench asks of the designer's page. */

import type { Page } from '@playwright/test'
import type { Measured } from './pages.ts'
import { linkTo } from './pages.ts'

/** Opens the designer on a run by its link; gives how long it took until it was drawn. */
export async function openRun(
  { page }: Measured,
  place: { readonly url: string; readonly runId: string },
): Promise<number> {
  await page.goto(place.url)
  await page.getByTestId('new-workflow').waitFor()
  const began = performance.now()
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    new URL(linkTo(place.url, place.runId)).hash,
  )
  await drawn(page)
  return performance.now() - began
}

/** Until the first steps are on the canvas, and a frame came after. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelectorAll('.react-flow__node').length > 3 ||
      document.querySelector('[data-testid="far-canvas"]') !== null,
    null,
    { polling: 'raf' },
  )
  await page.evaluate(
    () => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle))),
  )
}

interface Runs {
  readonly getState: () => {
    readonly current: {
      readonly live: {
        readonly nodes: ReadonlyMap<
          string,
          { readonly invocation: { readonly status: string; readonly attempt: number } | null }
        >
      }
    } | null
  }
}

/** What the page knows of every step of the run that it shows, read out of React's tree: the app has no door for that. */
function shownStates(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(() => {
    interface Fiber {
      readonly memoizedProps: { readonly value?: { readonly runs?: Runs } } | null
      readonly child: Fiber | null
      readonly sibling: Fiber | null
    }
    const element = document.querySelector('#root')
    const key = Object.keys(element ?? {}).find((name) => name.startsWith('__reactContainer$')) ?? ''
    const queue: (Fiber | null | undefined)[] = [(element as unknown as Record<string, Fiber> | null)?.[key]]
    for (const fiber of queue) {
      if (fiber === null || fiber === undefined) continue
      const state = fiber.memoizedProps?.value?.runs?.getState()
      if (state !== undefined) {
        const found = [...(state.current?.live.nodes ?? [])]
        return Object.fromEntries(
          found.map(([id, { invocation }]) => [id, `${invocation?.status} ${invocation?.attempt}`]),
        )
      }
      queue.push(fiber.child, fiber.sibling)
    }
    throw new Error('The page has no designer.')
  })
}

/** How many steps are not shown as they are, once the page had time to hear of the last change. */
export async function missed(page: Page, final: Readonly<Record<string, string>>): Promise<number> {
  let count = 0
  for (let look = 0; look < 100; look += 1) {
    const shown = await shownStates(page)
    count = Object.entries(final).filter(([id, state]) => shown[id] !== state).length
    if (count === 0) return 0
    await page.waitForTimeout(50)
  }
  return count
}

/** Goes out until all of the workflow is seen. */
export const zoomOut = (measured: Measured, zoom: number): Promise<void> => wheelTo(measured, zoom)

/** Comes near, at the upper left corner. */
export async function zoomTo(measured: Measured, zoom: number): Promise<void> {
  await wheelTo(measured, zoom)
  await drawn(measured.page)
}

/** In few frames: each draws what is in sight anew, and nothing of the way is measured. */
function wheelTo({ page }: Measured, zoom: number): Promise<void> {
  return page.evaluate(async (wanted) => {
    const pane = document.querySelector('.react-flow__pane')
    const viewport = document.querySelector<HTMLElement>('.react-flow__viewport')
    if (pane === null || viewport === null) throw new Error('There is no canvas.')
    const box = pane.getBoundingClientRect()
    // As d3-zoom takes a pinch: so much of a turn doubles, on a Mac ten times as soon.
    const doubling = navigator.userAgent.includes('Mac') ? 50 : 500
    const most = doubling / 4
    const isNear = (left: number): boolean => Math.abs(left) < doubling / 100
    for (let turn = 0; turn < 200; turn += 1) {
      const now = new DOMMatrix(viewport.style.transform).a
      const left = doubling * Math.log2(now / wanted)
      if (isNear(left)) return
      const at = { clientX: box.x + 20, clientY: box.y + 20 }
      const deltaY = Math.max(-most, Math.min(most, left))
      const wheel = new WheelEvent('wheel', { deltaY, ctrlKey: true, ...at, bubbles: true, cancelable: true })
      pane.dispatchEvent(wheel)
      await new Promise((settle) => requestAnimationFrame(settle))
    }
    throw new Error(`The canvas never came to a zoom of ${wanted}.`)
  }, zoom)
}
