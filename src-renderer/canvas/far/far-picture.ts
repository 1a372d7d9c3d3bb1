/**
 * A workflow seen from far away, drawn at once: cards with the colour, the pattern and the mark of their state, so that
 * colour is never alone, and lines between them. It draws what it is given; who looks and when is decided elsewhere.
 */

import type { Box } from '../fit.ts'
import { stateHeight } from '../geometry.ts'

export type FarTone = 'neutral' | 'active' | 'good' | 'wait' | 'bad' | 'muted' | 'repair' | 'violet'

/** Where a card is, whatever its run does. */
export interface FarPlace extends Box {
  readonly id: string
  readonly what: 'card' | 'box' | 'note'
  readonly title: string
  readonly isSelected: boolean
}

export interface FarCard extends FarPlace {
  /** Null while no run is shown, or says nothing about it. */
  readonly tone: FarTone | null
  readonly isFound: boolean
}

/** Where a line is. */
export interface FarWay {
  readonly from: Box
  readonly to: Box
}

/** What there is, and how it is at a moment: that is asked of what is in sight alone. */
export interface FarDrawing<Way extends FarWay = FarWay> {
  readonly cards: readonly FarPlace[]
  readonly lines: readonly Way[]
  readonly cardOf: (place: FarPlace) => FarCard
  /** Whether the run went along it. */
  readonly isInked: (line: Way) => boolean
}

/** What colours are called here; resolved for the theme. */
export type FarColors = Readonly<
  Record<'card' | 'line' | 'edge' | 'ink' | 'text' | 'accent' | 'found' | 'note' | `tone-${FarTone}`, string>
>

export interface FarSight {
  readonly x: number
  readonly y: number
  readonly zoom: number
  /** In pixels of the page. */
  readonly width: number
  readonly height: number
  /** Pixels of the screen for one of the page. */
  readonly density: number
}

/** The part of a 2D context that is used. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'setTransform'
  | 'clearRect'
  | 'fillRect'
  | 'strokeRect'
  | 'setLineDash'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'stroke'
  | 'fill'
  | 'arc'
  | 'fillText'
> & { fillStyle: unknown; strokeStyle: unknown; lineWidth: number; globalAlpha: number; font: string }

/** Titles are legible from here on. */
const titleZoom = 0.2
const titleChars = 17
/** Told to the pen once for all titles: it is read anew each time. */
const titleFont = '600 23px "Inter Variable", sans-serif'

/** Draws what is in sight; gives how many cards that were. */
export function drawFar<Way extends FarWay>(
  pen: Pen,
  drawing: FarDrawing<Way>,
  { sight, colors }: { readonly sight: FarSight; readonly colors: FarColors },
): number {
  const { x, y, zoom, width, height, density } = sight
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.clearRect(0, 0, width * density, height * density)
  pen.setTransform(zoom * density, 0, 0, zoom * density, x * density, y * density)
  const seen = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
  const cards = drawing.cards.filter((card) => meets(card, seen)).map(drawing.cardOf)
  for (const card of cards) if (card.what !== 'card') drawBox(pen, card, { colors, zoom })
  const lines = Map.groupBy(
    drawing.lines.filter((line) => isSeen(line, seen)),
    drawing.isInked,
  )
  drawLines(pen, lines, { colors, zoom })
  if (zoom >= titleZoom) pen.font = titleFont
  for (const card of cards) if (card.what === 'card') drawCard(pen, card, { colors, zoom })
  return cards.length
}

interface Style {
  readonly colors: FarColors
  readonly zoom: number
}

const meets = (card: Box, seen: Box): boolean =>
  card.x < seen.x + seen.width &&
  card.x + card.width > seen.x &&
  card.y < seen.y + seen.height &&
  card.y + card.height + stateHeight > seen.y

function isSeen({ from, to }: FarWay, seen: Box): boolean {
  const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
  const right = Math.max(from.x + from.width, to.x + to.width)
  const bottom = Math.max(from.y + from.height, to.y + to.height)
  return meets({ x: left, y: top, width: right - left, height: bottom - top }, seen)
}

function drawBox(pen: Pen, card: FarCard, { colors, zoom }: Style): void {
  pen.globalAlpha = card.what === 'note' ? 0.5 : 0.14
  pen.fillStyle = card.what === 'note' ? colors.note : (toneColor(card, colors) ?? colors.edge)
  pen.fillRect(card.x, card.y, card.width, card.height)
  pen.globalAlpha = 1
  pen.lineWidth = 1 / zoom
  pen.strokeStyle = card.isSelected ? colors.accent : (toneColor(card, colors) ?? colors.line)
  pen.strokeRect(card.x, card.y, card.width, card.height)
}

/** One stroke for all lines of a kind: that is what makes it fast. */
function drawLines(pen: Pen, lines: ReadonlyMap<boolean, readonly FarWay[]>, { colors, zoom }: Style): void {
  for (const isInked of [false, true]) {
    pen.beginPath()
    for (const line of lines.get(isInked) ?? []) traceLine(pen, line)
    pen.lineWidth = (isInked ? 2 : 1) / zoom
    pen.strokeStyle = isInked ? colors.ink : colors.edge
    pen.stroke()
  }
}

const headMiddle = 32

function traceLine(pen: Pen, { from, to }: FarWay): void {
  const [x1, y1] = [from.x + from.width, from.y + headMiddle]
  const [x2, y2] = [to.x, to.y + headMiddle]
  const bend = Math.max(40, Math.abs(x2 - x1) * 0.4)
  pen.moveTo(x1, y1)
  pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2)
}

const toneColor = ({ tone }: FarCard, colors: FarColors): string | null =>
  tone === null ? null : colors[`tone-${tone}`]

function drawCard(pen: Pen, card: FarCard, style: Style): void {
  const { colors, zoom } = style
  const color = toneColor(card, colors)
  const { x, y, width, height, tone } = card
  pen.fillStyle = colors.card
  pen.fillRect(x, y, width, height)
  if (color !== null) {
    pen.globalAlpha = tone === 'muted' || tone === 'neutral' ? 0.08 : 0.3
    pen.fillStyle = color
    pen.fillRect(x, y, width, height)
    pen.globalAlpha = 1
    drawPattern(pen, card, color)
  }
  if (zoom >= titleZoom) drawTitle(pen, card, colors)
  pen.lineWidth = (card.isSelected || card.isFound ? 3 : tone === 'neutral' ? 1 : 1.5) / zoom
  pen.strokeStyle = card.isSelected ? colors.accent : card.isFound ? colors.found : (color ?? colors.line)
  pen.setLineDash(tone === 'wait' ? [24, 14] : tone === 'muted' ? [6, 10] : [])
  pen.strokeRect(x, y, width, height)
  pen.setLineDash([])
  // What has not begun has nothing to tell yet.
  if (color !== null && tone !== 'neutral') drawMark(pen, card, color)
}

/** What fails is hatched, what is at work has a bar at its side, what undoes leans the other way. */
function drawPattern(pen: Pen, { x, y, width, height, tone }: FarCard, color: string): void {
  pen.fillStyle = color
  pen.strokeStyle = color
  if (tone === 'active') return pen.fillRect(x, y, 22, height)
  if (tone !== 'bad' && tone !== 'repair') return
  const slant = tone === 'bad' ? height : -height
  pen.beginPath()
  for (let at = 12; at < width - height; at += 26) {
    const left = x + at + (slant < 0 ? height : 0)
    pen.moveTo(left, y + height)
    pen.lineTo(left + slant, y)
  }
  pen.lineWidth = 6
  pen.stroke()
}

/**
 * A shape for each state, at the right: a disc for what is done, a cross for what failed, a ring for what waits,
 * a diamond for what waits for a person.
 */
function drawMark(pen: Pen, { x, y, width, height, tone }: FarCard, color: string): void {
  const [cx, cy, size] = [x + width - 26, y + height / 2, 14]
  pen.strokeStyle = color
  pen.fillStyle = color
  pen.lineWidth = 7
  pen.beginPath()
  if (tone === 'bad') {
    pen.moveTo(cx - size, cy - size)
    pen.lineTo(cx + size, cy + size)
    pen.moveTo(cx + size, cy - size)
    pen.lineTo(cx - size, cy + size)
    return pen.stroke()
  }
  if (tone === 'active' || tone === 'repair') {
    const way = tone === 'active' ? 1 : -1
    pen.moveTo(cx - size * way, cy - size)
    pen.lineTo(cx + size * way, cy)
    pen.lineTo(cx - size * way, cy + size)
    return pen.fill()
  }
  if (tone === 'violet') {
    pen.moveTo(cx, cy - size)
    for (const [dx, dy] of [
      [size, 0],
      [0, size],
      [-size, 0],
      [0, -size],
    ] as const)
      pen.lineTo(cx + dx, cy + dy)
    return pen.stroke()
  }
  pen.arc(cx, cy, size - 2, 0, Math.PI * 2)
  if (tone === 'good') pen.fill()
  else pen.stroke()
}

function drawTitle(pen: Pen, { x, y, width, height, title, tone }: FarCard, colors: FarColors): void {
  const short = title.length > titleChars ? `${title.slice(0, titleChars - 1)}…` : title
  pen.fillStyle = colors.text
  pen.fillText(short, x + (tone === 'active' ? 30 : 14), y + Math.min(height, 64) / 2 + 8, width - 72)
}
