/** A long run that is over: how long it takes until its timeline is there, and how heavy it is to go through it. */

import { openRun } from './designer-page.ts'
import { openPage, worked } from './pages.ts'
import type { Bench } from './rounds.ts'

export interface History {
  readonly events: number
  /** From the wish for the timeline until all events are there. */
  readonly timelineMs: number
  readonly timelineTaskMs: number
  /** The main thread's work for one jump of the playhead; the mean, and the longest one. */
  readonly scrubTaskMs: number
  readonly scrubMaxMs: number
}

const jumps = 40

export async function measureHistory(bench: Bench): Promise<History> {
  const { runId } = await bench.host.run(bench.nodes, bench.events)
  const measured = await openPage(bench.browser)
  const { page } = measured
  await openRun(measured, { url: bench.host.designer, runId })
  const before = await worked(measured)
  const began = performance.now()
  await page.keyboard.press('F9')
  await page.waitForFunction((wanted) => {
    const playhead = document.querySelector<HTMLInputElement>('[data-testid="playhead"]')
    return Number(playhead?.max ?? 0) >= wanted
  }, bench.events)
  const timelineMs = performance.now() - began
  const timelineTaskMs = ((await worked(measured)) - before) * 1_000
  let total = 0
  let scrubMaxMs = 0
  for (let jump = 1; jump <= jumps; jump += 1) {
    const at = await worked(measured)
    const place = Math.round((bench.events * ((jump * 17) % jumps)) / jumps)
    await page.getByTestId('playhead').fill(String(place))
    await page.evaluate(
      () => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle))),
    )
    const took = ((await worked(measured)) - at) * 1_000
    total += took
    scrubMaxMs = Math.max(scrubMaxMs, took)
  }
  await measured.close()
  return { events: bench.events, timelineMs, timelineTaskMs, scrubTaskMs: total / jumps, scrubMaxMs }
}
