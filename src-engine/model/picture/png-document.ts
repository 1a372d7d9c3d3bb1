/**
 * A workflow inside a PNG: one iTXt chunk with its text, uncompressed, so that reading one can't blow up and needs
 * nothing but this. The picture itself is never decoded.
 */

import { utf8ToBytes } from '@noble/hashes/utils.js'
import { SagasmithError } from '../errors.ts'
import { documentBytesMax, pictureBytesMax } from '../limits.ts'

/** The keyword of the chunk. */
const keyword = 'sagasmith.workflow'
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const
/** Length, type and checksum of a chunk. */
const frameBytes = 12
/** A picture of more is a trap: real ones have a few. */
const chunksMax = 10_000

/** Whether the bytes are those of a PNG. */
export const isPng = (bytes: Uint8Array): boolean => signature.every((byte, index) => bytes[index] === byte)

/** The picture with the text of a workflow in it, before everything that is drawn. */
export function withPngText(png: Uint8Array, text: string): Uint8Array {
  const header = signature.length + frameBytes + readLength(png, signature.length)
  const chunk = textChunk(text)
  const whole = new Uint8Array(png.length + chunk.length)
  whole.set(png.subarray(0, header))
  whole.set(chunk, header)
  whole.set(png.subarray(header), header + chunk.length)
  return whole
}

/** The text of the workflow in a picture. Throws `picture_unreadable` and `picture_too_large`. */
export function pngText(png: Uint8Array): string {
  if (png.length > pictureBytesMax) throw new SagasmithError('picture_too_large')
  if (!isPng(png)) throw broken('it doesn’t begin like a PNG')
  let at: number = signature.length
  for (let count = 0; at + frameBytes <= png.length && count < chunksMax; count += 1) {
    const length = readLength(png, at)
    const end = at + frameBytes + length
    if (end > png.length) throw broken('it is cut off')
    const chunk = png.subarray(at + 4, end - 4)
    const text = typeOf(chunk) === 'iTXt' ? textOf(chunk.subarray(4)) : null
    if (text !== null) {
      if (crc32(chunk) !== readLength(png, end - 4)) throw broken('the workflow in it was damaged')
      return text
    }
    at = end
  }
  throw new SagasmithError('picture_unreadable')
}

const broken = (why: string): SagasmithError =>
  new SagasmithError('picture_unreadable', { message: `The picture can’t be read: ${why}.` })

/** Null for a text of somebody else. */
function textOf(data: Uint8Array): string | null {
  const name = new Uint8Array(keyword.length)
  for (let index = 0; index < keyword.length; index += 1) name[index] = keyword.charCodeAt(index)
  if (data.length < keyword.length + 5 || !name.every((byte, index) => data[index] === byte)) return null
  // Keyword, 0, whether it is compressed, how, language, 0, translated keyword, 0, text.
  const flags = data.subarray(keyword.length, keyword.length + 3)
  if (flags[0] !== 0) return null
  if (flags[1] !== 0) throw broken('another program compressed the workflow in it')
  const language = data.indexOf(0, keyword.length + 3)
  const translated = language === -1 ? -1 : data.indexOf(0, language + 1)
  if (translated === -1) throw broken('the workflow in it was damaged')
  const text = data.subarray(translated + 1)
  if (text.length > documentBytesMax) throw new SagasmithError('document_too_large')
  return latin1(text)
}

/** `text` is ASCII, as `plainText` gives it. */
function textChunk(text: string): Uint8Array {
  const content = utf8ToBytes(`iTXt${keyword}\0\0\0\0\0${text}`)
  const chunk = new Uint8Array(frameBytes - 4 + content.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, content.length - 4)
  chunk.set(content, 4)
  view.setUint32(chunk.length - 4, crc32(content))
  return chunk
}

/** Pieces that a call can take as arguments. */
const pieceBytes = 8_192

function latin1(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)))
  }
  return pieces.join('')
}

const readLength = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)

const typeOf = (chunk: Uint8Array): string => String.fromCharCode(...chunk.subarray(0, 4))

let table: Uint32Array | null = null

/** The checksum of a chunk: CRC-32 as the PNG specification has it. */
function crc32(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    return value
  })
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
