/** A long run that is over: how long it takes until its timeline is there, and how heavy it is to go through it. */

import type { Page } from '@playwright/test'
import { openRun } from './designer-page.ts'
import { openPage, worked } from './pages.ts'
import type { Bench } from './rounds.ts'

export interface History {
  readonly events: number
  /** From the wish for the timeline until it is seen, until all events are there, and until all of them are drawn. */
  readonly firstMs: number
  readonly timelineMs: number
  readonly drawnMs: number
  /** The main thread's work until all are drawn. */
  readonly timelineTaskMs: number
  /** The main thread's work for one jump of the playhead; the mean, and the longest one. */
  readonly scrubTaskMs: number
  readonly scrubMaxMs: number
  /** The longest task while the timeline came, and while the playhead jumped; time that passed, 0 for none over 50 ms. */
  readonly longestMs: { readonly timeline: number; readonly scrub: number }
}

/** Has the page note its long tasks; gives the longest one since it was asked last. */
async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const found = { longest: 0 }
    Object.assign(globalThis, { benchTasks: found })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.longest = Math.max(found.longest, duration)
    }).observe({ type: 'longtask' })
  })
  return () =>
    page.evaluate(() => {
      const found = (globalThis as unknown as { readonly benchTasks: { longest: number } }).benchTasks
      const { longest } = found
      found.longest = 0
      return longest
    })
}

/** By the page's own hand, until two frames are drawn: to look for the slider is no part of a jump. */
function jumpTo(page: Page, place: number): Promise<void> {
  return page.evaluate((to) => {
    const playhead = document.querySelector<HTMLInputElement>('[data-testid="playhead"]')
    if (playhead === null) throw new Error('There is no playhead.')
    // React takes a value that it was told by its own setter for no change.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(playhead, String(to))
    playhead.dispatchEvent(new Event('input', { bubbles: true }))
    return new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(() => settle())))
  }, place)
}

export async function measureHistory(bench: Bench): Promise<History> {
  const { runId } = await bench.host.run(bench.nodes, bench.events)
  const measured = await openPage(bench.browser)
  const { page } = measured
  await openRun(measured, { url: bench.host.designer, runId })
  const longest = await watchTasks(page)
  const before = await worked(measured)
  const began = performance.now()
  await page.keyboard.press('F9')
  await page.waitForFunction(
    () => document.querySelector('[data-testid="timeline-rows"] [data-phase]') !== null,
  )
  const firstMs = performance.now() - began
  await page.waitForFunction((wanted) => {
    const playhead = document.querySelector<HTMLInputElement>('[data-testid="playhead"]')
    return Number(playhead?.max ?? 0) >= wanted
  }, bench.events)
  const timelineMs = performance.now() - began
  await page.waitForFunction(() => document.querySelector('[data-reading]') === null)
  const drawnMs = performance.now() - began
  const timelineTaskMs = ((await worked(measured)) - before) * 1_000
  const timelineLongestMs = await longest()
  let total = 0
  let scrubMaxMs = 0
  const { jumps } = bench
  for (let jump = 1; jump <= jumps; jump += 1) {
    const at = await worked(measured)
    const place = Math.round((bench.events * ((jump * 17) % jumps)) / jumps)
    await jumpTo(page, place)
    const took = ((await worked(measured)) - at) * 1_000
    total += took
    scrubMaxMs = Math.max(scrubMaxMs, took)
  }
  const longestMs = { timeline: timelineLongestMs, scrub: await longest() }
  await measured.close()
  const scrubTaskMs = total / jumps
  const timeline = { firstMs, timelineMs, drawnMs, timelineTaskMs }
  return { events: bench.events, ...timeline, scrubTaskMs, scrubMaxMs, longestMs }
}
