/** What a hand does on both canvases alike, frame by frame, and how long the frames took. */

import type { Measured } from './pages.ts'
import { worked } from './pages.ts'

export interface Frames {
  readonly fps: number
  readonly p50: number
  readonly p95: number
  /** Of a hundred. */
  readonly slow: number
  /** Milliseconds that the main thread worked per frame. */
  readonly taskMs: number
  /** Share of the time that passed in which the main thread worked. */
  readonly busy: number
  readonly longTasks: number
}

export type Gesture = 'still' | 'pan' | 'zoom'

/** A frame that took longer was seen to be late. */
const slowMs = 20

/** Does it for so many frames. */
export async function gesture(measured: Measured, kind: Gesture, frames: number): Promise<Frames> {
  const before = await worked(measured)
  const { spans, longTasks } = await measured.page.evaluate(inPage, { kind, frames })
  const after = await worked(measured)
  const sorted = spans.toSorted((left, right) => left - right)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const passed = spans.reduce((sum, span) => sum + span, 0)
  return {
    fps: (spans.length * 1_000) / passed,
    p50: at(0.5),
    p95: at(0.95),
    slow: (100 * spans.filter((span) => span > slowMs).length) / spans.length,
    taskMs: ((after - before) * 1_000) / spans.length,
    busy: ((after - before) * 1_000) / passed,
    longTasks,
  }
}

/** Run in the page: a wheel per frame, as a trackpad gives it. */
async function inPage({ kind, frames }: { readonly kind: Gesture; readonly frames: number }) {
  const pane = document.querySelector('.react-flow__pane')
  if (pane === null) throw new Error('There is no canvas.')
  const box = pane.getBoundingClientRect()
  const clientX = box.x + box.width / 2
  const clientY = box.y + box.height / 2
  let longTasks = 0
  const observer = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length
  })
  observer.observe({ entryTypes: ['longtask'] })
  const frame = (): Promise<number> => new Promise((settle) => requestAnimationFrame(settle))
  const spans: number[] = []
  let last = await frame()
  for (let at = 0; at < frames; at += 1) {
    const there = Math.floor(at / 60) % 2 === 0 ? 1 : -1
    const wheel =
      kind === 'pan' ? { deltaX: 14 * there, deltaY: 6 * there } : { deltaY: 4 * there, ctrlKey: true }
    if (kind !== 'still')
      pane.dispatchEvent(
        new WheelEvent('wheel', { ...wheel, clientX, clientY, bubbles: true, cancelable: true }),
      )
    const now = await frame()
    spans.push(now - last)
    last = now
  }
  observer.disconnect()
  return { spans, longTasks }
}
