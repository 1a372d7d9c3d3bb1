import { describe, expect, test } from 'vitest'
import { canFit, cornerView, fitZoom, isInView } from '../../src-renderer/canvas/fit.ts'
import { defaultPanels } from '../../src-renderer/state/panels.ts'
import { isMapShown } from '../../src-renderer/state/view-store.ts'

const frame = { width: 800, height: 600 }

describe('what the canvas shows first', () => {
  test('everything that fits without going below the smallest zoom is fitted', () => {
    expect(canFit({ x: 0, y: 0, width: 2_500, height: 400 }, frame)).toBe(true)
    expect(canFit({ x: 0, y: 0, width: 2_600, height: 400 }, frame)).toBe(false)
    expect(canFit({ x: 0, y: 0, width: 300, height: 1_800 }, frame)).toBe(false)
  })

  test('a larger one is seen from its upper left corner, a row in the middle', () => {
    const wide = { x: -500, y: 100, width: 9_000, height: 200 }
    const view = cornerView(wide, frame)
    expect(view.zoom).toBe(fitZoom.min)
    expect(wide.x * view.zoom + view.x).toBeCloseTo(48)
    expect((wide.y + wide.height / 2) * view.zoom + view.y).toBeCloseTo(frame.height / 2)
    const tall = { x: 0, y: -70, width: 200, height: 9_000 }
    const high = cornerView(tall, frame)
    expect(tall.y * high.zoom + high.y).toBeCloseTo(40)
    expect((tall.x + tall.width / 2) * high.zoom + high.x).toBeCloseTo(frame.width / 2)
  })

  test('a card is in view with all of itself', () => {
    const sight = { x: 0, y: 0, zoom: 0.5, ...frame }
    expect(isInView({ x: 0, y: 0, width: 240, height: 64 }, sight)).toBe(true)
    expect(isInView({ x: 1_500, y: 0, width: 240, height: 64 }, sight)).toBe(false)
    expect(isInView({ x: 0, y: -100, width: 240, height: 64 }, sight)).toBe(false)
  })
})

describe('the map', () => {
  test('shows itself while it is useful, unless the person decided', () => {
    const view = (map: 'auto' | 'shown' | 'hidden', isMapUseful: boolean) => ({
      panels: { ...defaultPanels, map },
      isMapUseful,
    })
    expect(isMapShown(view('auto', true))).toBe(true)
    expect(isMapShown(view('auto', false))).toBe(false)
    expect(isMapShown(view('shown', false))).toBe(true)
    expect(isMapShown(view('hidden', true))).toBe(false)
  })
})
