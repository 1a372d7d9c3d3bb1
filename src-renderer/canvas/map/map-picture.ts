/**
 * The small map as few shapes: thousands of elements would be drawn anew with every step of a pan. Boxes that others lie
 * in are shapes of their own, in their order; cards of a colour share few. Pure.
 */

import type { Box } from '../fit.ts'

/** What the map draws of a node. */
export interface MapNode {
  readonly color: string
  /** Others may lie in it, or show through it. */
  readonly isBox: boolean
  /** Its shape, as `mapPath` gives it. */
  readonly path: string
}

export interface MapShape {
  readonly color: string
  readonly path: string
  /** Of the cards in it. */
  readonly parts: readonly string[]
}

/** What the map shows, and the part of it that the canvas shows. */
export interface MapSight {
  /** All that the map shows, in its middle. */
  readonly view: Box
  /** What the canvas shows. */
  readonly seen: Box
  /** Of the canvas, for one pixel of the map's own measure. */
  readonly scale: number
}

/** A sight as it is painted. */
export interface MapPainting {
  readonly viewBox: string
  /** Of the mask, which is larger than the map on each side: moved, it still covers it. */
  readonly maskBox: string
  /** What lies outside of the canvas' sight. */
  readonly mask: string
}

/** How something that is painted is moved and stretched, from the upper left corner of the map. */
export interface MapSlide {
  readonly x: number
  readonly y: number
  readonly scale: number
}

const corner = 10
/** The map's own measure; styles make it smaller. */
const size = { width: 200, height: 150 } as const
/** Around all, in pixels of the map. */
const margin = 5

/** As large as the map is shown. */
export const mapShown = { width: 168, height: 104 } as const
/** What is painted is stretched by so much at most while it is moved. */
const stretchMax = 1.25

/** Of one shape: while a card of thousands is dragged, only the shape that it is in is made and drawn anew. */
const cardsOfShape = 250

/** The shapes, what lies below first. Those that are the same as before are the same objects. */
export function mapShapes(nodes: readonly MapNode[], before: readonly MapShape[] = []): readonly MapShape[] {
  const shapes: MapShape[] = []
  let byColor = new Map<string, string[]>()
  const add = (color: string, parts: readonly string[]): void => {
    const known = before[shapes.length]
    const isSame = known?.color === color && sameParts(known.parts, parts)
    shapes.push(isSame ? known : { color, path: parts.join(''), parts })
  }
  const flush = (): void => {
    for (const [color, parts] of byColor) {
      for (let at = 0; at < parts.length; at += cardsOfShape) add(color, parts.slice(at, at + cardsOfShape))
    }
    byColor = new Map()
  }
  for (const { color, isBox, path } of nodes) {
    const known = byColor.get(color)
    if (isBox) {
      flush()
      add(color, [path])
    } else if (known === undefined) byColor.set(color, [path])
    else known.push(path)
  }
  flush()
  return shapes
}

const sameParts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((part, index) => part === right[index])

/** A card's own part of a shape. */
export function mapPath({ x, y, width, height }: Box): string {
  const [rx, ry] = [Math.min(corner, width / 2), Math.min(corner, height / 2)]
  const [across, down] = [width - 2 * rx, height - 2 * ry]
  const arc = (dx: number, dy: number): string => `a${rx},${ry} 0 0 1 ${dx},${dy}`
  return `M${x + rx},${y}h${across}${arc(rx, ry)}v${down}${arc(-rx, ry)}h${-across}${arc(-rx, -ry)}v${-down}${arc(rx, -ry)}z`
}

/** The box around all of them; null for none. */
export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** All of the workflow and of what is seen, in the middle of the map. */
export function mapSight(bounds: Box | null, seen: Box): MapSight {
  const all = boundsOf(bounds === null ? [seen] : [bounds, seen]) ?? seen
  const scale = Math.max(all.width / size.width, all.height / size.height)
  const offset = margin * scale
  const width = scale * size.width + offset * 2
  const height = scale * size.height + offset * 2
  const x = all.x - (width - all.width) / 2
  const y = all.y - (height - all.height) / 2
  return { view: { x, y, width, height }, seen, scale }
}

/** How a sight is painted. */
export function paintingOf({ view, seen }: MapSight): MapPainting {
  const { x, y, width, height } = view
  const around = `M${x - 2 * width},${y - 2 * height}h${5 * width}v${5 * height}h${-5 * width}z`
  const hole = `M${seen.x},${seen.y}h${seen.width}v${seen.height}h${-seen.width}z`
  return {
    viewBox: `${x} ${y} ${width} ${height}`,
    maskBox: `${x - width} ${y - height} ${3 * width} ${3 * height}`,
    mask: around + hole,
  }
}

/**
 * How the shapes and the mask of a painted sight are moved so that they show another one, of whatever size; null where that
 * has to be painted: what is painted would be stretched much, or leave a part of the map bare.
 */
export function slidesTo(
  painted: MapSight,
  now: MapSight,
): { readonly shapes: MapSlide; readonly mask: MapSlide } | null {
  const [from, to] = [placeOf(painted), placeOf(now)]
  const scale = to.scale / from.scale
  // The hole is as large as what is seen.
  const opened = scale * (now.seen.width / painted.seen.width)
  if (!isUsual(scale) || !isUsual(opened) || !isSameShape(painted.seen, now.seen)) return null
  const shapes = { x: to.x - from.x * scale, y: to.y - from.y * scale, scale }
  const mask = {
    x: to.x + now.seen.x * to.scale - (from.x + painted.seen.x * from.scale) * opened,
    y: to.y + now.seen.y * to.scale - (from.y + painted.seen.y * from.scale) * opened,
    scale: opened,
  }
  const covers = (by: number, length: number): boolean =>
    by <= length * opened && by + 2 * length * opened >= length
  return covers(mask.x, mapShown.width) && covers(mask.y, mapShown.height) ? { shapes, mask } : null
}

const isUsual = (stretch: number): boolean => stretch <= stretchMax && stretch >= 1 / stretchMax

/** Another shape of the window leaves no way to stretch the hole. */
const isSameShape = (left: Box, right: Box): boolean =>
  Math.abs((left.width * right.height) / (left.height * right.width) - 1) < 1e-6

/** Where the canvas' own zero lies on the shown map, and how large a pixel of the canvas is there. */
function placeOf({ view }: MapSight): MapSlide {
  const scale = Math.min(mapShown.width / view.width, mapShown.height / view.height)
  return {
    x: (mapShown.width - view.width * scale) / 2 - view.x * scale,
    y: (mapShown.height - view.height * scale) / 2 - view.y * scale,
    scale,
  }
}

/** How far the canvas goes for one pixel that a hand moves on the map. */
export const mapStride = (scale: number, zoom: number): number => scale * Math.max(zoom, Math.log(zoom))

/** The zoom after a turn of the wheel over the map. */
export function wheelZoom(
  zoom: number,
  { deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>,
): number {
  const step = deltaMode === 1 ? 0.05 : deltaMode === 0 ? 0.002 : 1
  return zoom * 2 ** (-deltaY * step)
}
