/**
 * The rows of a page. What is open in HTML is only known from its beginning (tags may be left out), and a selector may
 * look anywhere: the page is read as a whole by every batch, and has a size from which on it isn't.
 */

import type { FileHandle } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { HtmlElement, HtmlPage } from '../data/html-page.ts'
import { htmlFields, openHtmlPage } from '../data/html-page.ts'
import type { Batch, BatchWanted } from './batch.ts'
import { rowTooLarge } from './batch.ts'
import { htmlTables } from './html-table.ts'

/** Bytes of a page that is read. */
const pageBytesMax = 10_000_000

interface HtmlWanted extends BatchWanted {
  /** CSS selector of what is a row. */
  readonly each: string
  /** What of it is taken, as “Parse HTML” does; none for the cells of a table. */
  readonly fields: Readonly<Record<string, string>>
  /** Whether the first row of a table has the names of its columns. */
  readonly hasNames: boolean
}

/** Reads the next ones. Throws `payload_too_large` for a page that is too long. */
export async function nextHtmlRows(file: FileHandle, wanted: HtmlWanted): Promise<Batch> {
  const { size } = await file.stat()
  if (size > pageBytesMax) throw pageTooLarge(size)
  const text = (await file.readFile({ encoding: 'utf8', signal: wanted.signal })).replace(/^\uFEFF/, '')
  const page = await openHtmlPage(text)
  const { rowOf, isRow } = readerOf(page, wanted)
  const { from, bytesMax } = wanted
  const rows: JsonValue[] = []
  let bytes = 0
  for (const [index, element] of page.all(wanted.each.trim() || 'tr').entries()) {
    if (index < from.at || !isRow(element)) continue
    const row = rowOf(element)
    bytes += Buffer.byteLength(JSON.stringify(row))
    if (rows.length === wanted.rows || (bytes > bytesMax && rows.length > 0))
      return { rows, next: { at: index, line: 1, header: '', open: [] } }
    if (bytes > bytesMax) throw rowTooLarge(bytesMax, index)
    rows.push(row)
  }
  return { rows, next: null }
}

interface RowReader {
  readonly rowOf: (element: HtmlElement) => JsonValue
  /** False for the names of columns. */
  readonly isRow: (element: HtmlElement) => boolean
}

function readerOf(page: HtmlPage, { fields, hasNames }: HtmlWanted): RowReader {
  if (Object.keys(fields).length > 0) return { rowOf: htmlFields(page, fields), isRow: () => true }
  const tables = htmlTables(page, hasNames)
  return {
    rowOf: (element) => (element.name === 'tr' ? tables.rowOf(element) : page.textOf(element)),
    isRow: (element) => !tables.isHeader(element),
  }
}

function pageTooLarge(bytes: number): SagasmithError {
  return new SagasmithError('payload_too_large', {
    message: `The page has ${bytes} bytes; pages of up to ${pageBytesMax} are read, since each is read as a whole.`,
    hint: 'Split it, or have its rows as XML, CSV or JSON Lines, which may be of any size.',
    details: { bytes, bytesMax: pageBytesMax },
  })
}
