/** Turns CSV text into rows. */

import type { CsvError, Options } from 'csv-parse/sync'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { csvDelimiter } from '../csv-delimiter.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { ParseCsvParameters } from './spec.ts'

/** Names that would reach into the machinery of objects instead of being data. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

export const parseCsvRun: TaskRun<ParseCsvParameters> = {
  async execute(parameters, context) {
    const { rows, columns } = await parsedRows(parameters)
    if (rows.length > parameters.maxRows) {
      throw new SagasmithError('csv_invalid', {
        message: `The text has more than ${parameters.maxRows} rows.`,
        hint: 'Raise “Most rows” in the node’s settings, or split the file.',
        details: { maxRows: parameters.maxRows },
      })
    }
    context.log({ level: 'info', stream: 'task', text: `Read ${rows.length} rows` })
    return completed({ rows, columns, count: rows.length })
  },
}

/** The rows of a text, with the names of its columns. Throws `csv_invalid` with the line where it is. */
export async function parsedRows(
  parameters: ParseCsvParameters,
): Promise<{ readonly rows: readonly JsonValue[]; readonly columns: readonly string[] }> {
  let columns: readonly string[] = []
  const rows = await parsed(parameters, (names) => {
    columns = names
  })
  return { rows, columns }
}

async function parsed(
  parameters: ParseCsvParameters,
  keepNames: (names: string[]) => void,
): Promise<readonly JsonValue[]> {
  const csv = await import('csv-parse/sync')
  const options: Options = {
    bom: true,
    delimiter: csvDelimiter(parameters.delimiter),
    quote: parameters.quote === '' ? null : parameters.quote,
    trim: parameters.trim,
    skip_empty_lines: parameters.skipEmptyLines,
    relax_column_count: parameters.relaxColumns,
    // One more tells a text that is too long from one that just fits.
    to: parameters.maxRows + 1,
    cast:
      parameters.values === 'auto' ? (value, field) => (field.quoting ? value : typedValue(value)) : false,
    columns: parameters.header
      ? (header: string[]) => {
          const names = columnNames(header)
          keepNames(names)
          return names
        }
      : false,
  }
  try {
    // csv-parse leaves the rows untyped; these options make them objects or lists of plain values.
    return csv.parse(parameters.text, options)
  } catch (thrown) {
    if (thrown instanceof csv.CsvError) throw invalid(thrown)
    throw thrown
  }
}

function columnNames(header: readonly unknown[]): string[] {
  const names = header.map((name, index) => (String(name) === '' ? `column ${index + 1}` : String(name)))
  for (const [index, name] of names.entries()) {
    if (forbiddenNames.has(name)) throw badHeader(`A column may not be called “${name}”.`)
    if (names.indexOf(name) !== index) throw badHeader(`Two columns are called “${name}”.`)
  }
  return names
}

function badHeader(message: string): SagasmithError {
  return new SagasmithError('csv_invalid', {
    message: `Line 1: ${message}`,
    hint: 'Give each column a name of its own, or turn off “First row has the names”.',
    details: { line: 1 },
  })
}

function invalid(error: CsvError): SagasmithError {
  // csv-parse documents `lines` on its errors: the line it had reached, counted from 1.
  const line: unknown = error['lines']
  const place = typeof line === 'number' ? `Line ${line}: ` : ''
  return new SagasmithError('csv_invalid', {
    message: `${place}${error.message}`,
    details: { reason: error.code, ...(typeof line === 'number' ? { line } : {}) },
    cause: error,
  })
}

/** Numbers and booleans of texts that look like them; `007` and long ids stay what they are. */
function typedValue(text: string): string | number | boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text
  const value = Number(text)
  return Number.isFinite(value) && (Number.isSafeInteger(value) || text.includes('.')) ? value : text
}
