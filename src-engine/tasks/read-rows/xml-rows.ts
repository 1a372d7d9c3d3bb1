/**
 * The elements of an XML file that are its rows, as their tags come: no more of it is in memory than a batch.
 * The parser is given the file in pieces that end with `>`, so that an element that ends with a piece ends at a byte
 * that is known, from which the next batch goes on inside of the elements that are open there.
 */

import type { FileHandle } from 'node:fs/promises'
import type { SaxesParser } from 'saxes'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { nestingMax } from '../../model/limits.ts'
import { invalidData } from '../data/plain-data.ts'
import type { XmlTree } from '../data/xml.ts'
import { createXmlTree, refuseDoctype } from '../data/xml.ts'
import type { Batch, BatchWanted, RowPlace } from './batch.ts'
import { fileChunks } from './file-chunks.ts'
import { wrongPosition } from './position.ts'
import { rowTooLarge } from './row-too-large.ts'

const tagEnd = 0x3e

interface XmlWanted extends BatchWanted {
  /** The name of an element, or the end of its path: `orders.order`. Empty for each in the outermost one. */
  readonly element: string
  /** Names, or paths of them, that are always lists. */
  readonly lists: readonly string[]
}

/** Reads the next ones. Throws `data_invalid` for what is no XML, with its line in the file. */
export async function nextXmlRows(file: FileHandle, wanted: XmlWanted): Promise<Batch> {
  // Loaded with the first XML file.
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ position: true })
  const reading = new XmlReading(parser, wanted)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of fileChunks(file, wanted.from.at, wanted.signal)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let begin = 0
    for (;;) {
      const end = bytes.indexOf(tagEnd, begin) + 1
      if (end === 0) break
      reading.take(bytes.subarray(begin, end))
      if (reading.isFull) return { rows: reading.rows, next: reading.place }
      begin = end
    }
    rest = bytes.subarray(begin)
    if (rest.length <= wanted.bytesMax) continue
    if (reading.rows.length === 0) throw rowTooLarge(wanted.bytesMax, reading.at)
    return { rows: reading.rows, next: reading.place }
  }
  reading.take(rest)
  parser.close()
  return { rows: reading.rows, next: null }
}

/** What was read so far. */
class XmlReading {
  readonly rows: JsonValue[] = []
  /** Behind the last of the rows. */
  place: RowPlace
  /** Whether another row has begun that the batch has no room for. */
  isFull = false
  /** The first byte that the parser wasn't given. */
  at: number
  readonly #parser: SaxesParser
  readonly #wanted: XmlWanted
  /** The elements that are open around rows. */
  readonly #around: string[] = []
  /** The row that is open. */
  #row: XmlTree | null = null
  /** Of the row that is open, and of the rows so far. */
  #rowBytes = 0
  #batchBytes = 0
  /** Since a tag: a comment may go on through many pieces. */
  #quietBytes = 0
  /** The row that ended with the last piece. */
  #ended: { readonly value: JsonValue } | null = null

  constructor(parser: SaxesParser, wanted: XmlWanted) {
    this.place = wanted.from
    this.at = wanted.from.at
    this.#parser = parser
    this.#wanted = wanted
    parser.on('error', (error) => {
      throw invalidXml(error)
    })
    refuseDoctype(parser)
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!/^(utf-8|us-ascii)$/i.test(encoding)) throw otherEncoding(encoding)
    })
    this.#goInto(wanted.from.open)
    parser.on('opentag', ({ name, attributes }) => this.#opened(name, attributes))
    parser.on('closetag', () => this.#closed())
    parser.on('text', (text) => this.#row?.addText(text))
    parser.on('cdata', (text) => this.#row?.addText(text))
  }

  /** A piece of the file that ends with `>`, or its last one. */
  take(piece: Buffer): void {
    this.at += piece.length
    this.#rowBytes += piece.length
    this.#quietBytes += piece.length
    this.#parser.write(piece.toString('utf8'))
    if (this.#ended !== null) this.#endRow(this.#ended.value)
    else if (this.#row === null) this.#rowBytes = 0
    else if (this.rows.length === this.#wanted.rows) this.isFull = true
    this.#checkSize()
  }

  #endRow(value: JsonValue): void {
    this.#ended = null
    const bytes = this.#batchBytes + this.#rowBytes
    this.#rowBytes = 0
    const { rows, bytesMax } = this.#wanted
    if (this.rows.length === rows || (bytes > bytesMax && this.rows.length > 0)) {
      this.isFull = true
      return
    }
    if (bytes > bytesMax) throw rowTooLarge(bytesMax, this.at)
    this.rows.push(value)
    this.#batchBytes = bytes
    this.place = { at: this.at, line: this.#parser.line, header: '', open: [...this.#around] }
  }

  #checkSize(): void {
    const { bytesMax } = this.#wanted
    if (Math.max(this.#rowBytes, this.#quietBytes) <= bytesMax) return
    if (this.rows.length === 0) throw rowTooLarge(bytesMax, this.at)
    this.isFull = true
  }

  /** Opens what was open where the batch before ended. */
  #goInto(names: readonly string[]): void {
    if (names.length === 0) return
    const opened: string[] = []
    this.#parser.on('opentag', ({ name }) => opened.push(name))
    try {
      this.#parser.write(names.map((name) => `<${name}>`).join(''))
    } catch (thrown) {
      if (thrown instanceof SagasmithError) throw wrongPosition()
      throw thrown
    }
    if (opened.length !== names.length || opened.some((name, index) => name !== names[index]))
      throw wrongPosition()
    this.#around.push(...names)
    this.#parser.line = this.#wanted.from.line
  }

  #opened(name: string, attributes: Readonly<Record<string, unknown>>): void {
    this.#quietBytes = 0
    if (this.#row === null && this.#isRow(name)) this.#row = createXmlTree(this.#wanted.lists, this.#around)
    if (this.#row !== null) this.#row.open(name, attributes)
    else if (this.#around.push(name) > nestingMax)
      throw invalidData(`it is nested more than ${nestingMax} deep`)
  }

  #closed(): void {
    this.#quietBytes = 0
    if (this.#row === null) {
      this.#around.pop()
      return
    }
    const value = this.#row.close()
    if (value === undefined) return
    this.#row = null
    this.#ended = { value }
  }

  #isRow(name: string): boolean {
    const { element } = this.#wanted
    if (element === '') return this.#around.length === 1
    const path = [...this.#around, name].join('.')
    return path === element || path.endsWith(`.${element}`)
  }
}

/** The parser says `line:column: what`, and which column is not known where a batch begins within a line. */
function invalidXml(error: Error): SagasmithError {
  const [, line, what = error.message] = /^(\d+):\d+: (.*?)\.?$/s.exec(error.message) ?? []
  return invalidData(line === undefined ? what : `line ${line}: ${what}`)
}

function otherEncoding(encoding: string): SagasmithError {
  return new SagasmithError('data_invalid', {
    message: `The file is in ${encoding}; rows are read from UTF-8.`,
    hint: 'Read it with “Read file” in its encoding and write it anew, or convert it with a command.',
    details: { encoding },
  })
}
