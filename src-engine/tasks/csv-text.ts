/** Rows as CSV text that is safe to open in a spreadsheet. */

import type { JsonValue } from '../model/json.ts'
import { csvDelimiter } from './csv-delimiter.ts'

export interface CsvForm {
  /** As people type it: `\t` is a tab. */
  readonly delimiter: string
  readonly guardFormulas: boolean
  readonly quoteAll: boolean
  readonly lineEnd: 'lf' | 'crlf'
}

type Cells = readonly (JsonValue | undefined)[]

/** What makes text of rows; each ends with its line end. */
export async function createCsvText(form: CsvForm): Promise<(rows: readonly Cells[]) => string> {
  const { delimiter, guardFormulas, quoteAll, lineEnd } = form
  // Loaded with the first row: most processes never write one.
  const { stringify } = await import('csv-stringify/sync')
  const options = {
    delimiter: csvDelimiter(delimiter),
    record_delimiter: lineEnd === 'crlf' ? '\r\n' : '\n',
    quoted: quoteAll,
    quoted_match: guardFormulas ? [guarded, splitsElsewhere] : [guarded],
  }
  return (rows) =>
    stringify(
      rows.map((row) => row.map((cell) => cellText(cell, guardFormulas))),
      options,
    )
}

/** What begins a formula, behind characters that nobody sees. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const formula = /^[\s\u0000-\u001f\u200b-\u200f\u2060\ufeff]*[=+\-@\t\r＝＋－＠]/
/** An apostrophe only protects inside quotes in every spreadsheet. */
const guarded = new RegExp(`^'${formula.source.slice(1)}`)
/** Where another character separates, such a text would be two cells, and the second one a formula. */
const splitsElsewhere = /[;,|\t]/

/** A spreadsheet runs a text that begins with one of these; a number that a text spells out is harmless. */
function cellText(cell: JsonValue | undefined, guard: boolean): string {
  if (cell === undefined || cell === null) return ''
  if (typeof cell === 'object') return cellText(JSON.stringify(cell), guard)
  if (typeof cell !== 'string') return String(cell)
  const isFormula = formula.test(cell) && !/^[+-]?\d+([.,]\d+)?$/.test(cell)
  return guard && isFormula ? `'${cell}` : cell
}
