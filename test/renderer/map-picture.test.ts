/** The small map: few shapes for many cards, in their order, and the sight of the canvas on it. */

import { describe, expect, it } from 'vitest'
import {
  boundsOf,
  mapPath,
  mapShapes,
  mapShown,
  mapSight,
  mapStride,
  paintingOf,
  slidesTo,
  wheelZoom,
} from '../../src-renderer/canvas/map/map-picture.ts'

const cardBox = { x: 0, y: 0, width: 240, height: 64 }
const card = (x: number, color = 'blue', isBox = false) => ({
  ...{ color, isBox, path: mapPath({ ...cardBox, x }) },
})

describe('the shapes of the map', () => {
  it('are few for all cards of a colour, however many there are', () => {
    const shapes = mapShapes(
      Array.from({ length: 2_000 }, (_, at) => card(at * 300, at % 2 ? 'blue' : 'red')),
    )
    expect(shapes.map(({ color }) => color)).toEqual([...Array(4).fill('red'), ...Array(4).fill('blue')])
    expect(shapes.map(({ path }) => path.split('M').length - 1)).toEqual(Array(8).fill(250))
  })

  it('are the same objects but for the one with the card that was moved', () => {
    const cards = Array.from({ length: 2_000 }, (_, at) => card(at * 300))
    const before = mapShapes(cards)
    const after = mapShapes(cards.with(700, card(5)), before)
    expect(after.map((shape, at) => shape === before[at])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((at) => at !== 2),
    )
    expect(after).toEqual(mapShapes(cards.with(700, card(5))))
  })

  it('keep the order of boxes and of what lies in them', () => {
    const shapes = mapShapes([card(0), card(0, 'grey', true), card(20), card(40, 'grey', true), card(60)])
    expect(shapes.map(({ color }) => color)).toEqual(['blue', 'grey', 'blue', 'grey', 'blue'])
  })

  it('go around each card with its corners', () => {
    expect(mapPath({ ...cardBox, x: 5, y: 7 })).toBe(
      'M15,7h220a10,10 0 0 1 10,10v44a10,10 0 0 1 -10,10h-220a10,10 0 0 1 -10,-10v-44a10,10 0 0 1 10,-10z',
    )
    expect(mapPath({ ...cardBox, width: 8, height: 4 })).toContain('a4,2 ')
  })
})

describe('the sight of the map', () => {
  const seen = { x: 0, y: 0, width: 1_600, height: 900 }

  it('is all of the workflow and of what is seen, in its middle', () => {
    const sight = mapSight({ x: -400, y: 0, width: 4_000, height: 600 }, seen)
    expect(sight.scale).toBe(20)
    const painting = paintingOf(sight)
    expect(painting.viewBox).toBe('-500 -1150 4200 3200')
    expect(painting.mask).toContain('M0,0h1600v900h-1600z')
  })

  it('is what is seen where there is nothing', () => {
    expect(mapSight(null, seen)).toEqual(mapSight({ ...seen, width: 10, height: 10 }, seen))
  })

  it('stays the same while what is seen moves inside of the workflow', () => {
    const all = { x: -5_000, y: -5_000, width: 10_000, height: 10_000 }
    expect(mapSight(all, { ...seen, x: 90 }).view).toEqual(mapSight(all, seen).view)
  })
})

describe('a painted map that is moved', () => {
  const all = { x: 0, y: 0, width: 20_000, height: 12_000 }
  const seen = { x: 4_000, y: 3_000, width: 1_600, height: 900 }
  const painted = mapSight(all, seen)
  const at = (x: number, y: number, size = seen) => mapSight(all, { ...size, x, y })

  /** Where a place of the canvas is on the map, as the browser draws a viewBox in its middle. */
  const drawn = ({ view }: ReturnType<typeof mapSight>, x: number, y: number) => {
    const scale = Math.min(mapShown.width / view.width, mapShown.height / view.height)
    return {
      x: (x - view.x - view.width / 2) * scale + mapShown.width / 2,
      y: (y - view.y - view.height / 2) * scale + mapShown.height / 2,
    }
  }

  it.each([
    ['inside of the workflow', at(9_000, 5_000)],
    ['beyond its edge, where the map shows more', at(-2_500, -1_000)],
    ['from nearer', at(4_300, 3_100, { ...seen, width: 1_440, height: 810 })],
    ['from further away, beyond its edge', at(-1_500, 2_000, { ...seen, width: 1_920, height: 1_080 })],
  ])('shows cards and sight where a painted one would, %s', (_where, now) => {
    const slides = slidesTo(painted, now)
    if (slides === null) throw new Error('It would be painted.')
    const { shapes, mask } = slides
    for (const [x, y] of [
      [0, 0],
      [20_000, 12_000],
      [7_000, 100],
    ] as const) {
      const was = drawn(painted, x, y)
      expect(was.x * shapes.scale + shapes.x).toBeCloseTo(drawn(now, x, y).x)
      expect(was.y * shapes.scale + shapes.y).toBeCloseTo(drawn(now, x, y).y)
    }
    for (const [right, down] of [
      [0, 0],
      [1, 1],
    ] as const) {
      const hole = drawn(painted, seen.x + right * seen.width, seen.y + down * seen.height)
      const wanted = drawn(now, now.seen.x + right * now.seen.width, now.seen.y + down * now.seen.height)
      expect(hole.x * mask.scale + mask.x).toBeCloseTo(wanted.x)
      expect(hole.y * mask.scale + mask.y).toBeCloseTo(wanted.y)
    }
  })

  it('leaves its shapes alone while what is seen moves inside of the workflow', () => {
    expect(slidesTo(painted, at(12_000, 8_000))?.shapes).toEqual({ x: 0, y: 0, scale: 1 })
    expect(slidesTo(painted, painted)?.mask).toEqual({ x: 0, y: 0, scale: 1 })
  })

  it('is painted when the window has another shape, when it would be stretched much, and when the mask would leave a part bare', () => {
    expect(slidesTo(painted, at(4_000, 3_000, { ...seen, width: 1_700 }))).toBeNull()
    expect(slidesTo(painted, at(4_000, 3_000, { ...seen, width: 2_400, height: 1_350 }))).toBeNull()
    expect(slidesTo(painted, at(-9_000, 3_000))).toBeNull()
    const tall = (y: number) => mapSight({ ...all, height: 15_000 }, { ...seen, y })
    expect(slidesTo(tall(0), tall(15_000))).not.toBeNull()
    expect(slidesTo(tall(0), tall(17_000))).toBeNull()
  })

  it('has a mask that reaches as far as the map on each side', () => {
    expect(paintingOf(painted).maskBox).toBe(
      `${painted.view.x - painted.view.width} ${painted.view.y - painted.view.height} ${
        3 * painted.view.width
      } ${3 * painted.view.height}`,
    )
  })
})

it('the box around boxes holds all of them', () => {
  expect(boundsOf([])).toBeNull()
  expect(
    boundsOf([
      { ...cardBox, x: -20 },
      { ...cardBox, x: 300, y: 900 },
    ]),
  ).toEqual({ x: -20, y: 0, width: 560, height: 964 })
})

it('a hand on the map goes over the canvas as far as it goes over the map, at least', () => {
  expect(mapStride(20, 1)).toBe(20)
  expect(mapStride(20, 0.5)).toBe(10)
})

it('a wheel over the map zooms in and out by the same', () => {
  const closer = wheelZoom(1, { deltaY: -100, deltaMode: 0 })
  expect(closer).toBeGreaterThan(1)
  expect(wheelZoom(closer, { deltaY: 100, deltaMode: 0 })).toBeCloseTo(1)
  expect(wheelZoom(1, { deltaY: 3, deltaMode: 1 })).toBeLessThan(1)
})
