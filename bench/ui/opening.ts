/** How much work it is to open a workflow, and to edit it once it is open. */

import { drawn, zoomTo } from './designer-page.ts'
import type { Measured } from './pages.ts'
import { openPage, worked } from './pages.ts'
import type { Bench } from './rounds.ts'

export interface Opening {
  readonly nodes: number
  /** From the press on its name to a canvas that answers. */
  readonly openMs: number
  /** What of that the main thread worked. */
  readonly openTaskMs: number
  /** The main thread's work for one move of a dragged card, for an undo, and for a new edge, until two frames later. */
  readonly dragTaskMs: number
  readonly undoTaskMs: number
  readonly connectTaskMs: number
  /** What of it is the press itself. */
  readonly undoPress: Presses
  readonly connectPress: Presses
}

/** The command, the store and React's answer to a press; time that passed, in milliseconds. */
export interface Presses {
  /** Of the first one, whose code was never run in this page. */
  readonly firstMs: number
  /** The middle one of some. */
  readonly usualMs: number
}

export async function measureOpening(bench: Bench): Promise<readonly Opening[]> {
  const found: Opening[] = []
  for (const nodes of bench.opened) {
    const measured = await openPage(bench.browser)
    found.push(await openOne(bench, measured, nodes))
    await measured.close()
  }
  return found
}

async function openOne({ host, presses }: Bench, measured: Measured, nodes: number): Promise<Opening> {
  const { page } = measured
  await page.goto(host.designer)
  const name = page.getByText(`Bench of ${nodes}`, { exact: true }).first()
  await name.waitFor()
  const before = await worked(measured)
  const openMs = await name.evaluate(async (entry: HTMLElement) => {
    const began = performance.now()
    entry.click()
    const isDrawn = (): boolean =>
      document.querySelector('.react-flow__node, [data-testid="far-canvas"]') !== null
    while (!isDrawn()) await new Promise((settle) => requestAnimationFrame(settle))
    await new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)))
    return performance.now() - began
  })
  const openTaskMs = ((await worked(measured)) - before) * 1_000
  await zoomTo(measured, 1)
  return { nodes, openMs, openTaskMs, ...(await edit(measured, presses)) }
}

const dragSteps = 12

async function edit(measured: Measured, presses: number) {
  const { page } = measured
  const card = page.locator('.react-flow__node').nth(3)
  const box = await card.boundingBox()
  if (box === null) throw new Error('There is no card to drag.')
  const [x, y] = [box.x + 120, box.y + 20]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 10, y + 10)
  const dragTaskMs = await taskOf(measured, async () => {
    for (let step = 1; step <= dragSteps; step += 1)
      await page.mouse.move(x + 10 + step * 4, y + 10 + step * 3)
  })
  await page.mouse.up()
  await drawn(page)
  const undo = await repeated(measured, {
    presses,
    before: async (round) => {
      if (round > 0) await page.evaluate(pressed, redoButton)
    },
    press: undoButton,
    after: () => Promise.resolve(),
  })
  const connect = await repeated(measured, {
    presses,
    before: () => hold(measured),
    press: null,
    after: async () => {
      await page.mouse.up()
      await page.evaluate(pressed, undoButton)
    },
  })
  return {
    dragTaskMs: dragTaskMs / dragSteps,
    ...{ undoTaskMs: undo.taskMs, undoPress: undo.presses },
    ...{ connectTaskMs: connect.taskMs, connectPress: connect.presses },
  }
}

const undoButton = '[data-testid="undo-button"]'
const redoButton = '[data-testid="redo-button"]'
/** A press some times over, each after the other was taken back; the main thread's work is that of the first one. */
async function repeated(
  measured: Measured,
  turn: {
    readonly presses: number
    readonly before: (round: number) => Promise<void>
    readonly press: string | null
    readonly after: () => Promise<void>
  },
): Promise<{ readonly taskMs: number; readonly presses: Presses }> {
  const tasks: number[] = []
  const handlers: number[] = []
  for (let round = 0; round < turn.presses; round += 1) {
    await turn.before(round)
    const press = async (): Promise<void> => {
      handlers.push(await measured.page.evaluate(pressed, turn.press))
    }
    tasks.push(await taskOf(measured, press))
    await turn.after()
    await drawn(measured.page)
  }
  const [taskMs = 0] = tasks
  const [firstMs = 0] = handlers
  const usualMs = handlers.toSorted((one, other) => one - other)[Math.floor(turn.presses / 2)] ?? 0
  return { taskMs, presses: { firstMs, usualMs } }
}

/**
 * Run in the page: presses an element, or lets go of the wire in the hand, and waits for two frames. The hand of the bench
 * would look for the element, come to it and be sure of it first, which is several times the work of what is measured.
 */
async function pressed(selector: string | null): Promise<number> {
  const began = performance.now()
  if (selector === null) document.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }))
  else document.querySelector<HTMLElement>(selector)?.click()
  // React answers a press before anything else is begun.
  await Promise.resolve()
  const handlerMs = performance.now() - began
  await new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)))
  return handlerMs
}

/** A wire from a way out of one card, held over the way in of another that it doesn't lead to yet. */
async function hold({ page }: Measured): Promise<void> {
  const { from, to } = await page.evaluate(freePorts)
  if (from === undefined || to === undefined) throw new Error('There are no ports to connect.')
  await page.mouse.move(from.x + 4, from.y + 4)
  await page.mouse.down()
  await page.mouse.move(to.x + 4, to.y + 4, { steps: 2 })
  // On a busy machine the hand is quicker than the page: with no wire in it, nothing would be measured.
  await page.locator('.react-flow__connection.valid').waitFor({ state: 'attached' })
}

async function taskOf(measured: Measured, act: () => Promise<void>): Promise<number> {
  const before = await worked(measured)
  await act()
  return ((await worked(measured)) - before) * 1_000
}

/** Run in the page: a way out that nothing lies over, and a way in some rows and columns from it. */
function freePorts() {
  const free = (selector: string) =>
    [...document.querySelectorAll(selector)].flatMap((port) => {
      const { x, y, width, height } = port.getBoundingClientRect()
      return document.elementFromPoint(x + width / 2, y + height / 2) === port ? { x, y } : []
    })
  const [from] = free('.react-flow__handle.source[data-handleid="out"]').toSorted((a, b) => a.y - b.y)
  const to = free('.react-flow__handle.target').find(
    ({ x, y }) => from !== undefined && y > from.y + 100 && x > from.x + 200,
  )
  return { from, to }
}
