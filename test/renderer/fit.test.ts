import { describe, expect, test } from 'vitest'
import {
  afterResize,
  beside,
  canFit,
  cornerView,
  fitZoom,
  hasRoomForMap,
  isInView,
  shiftTo,
} from '../../src-renderer/canvas/fit.ts'
import { defaultPanels } from '../../src-renderer/state/panels.ts'
import { isMapShown } from '../../src-renderer/state/view-store.ts'

const frame = { width: 800, height: 600 }

describe('what the canvas shows first', () => {
  test('everything that fits without going below the smallest zoom is fitted', () => {
    expect(canFit({ x: 0, y: 0, width: 2_500, height: 400 }, frame)).toBe(true)
    expect(canFit({ x: 0, y: 0, width: 5_200, height: 400 }, frame)).toBe(false)
    expect(canFit({ x: 0, y: 0, width: 300, height: 3_600 }, frame)).toBe(false)
  })

  test('a dozen steps in a row fit beside both panels of a small window', () => {
    const row = { x: 0, y: 0, width: 2_760, height: 280 }
    expect(canFit(row, { width: 508, height: 350 })).toBe(true)
    expect(canFit(row, { width: 440, height: 350 })).toBe(false)
  })

  test('a larger one is seen from its upper left corner, a row in the middle', () => {
    const wide = { x: -500, y: 100, width: 9_000, height: 200 }
    const view = cornerView(wide, frame)
    expect(view.zoom).toBeGreaterThan(fitZoom.min)
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

describe('cards that come to stand at the edge', () => {
  const row = { x: 100, y: 0, width: 600, height: 64 }
  const room = 316

  test('of a workflow that was seen as a whole all is seen beside them', () => {
    expect(beside(row, { x: 0, y: 100, zoom: 1, ...frame }, room)).toBe('whole')
  })

  test('else the view goes right until its beginning is seen', () => {
    expect(beside({ ...row, width: 3_000 }, { x: -60, y: 100, zoom: 1, ...frame }, room)).toBe(276)
  })

  test('nothing moves where they cover nothing, or a person looks at something further on', () => {
    expect(beside(row, { x: 300, y: 100, zoom: 1, ...frame }, room)).toBe(0)
    expect(beside({ ...row, width: 3_000 }, { x: -900, y: 100, zoom: 1, ...frame }, room)).toBe(0)
  })
})

describe('a card outside of the view', () => {
  const card = { width: 240, height: 64 }

  test('comes in by the shortest way, so that what it comes from stays in sight', () => {
    expect(shiftTo({ x: 608, y: 300, ...card }, frame)).toEqual({ x: -96, y: 0 })
    expect(shiftTo({ x: -100, y: 300, ...card }, frame)).toEqual({ x: 148, y: 0 })
    expect(shiftTo({ x: 300, y: 580, ...card }, frame)).toEqual({ x: 0, y: -120 })
    expect(shiftTo({ x: 300, y: -64, ...card }, frame)).toEqual({ x: 0, y: 104 })
  })

  test('comes to the middle from far away', () => {
    expect(shiftTo({ x: 2_000, y: 300, ...card }, frame)).toEqual({ x: -1_720, y: -32 })
  })

  test('begins in sight where it is larger than the view', () => {
    expect(shiftTo({ x: 300, y: 100, width: 900, height: 64 }, frame)).toEqual({ x: -252, y: 0 })
  })
})

describe('when the canvas has another size', () => {
  const before = { left: 240, top: 80, bottom: 700, width: 800 }

  test('a line that comes above it moves no card', () => {
    expect(afterResize(before, { ...before, top: 121 }, true)).toBe(41)
    expect(afterResize({ ...before, top: 121 }, before, false)).toBe(-41)
    expect(afterResize(before, { ...before }, true)).toBe(0)
  })

  test('what was fitted is fitted into the room that a panel leaves', () => {
    expect(afterResize(before, { ...before, bottom: 460 }, true)).toBe('again')
    expect(afterResize(before, { ...before, width: 500 }, true)).toBe('again')
    expect(afterResize(before, { ...before, top: 121, bottom: 460 }, true)).toBe('again')
  })

  test('a view that a person chose stays', () => {
    expect(afterResize(before, { ...before, bottom: 460, width: 500 }, false)).toBe(0)
    expect(afterResize(before, { ...before, top: 121, bottom: 460 }, false)).toBe(41)
  })
})

describe('the map', () => {
  test('leaves a small canvas to the cards', () => {
    expect(hasRoomForMap({ width: 686, height: 600 })).toBe(true)
    expect(hasRoomForMap({ width: 599, height: 600 })).toBe(false)
    // Above the bottom panel of a small window it would lie on what was just added.
    expect(hasRoomForMap({ width: 686, height: 330 })).toBe(false)
  })

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
