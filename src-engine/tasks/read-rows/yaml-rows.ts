/**
 * The documents of a YAML file, one at a time: no more of it is in memory than a batch. A line that begins with `---`
 * or `...` ends a document wherever it stands, within quotes and blocks, too.
 */

import type { FileHandle } from 'node:fs/promises'
import type { JsonValue } from '../../model/json.ts'
import type { Batch, BatchWanted, RowPlace } from './batch.ts'
import { fileLines } from './file-chunks.ts'
import { rowTooLarge } from './row-too-large.ts'

const begin = /^---(\s|$)/
const end = /^\.\.\.(\s|$)/
/** Stands before a document, or behind all of them. */
const nothing = /^(\s*|\s*#.*|%.*)$/

/** Reads the next ones. Throws `data_invalid` for what is no YAML, with its line in the file. */
export async function nextYamlRows(file: FileHandle, wanted: BatchWanted): Promise<Batch> {
  const { from, bytesMax } = wanted
  const rows: JsonValue[] = []
  let place: RowPlace = from
  for await (const piece of pieces(file, wanted)) {
    const isFull = rows.length >= wanted.rows || piece.at - from.at > bytesMax
    if (isFull && rows.length > 0 && (piece.isDocument || piece.isCut)) return { rows, next: place }
    if (piece.isCut) throw rowTooLarge(bytesMax, piece.at)
    if (piece.isDocument) {
      const documents = await wanted.read({ kind: 'yaml', text: piece.text, linesBefore: piece.line - 1 })
      if (Array.isArray(documents)) rows.push(...documents)
    }
    place = { at: piece.at, line: piece.line + piece.lines, header: '', open: [] }
  }
  return { rows, next: null }
}

interface Piece {
  readonly text: string
  /** The first byte behind it. */
  readonly at: number
  /** Its first line, and how many it has. */
  readonly line: number
  readonly lines: number
  /** False for spaces and comments. */
  readonly isDocument: boolean
  /** Whether it goes on: it is longer than a batch may be. */
  readonly isCut: boolean
}

/** The file in pieces with a document each. */
async function* pieces(file: FileHandle, { from, bytesMax, signal }: BatchWanted): AsyncGenerator<Piece> {
  let [at, line, bytes] = [from.at, from.line, 0]
  let open: string[] = []
  let isDocument = false
  const taken = (): Piece => {
    const isCut = bytes > bytesMax
    const piece = { text: open.join(''), at: at + bytes, line, lines: open.length, isDocument, isCut }
    at += bytes
    line += open.length
    bytes = 0
    open = []
    isDocument = false
    return piece
  }
  for await (const whole of fileLines(file, at, { bytesMax, signal })) {
    const isFirst = at === 0 && open.length === 0
    const text = isFirst ? whole.toString('utf8').replace(/^\uFEFF/, '') : whole.toString('utf8')
    if (isDocument && begin.test(text)) yield taken()
    open.push(text)
    bytes += whole.length
    if (!nothing.test(text.trimEnd())) isDocument = true
    if (end.test(text) || bytes > bytesMax) yield taken()
  }
  if (open.length > 0) yield taken()
}
