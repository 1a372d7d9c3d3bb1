/** Turns rows into CSV text. */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { createCsvText } from '../csv-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { BuildCsvParameters } from './spec.ts'

export const buildCsvRun: TaskRun<BuildCsvParameters> = {
  async execute(parameters) {
    const rows = rowsOf(parameters.rows)
    const columns = parameters.columns.length > 0 ? parameters.columns : columnsOf(rows)
    const cells = rows.map((row) => cellsOf(row, columns))
    const table = parameters.header && columns.length > 0 ? [columns, ...cells] : cells
    const text = await createCsvText(parameters)
    const content = text(table)
    return completed({ content, columns, count: rows.length })
  },
}

type Row = JsonObject | readonly JsonValue[]

function rowsOf(value: unknown): readonly Row[] {
  // JSONata gives a single match without its list, and nothing for no match.
  const list: readonly unknown[] = Array.isArray(value)
    ? value
    : value === null || value === undefined
      ? []
      : [value]
  const isTable = list.every((row) => Array.isArray(row) || isJsonObject(row))
  // A list of plain values is one row.
  if (!isTable && list.every((cell) => typeof cell !== 'object' || cell === null))
    return [list as readonly JsonValue[]]
  if (isTable) return list as readonly Row[]
  throw new SagasmithError('task_input_invalid', {
    message: '“Rows” is a mixture of rows and single values.',
    hint: 'Give a list of objects, or a list of lists.',
    details: { field: 'rows' },
  })
}

function columnsOf(rows: readonly Row[]): readonly string[] {
  const names = new Set<string>()
  for (const row of rows) if (isJsonObject(row)) for (const name of Object.keys(row)) names.add(name)
  return [...names]
}

function cellsOf(row: Row, columns: readonly string[]): readonly (JsonValue | undefined)[] {
  if (!isJsonObject(row)) return row
  return columns.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))
}
