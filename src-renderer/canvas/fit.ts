/** Which part of the canvas is seen: rules for fitting, as data. Pure. */

import { stateHeight } from './geometry.ts'

/** No card larger than life, none too small to be told from another by its colour and its place. */
export const fitZoom = { min: 0.14, max: 1 } as const
/** Of what is too large to be fitted, as much as can be read. */
const cornerZoom = 0.28

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

/** On a canvas as narrow as this every pixel is for the workflow. */
const narrowBelow = 680

/** Right of what is fitted. */
const rightRoom = (width: number): number => (width < narrowBelow ? 24 : 48)

/** Above it: a line of words about the run may come there. */
const topRoom = 40

/** Below it, for tools and the states of cards. */
const bottomRoom = 76

interface Surroundings {
  readonly hasMap: boolean
  readonly left: number
  readonly width: number
}

/** The room around what is fitted: more of it below beside the map. */
export function fitPadding({ hasMap, left, width }: Surroundings) {
  const bottom = hasMap ? 148 : bottomRoom
  return {
    top: `${topRoom}px`,
    right: `${rightRoom(width)}px`,
    bottom: `${bottom}px`,
    left: `${left}px`,
  } as const
}

/** Where the canvas stands in the window. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly bottom: number
  readonly width: number
}

/**
 * What becomes of the view when the canvas has another size. A line that comes above it, or goes, pushes nothing: the
 * cards stay where they are in the window, and the pixels by which the view is moved up are the answer. Everything else
 * is `again` while no person chose the view, for what is seen has changed.
 */
export function afterResize(before: Place, now: Place, isPlaced: boolean): 'again' | number {
  const isElsewhere = before.bottom !== now.bottom || before.left !== now.left || before.width !== now.width
  return isPlaced && isElsewhere ? 'again' : now.top - before.top
}

/**
 * What becomes of a person's own view when cards come to stand at the canvas' edge: where they would cover the workflow's
 * beginning it is seen beside them. All of it is seen anew where all of it was seen; else the view goes right, by so many
 * pixels. Whoever looks at something further on has nothing covered that wasn't.
 */
export function beside(bounds: Box, sight: Sight, left: number): 'whole' | number {
  const begins = bounds.x * sight.zoom + sight.x
  if (begins < 0 || begins >= left) return 0
  return isInView(bounds, sight) ? 'whole' : left - begins
}

/** Whether a box is seen, but for a few pixels at its edges. */
export function isInView(box: Box, sight: Sight, slack = 8): boolean {
  const left = box.x * sight.zoom + sight.x
  const top = box.y * sight.zoom + sight.y
  const right = left + box.width * sight.zoom
  const bottom = top + box.height * sight.zoom
  return left >= -slack && top >= -slack && right <= sight.width + slack && bottom <= sight.height + slack
}

/**
 * By how many pixels the view is moved so that a card outside of it is seen: as few as it takes, so that what it comes from
 * stays in sight. One that is far away comes to the middle, with what is around it. `card` is in pixels of the frame.
 */
export function shiftTo(card: Box, { width, height }: Pick<Sight, 'width' | 'height'>) {
  const x = shortest(card.x, card.width, [usualLeft, width - rightRoom(width)])
  const y = shortest(card.y, card.height, [topRoom, height - bottomRoom])
  if (Math.abs(x) <= width / 2 && Math.abs(y) <= height / 2) return { x, y }
  return { x: width / 2 - (card.x + card.width / 2), y: height / 2 - (card.y + card.height / 2) }
}

/** Of one side: its beginning is seen where there isn't room for all of it. */
function shortest(from: number, size: number, [first, last]: readonly [number, number]): number {
  const end = Math.min(0, last - (from + size))
  return from + end < first ? first - from : end
}

/** On a smaller canvas, as beside the code or above a panel, the cards and the tools need the room: it comes when asked for. */
const mapCanvasMin = { width: 600, height: 400 } as const

/** Whether the map may show itself. */
export const hasRoomForMap = ({ width, height }: Pick<Sight, 'width' | 'height'>): boolean =>
  width >= mapCanvasMin.width && height >= mapCanvasMin.height

/** Where a workflow too large to be fitted is seen from: its upper left corner, where titles can be read. */
export function cornerView(bounds: Box, sight: Pick<Sight, 'width' | 'height'>, room = usualLeft) {
  const zoom = cornerZoom
  const left = room - bounds.x * zoom
  const isTall = bounds.height * zoom > sight.height - topRoom - bottomRoom
  const y = isTall ? topRoom - bounds.y * zoom : sight.height / 2 - (bounds.y + bounds.height / 2) * zoom
  return {
    x:
      bounds.width * zoom > sight.width - rightRoom(sight.width) - room
        ? left
        : centred(bounds, sight.width, zoom),
    y,
    zoom,
  }
}

/** Whether everything can be shown without going below the smallest zoom. */
export function canFit(bounds: Box, sight: Pick<Sight, 'width' | 'height'>, room = usualLeft): boolean {
  return (
    bounds.width * fitZoom.min <= sight.width - rightRoom(sight.width) - room &&
    (bounds.height + stateHeight) * fitZoom.min <= sight.height - topRoom - bottomRoom
  )
}

const centred = (bounds: Box, width: number, zoom: number): number =>
  width / 2 - (bounds.x + bounds.width / 2) * zoom
