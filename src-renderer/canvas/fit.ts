/** Which part of the canvas is seen: rules for fitting, as data. Pure. */

import { stateHeight } from './geometry.ts'

/** No card larger than life, none too small to be told from another. */
export const fitZoom = { min: 0.28, max: 1 } as const

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What is seen of the canvas: its shift and zoom, and the frame in pixels. */
export interface Sight {
  readonly x: number
  readonly y: number
  readonly zoom: number
  readonly width: number
  readonly height: number
}

/** Left of what is fitted, while nothing stands at the canvas' edge. */
const usualLeft = 48

/** The room around what is fitted: under it for tools and the states of cards, more beside the map. */
export function fitPadding(hasMap: boolean, left = usualLeft) {
  const bottom = hasMap ? 148 : 76
  return { top: '40px', right: '48px', bottom: `${bottom}px`, left: `${left}px` } as const
}

/** Whether a box is seen, but for a few pixels at its edges. */
export function isInView(box: Box, sight: Sight, slack = 8): boolean {
  const left = box.x * sight.zoom + sight.x
  const top = box.y * sight.zoom + sight.y
  const right = left + box.width * sight.zoom
  const bottom = top + box.height * sight.zoom
  return left >= -slack && top >= -slack && right <= sight.width + slack && bottom <= sight.height + slack
}

/** Where a workflow too large to be fitted is seen from: its upper left corner, at the smallest zoom. */
export function cornerView(bounds: Box, sight: Pick<Sight, 'width' | 'height'>, room = usualLeft) {
  const zoom = fitZoom.min
  const left = room - bounds.x * zoom
  const isTall = bounds.height * zoom > sight.height - 116
  const y = isTall ? 40 - bounds.y * zoom : sight.height / 2 - (bounds.y + bounds.height / 2) * zoom
  return {
    x: bounds.width * zoom > sight.width - 48 - room ? left : centred(bounds, sight.width, zoom),
    y,
    zoom,
  }
}

/** Whether everything can be shown without going below the smallest zoom. */
export function canFit(bounds: Box, sight: Pick<Sight, 'width' | 'height'>, room = usualLeft): boolean {
  return (
    bounds.width * fitZoom.min <= sight.width - 48 - room &&
    (bounds.height + stateHeight) * fitZoom.min <= sight.height - 116
  )
}

const centred = (bounds: Box, width: number, zoom: number): number =>
  width / 2 - (bounds.x + bounds.width / 2) * zoom
