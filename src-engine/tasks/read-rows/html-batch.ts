/** A batch of the rows of a page that is there. */

import type { JsonValue } from '../../model/json.ts'
import type { HtmlElement, HtmlPage } from '../data/html-page.ts'
import { htmlFields, openHtmlPage } from '../data/html-page.ts'
import { htmlTables } from './html-table.ts'
import { rowTooLarge } from './row-too-large.ts'

/** What is wanted of a page. */
export interface HtmlRowsWanted {
  /** CSS selector of what is a row; blank for rows of tables. */
  readonly each: string
  /** What of it is taken, as “Parse HTML” does; none for the cells of a table. */
  readonly fields: Readonly<Record<string, string>>
  /** Whether the first row of a table has the names of its columns. */
  readonly hasNames: boolean
  /** The first one, counted over all that the selector finds. */
  readonly from: number
  readonly rows: number
  readonly bytesMax: number
}

/** A type and no interface, so that it is JSON: it is handed over as such. */
export type HtmlBatch = {
  readonly rows: readonly JsonValue[]
  /** Where the next one begins; null when there are no more. */
  readonly next: number | null
}

/** Reads it. Throws `task_output_too_large` for a row that is longer than a batch may be. */
export async function htmlBatch(html: string, wanted: HtmlRowsWanted): Promise<HtmlBatch> {
  const page = await openHtmlPage(html)
  const { rowOf, isRow } = readerOf(page, wanted)
  const { from, bytesMax } = wanted
  const rows: JsonValue[] = []
  let bytes = 0
  for (const [index, element] of page.all(wanted.each.trim() || 'tr').entries()) {
    if (index < from || !isRow(element)) continue
    const row = rowOf(element)
    bytes += Buffer.byteLength(JSON.stringify(row))
    if (rows.length === wanted.rows || (bytes > bytesMax && rows.length > 0)) return { rows, next: index }
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

function readerOf(
  page: HtmlPage,
  { fields, hasNames }: Pick<HtmlRowsWanted, 'fields' | 'hasNames'>,
): RowReader {
  if (Object.keys(fields).length > 0) return { rowOf: htmlFields(page, fields), isRow: () => true }
  const tables = htmlTables(page, hasNames)
  return {
    rowOf: (element) => (element.name === 'tr' ? tables.rowOf(element) : page.textOf(element)),
    isRow: (element) => !tables.isHeader(element),
  }
}
