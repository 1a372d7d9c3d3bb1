/** The card of a node in a picture: as on the canvas, without a run. */

import type { PictureColors } from './picture-colors.ts'
import type { PictureCard } from './picture-layout.ts'
import { errorInset, headMiddle } from './picture-layout.ts'
import { fitting } from './shown-text.ts'
import { xmlText } from './svg-document.ts'
import { taskIcons } from './task-icons.generated.ts'

/** From the left edge of a card to its words. */
const wordsInset = 61
const wordsEnd = 12

/** The shapes of a card, ports included. */
export function cardShape(card: PictureCard, colors: PictureColors): string {
  const { x, y, width, height, node, spec, isContainer } = card
  const tint = colors.categories[spec?.category ?? 'unknown'] ?? colors.faint
  const isOff = node.disabled === true
  const dash = isOff || spec === undefined ? ' stroke-dasharray="5 4"' : ''
  const body = isContainer
    ? `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="${colors.canvas}"/>` +
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="${tint}" fill-opacity="0.05" ` +
      `stroke="${tint}" stroke-opacity="0.4"${dash}/>`
    : `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" ` +
      `fill="${isOff ? colors.canvas : colors.card}" stroke="${colors.cardLine}"${dash}/>`
  const words = `<g${isOff ? ' opacity="0.45"' : ''}>${head(card, colors, tint)}${rows(card, colors)}</g>`
  return `<g>${body}${words}${knobs(card, colors)}</g>`
}

function head({ x, y, width, node, spec }: PictureCard, colors: PictureColors, tint: string): string {
  const title = typeof node.title === 'string' && node.title !== '' ? node.title : (spec?.title ?? node.kind)
  const summary = spec?.summary(node.parameters ?? {}) ?? node.kind
  const room = width - wordsInset - wordsEnd
  const tile = { x: x + 11, y: y + 13 }
  return (
    `<rect x="${tile.x}" y="${tile.y}" width="38" height="38" rx="9" fill="${tint}" fill-opacity="0.14"/>` +
    `<g transform="translate(${tile.x + 9} ${tile.y + 9}) scale(0.833)" fill="none" stroke="${tint}" ` +
    `stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${iconOf(spec?.icon)}</g>` +
    // A thin line around the letters: renderers without the font's weights draw them as bold as the others.
    `<text x="${x + wordsInset}" y="${y + 29}" font-size="14" fill="${colors.text}" stroke="${colors.text}" ` +
    `stroke-width="0.35">${xmlText(fitting(title, 14, room))}</text>` +
    `<text x="${x + wordsInset}" y="${y + 47}" font-size="12.5" fill="${colors.faint}">` +
    `${xmlText(fitting(summary, 12.5, room))}</text>`
  )
}

const iconOf = (name: string | undefined): string =>
  (name !== undefined && Object.hasOwn(taskIcons, name) ? taskIcons[name] : taskIcons['box']) ?? ''

/** The names of several ways out. */
function rows({ x, y, width, ports }: PictureCard, colors: PictureColors): string {
  if (ports.length <= 1) return ''
  const line = `<path d="M${x},${y + 64.5} h${width}" stroke="${colors.line}"/>`
  const names = ports.map(
    (port) =>
      `<text x="${x + width - 14}" y="${y + port.y + 4}" text-anchor="end" font-size="12" fill="${colors.faint}">` +
      `${xmlText(fitting(port.title, 12, 190))}</text>`,
  )
  return line + names.join('')
}

function knobs({ x, y, width, height, ports, spec, hasError }: PictureCard, colors: PictureColors): string {
  const knob = (cx: number, cy: number): string =>
    `<circle cx="${cx}" cy="${cy}" r="4.5" fill="${colors.edge}" stroke="${colors.card}" stroke-width="2"/>`
  const entry = spec?.hasInput === false ? '' : knob(x, y + headMiddle)
  const exits = ports.map((port) => knob(x + width, y + port.y)).join('')
  const error = hasError
    ? `<rect x="${x + width - errorInset - 4}" y="${y + height - 4}" width="8" height="8" rx="2.5" ` +
      `fill="${colors.bad}" stroke="${colors.card}" stroke-width="1.5"/>`
    : ''
  return entry + exits + error
}
