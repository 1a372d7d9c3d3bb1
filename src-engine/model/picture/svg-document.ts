/**
 * A workflow inside an SVG: the text of one `metadata` element. It is looked for as text: the picture is neither
 * parsed nor shown, so whatever else is in it does nothing.
 */

import { SagasmithError } from '../errors.ts'
import { pictureBytesMax } from '../limits.ts'

const open = '<metadata id="sagasmith-workflow">'
const close = '</metadata>'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entities).map(([character, entity]) => [entity, character]),
)

/** A text as it may stand in XML, also between quotes; characters that XML can't have are left out. */
export function xmlText(text: string): string {
  return text.replaceAll(notXml, '').replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

const notXml = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]`,
    String.raw`[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]`,
  ].join('|'),
  'g',
)

/** The element with the text of a workflow (`plainText`). */
export const svgMetadata = (text: string): string => `${open}${xmlText(text)}${close}`

/** Whether a text looks like an SVG. */
export const isSvg = (text: string): boolean =>
  /^\ufeff?\s*(?:<\?xml|<!--|<!doctype|<svg)/i.test(text.slice(0, 200))

/** The text of the workflow in a picture. Throws `picture_unreadable` and `picture_too_large`. */
export function svgText(svg: string): string {
  if (svg.length > pictureBytesMax) throw new SagasmithError('picture_too_large')
  const start = svg.indexOf(open)
  const end = start === -1 ? -1 : svg.indexOf(close, start)
  if (end === -1) throw new SagasmithError('picture_unreadable')
  const inner = svg.slice(start + open.length, end)
  if (inner.includes('<')) {
    throw new SagasmithError('picture_unreadable', { message: 'The workflow in the picture was damaged.' })
  }
  return inner.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (entity) => characters[entity] ?? '')
}
