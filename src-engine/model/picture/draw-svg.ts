/**
 * A workflow as an SVG picture that looks like the canvas and carries the workflow in it. The same document always
 * gives the same bytes; nothing is measured, loaded or run.
 */

import type { JsonObject } from '../json.ts'
import { isJsonObject } from '../json.ts'
import type { WorkflowDocument } from '../workflow.ts'
import { errorPort } from '../workflow.ts'
import { cardShape } from './draw-card.ts'
import type { PictureColors, PictureTheme } from './picture-colors.ts'
import { pictureColors } from './picture-colors.ts'
import type { PictureBox, PictureCard, Specs } from './picture-layout.ts'
import { errorInset, headMiddle, isPoint, pictureCards, union } from './picture-layout.ts'
import { plainText } from './plain-text.ts'
import { fitting, textWidth, wrapped } from './shown-text.ts'
import { svgMetadata, xmlText } from './svg-document.ts'

export interface PictureOptions {
  readonly specs: Specs
  readonly theme: PictureTheme
}

/** Around everything. */
const margin = 48
const emptyPicture: PictureBox = { x: 0, y: 0, width: 480, height: 200 }
const noteSize = { width: 220, height: 120 }
const font = "'Inter Variable', Inter, system-ui, sans-serif"

/** The text of the picture's file. */
export function drawSvg(document: WorkflowDocument, { specs, theme }: PictureOptions): string {
  const colors = pictureColors[theme]
  const cards = pictureCards(document, specs)
  const notes = notesOf(document)
  const frames = framesOf(document)
  const view = viewAround([...cards, ...notes, ...frames].map((box) => withState(box)))
  const { x, y, width, height } = view
  const byId = new Map(cards.map((card) => [card.id, card]))
  const containers = cards.filter((card) => card.isContainer)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="${x} ${y} ${width} ${height}" font-family="${font}" role="img">`,
    `<title>${xmlText(document.title)}</title>`,
    svgMetadata(plainText(document)),
    `<defs><pattern id="dots" width="24" height="24" patternUnits="userSpaceOnUse">` +
      `<circle cx="1" cy="1" r="1" fill="${colors.dot}"/></pattern></defs>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colors.canvas}"/>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="url(#dots)" opacity="0.6"/>`,
    ...frames.map((frame) => frameShape(frame, colors)),
    ...containers.map((card) => cardShape(card, colors)),
    ...edgeShapes(document, byId, colors),
    ...cards.filter((card) => !card.isContainer).map((card) => cardShape(card, colors)),
    ...notes.map((note) => noteShape(note, colors)),
    '</svg>',
    '',
  ].join('\n')
}

interface Titled extends PictureBox {
  readonly text: string
}

function notesOf(document: WorkflowDocument): readonly Titled[] {
  return Object.entries(document.notes ?? {}).flatMap(([id, note]) => {
    const place = entryOf(document.layout?.notes as JsonObject | undefined, id)
    if (!isPoint(place)) return []
    return [{ ...noteSize, ...sized(place), x: place.x, y: place.y, text: note.text }]
  })
}

function framesOf(document: WorkflowDocument): readonly Titled[] {
  return Object.entries(document.frames ?? {}).flatMap(([id, frame]) => {
    const place = entryOf(document.layout?.frames as JsonObject | undefined, id)
    if (!isPoint(place)) return []
    return [{ ...noteSize, ...sized(place), x: place.x, y: place.y, text: frame.title }]
  })
}

const entryOf = (record: JsonObject | undefined, id: string): JsonObject | undefined => {
  const entry = record !== undefined && Object.hasOwn(record, id) ? record[id] : undefined
  return isJsonObject(entry) ? entry : undefined
}

function sized(place: JsonObject): Partial<PictureBox> {
  const { width, height } = place
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height }
    : {}
}

/** Ports and lines stand out a little. */
const withState = ({ x, y, width, height }: PictureBox): PictureBox => ({ x, y, width, height: height + 12 })

function viewAround(boxes: readonly PictureBox[]): PictureBox {
  const finite = boxes.filter((box) => [box.x, box.y].every((value) => Math.abs(value) < 1e7))
  const [first, ...rest] = finite
  const all = first === undefined ? emptyPicture : rest.reduce(union, first)
  return {
    x: Math.floor(all.x - margin),
    y: Math.floor(all.y - margin),
    width: Math.ceil(all.width + 2 * margin),
    height: Math.ceil(all.height + 2 * margin),
  }
}

function edgeShapes(
  document: WorkflowDocument,
  byId: ReadonlyMap<string, PictureCard>,
  colors: PictureColors,
): readonly string[] {
  return Object.values(document.edges).flatMap(({ from, to, label }) => {
    const [source, target] = [byId.get(from.node), byId.get(to.node)]
    if (source === undefined || target === undefined) return []
    const isError = from.port === errorPort
    const start = isError
      ? { x: source.x + source.width - errorInset, y: source.y + source.height }
      : { x: source.x + source.width, y: source.y + portHeight(source, from.port) }
    const end = { x: target.x, y: target.y + headMiddle }
    const a = isError
      ? { x: start.x, y: start.y + reach(end.y - start.y) }
      : { x: start.x + reach(end.x - start.x), y: start.y }
    const b = { x: end.x - reach(end.x - start.x), y: end.y }
    const path = `M${at(start)} C${at(a)} ${at(b)} ${at(end)}`
    const color = isError ? colors.bad : colors.edge
    const line = `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`
    if (typeof label !== 'string' || label === '') return [line]
    const x = 0.125 * start.x + 0.375 * a.x + 0.375 * b.x + 0.125 * end.x
    const y = 0.125 * start.y + 0.375 * a.y + 0.375 * b.y + 0.125 * end.y
    return [line, labelShape(label, { x, y }, colors)]
  })
}

const portHeight = (card: PictureCard, port: string): number =>
  card.ports.find(({ id }) => id === port)?.y ?? headMiddle

/** How far a line goes straight out of its port: forward half of the way, backward in a bow. */
const reach = (distance: number): number => (distance >= 0 ? distance / 2 : 0.32 * 25 * Math.sqrt(-distance))

const at = ({ x, y }: { readonly x: number; readonly y: number }): string => `${round(x)},${round(y)}`
const round = (value: number): number => Math.round(value * 10) / 10

function labelShape(
  label: string,
  { x, y }: { readonly x: number; readonly y: number },
  colors: PictureColors,
): string {
  const text = fitting(label, 12, 160)
  const width = Math.ceil(textWidth(text, 12)) + 14
  return (
    `<rect x="${round(x - width / 2)}" y="${round(y - 10)}" width="${width}" height="20" rx="6" ` +
    `fill="${colors.card}" stroke="${colors.cardLine}"/>` +
    `<text x="${round(x)}" y="${round(y + 4)}" text-anchor="middle" font-size="12" fill="${colors.faint}">` +
    `${xmlText(text)}</text>`
  )
}

function noteShape({ x, y, width, height, text }: Titled, colors: PictureColors): string {
  const lines = wrapped(text.replaceAll(/[*_`#]+/g, ''), {
    size: 12,
    room: width - 24,
    linesMax: Math.max(1, Math.floor((height - 20) / 18)),
  })
  const words = lines.map((line, index) => {
    return `<text x="${x + 12}" y="${y + 24 + index * 18}" font-size="12" fill="${colors.text}">${xmlText(line)}</text>`
  })
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${colors.note}" ` +
    `stroke="${colors.noteLine}"/>${words.join('')}`
  )
}

function frameShape({ x, y, width, height, text }: Titled, colors: PictureColors): string {
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="${colors.frame}" ` +
    `fill-opacity="0.06" stroke="${colors.frame}" stroke-opacity="0.45"/>` +
    `<text x="${x + 14}" y="${y + 24}" font-size="13" font-weight="600" fill="${colors.frame}">` +
    `${xmlText(fitting(text, 13, width - 28))}</text>`
  )
}
