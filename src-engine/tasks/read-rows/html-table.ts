/** Rows of tables: what stands in each of their columns, also where a cell spans several or goes on below. */

import type { JsonValue } from '../../model/json.ts'
import type { HtmlElement, HtmlPage } from '../data/html-page.ts'
import { invalidData } from '../data/plain-data.ts'

/** Columns of a table: a cell may say that it spans a thousand, and a page has room for many cells. */
const columnsMax = 1_000

/** Reads the rows of the tables of a page. */
export interface HtmlTables {
  /** An object with the names of its table's columns; a list without them. */
  readonly rowOf: (row: HtmlElement) => JsonValue
  /** Whether it has the names. */
  readonly isHeader: (row: HtmlElement) => boolean
}

interface Table {
  readonly cells: ReadonlyMap<HtmlElement, readonly string[]>
  readonly header: HtmlElement | null
  readonly names: readonly string[] | null
}

/** The tables of a page; each is looked at with the first of its rows. */
export function htmlTables(page: HtmlPage, hasNames: boolean): HtmlTables {
  const tables = new Map<unknown, Table>()
  const tableOf = (row: HtmlElement): Table => {
    const place = surrounding(row)
    const known = tables.get(place)
    if (known !== undefined) return known
    const rows = place === null ? [row] : page.all('tr', place).filter((one) => surrounding(one) === place)
    const cells = gridOf(page, rows)
    const header = hasNames && place !== null ? (rows[0] ?? null) : null
    const names = header === null ? null : namesOf(cells.get(header) ?? [])
    const table = { cells, header, names }
    tables.set(place ?? row, table)
    return table
  }
  return {
    rowOf: (row) => {
      const { cells, names } = tableOf(row)
      const texts = cells.get(row) ?? []
      return names === null ? texts : named(texts, names)
    },
    isHeader: (row) => row.name === 'tr' && tableOf(row).header === row,
  }
}

/** The table that a row is of; null for one outside of any. */
function surrounding(row: HtmlElement): HtmlElement | null {
  for (let place = row.parent; place !== null; place = place.parent)
    if ('name' in place && place.name === 'table') return place
  return null
}

/** The texts of each row, a text for each of its columns. */
function gridOf(page: HtmlPage, rows: readonly HtmlElement[]): ReadonlyMap<HtmlElement, readonly string[]> {
  const grid = new Map<HtmlElement, readonly string[]>()
  /** By column: what goes on below its row, and for how many more. */
  const below = new Map<number, { readonly text: string; readonly rows: number }>()
  for (const row of rows) {
    const texts: string[] = []
    const fillFromAbove = () => {
      for (let above = below.get(texts.length); above !== undefined; above = below.get(texts.length)) {
        if (above.rows === 1) below.delete(texts.length)
        else below.set(texts.length, { text: above.text, rows: above.rows - 1 })
        texts.push(above.text)
      }
    }
    const next: (readonly [number, { readonly text: string; readonly rows: number }])[] = []
    for (const cell of cellsOf(row)) {
      fillFromAbove()
      const text = page.textOf(cell)
      const rowsBelow = spanOf(cell, 'rowspan') - 1
      for (let column = spanOf(cell, 'colspan'); column > 0; column -= 1) {
        if (rowsBelow > 0) next.push([texts.length, { text, rows: rowsBelow }])
        texts.push(text)
      }
      if (texts.length > columnsMax) throw invalidData(`a table has more than ${columnsMax} columns`)
    }
    fillFromAbove()
    for (const [column, cell] of next) below.set(column, cell)
    grid.set(row, texts)
  }
  return grid
}

const cellsOf = (row: HtmlElement): readonly HtmlElement[] =>
  row.children.filter(
    (child): child is HtmlElement => 'name' in child && (child.name === 'td' || child.name === 'th'),
  )

/** As the standard has it: none, or one that is no number, is one. */
function spanOf(cell: HtmlElement, attribute: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(cell.attribs[attribute] ?? '', 10)
  return Number.isSafeInteger(span) && span >= 1 ? Math.min(span, columnsMax) : 1
}

function namesOf(texts: readonly string[]): readonly string[] {
  const names = texts.map((text, index) => (text === '' ? columnName(index) : text))
  for (const [index, name] of names.entries()) {
    if (['__proto__', 'constructor', 'prototype'].includes(name))
      throw invalidData(`a column may not be called “${name}”`)
    if (names.indexOf(name) !== index) throw invalidData(`two columns of a table are called “${name}”`)
  }
  return names
}

const columnName = (index: number) => `column ${index + 1}`

/** What has no cell is null; what has no name has its number. */
function named(texts: readonly string[], names: readonly string[]): JsonValue {
  const all = names.map((name, index) => [name, texts[index] ?? null] as const)
  const more = texts
    .slice(names.length)
    .map((text, index) => [columnName(names.length + index), text] as const)
  return Object.fromEntries([...all, ...more])
}
