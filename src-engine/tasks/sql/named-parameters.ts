/**
 * Statements with `:name` for databases whose placeholders have no names. Placeholders become placeholders:
 * no value is ever written into a statement.
 */

import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { SqlStatement } from './work.ts'

export interface PositionalStatement {
  readonly sql: string
  readonly values: readonly JsonValue[]
}

/** What is no placeholder: texts, quoted names, comments, casts. */
const postgresText =
  /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*|)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([A-Za-z_]\w*)/g
const mysqlText =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|--[ \t][^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|()?:([A-Za-z_]\w*)/g

/** With `$1`, `$2`, …: the same name is the same one. */
export function numberedStatement(statement: SqlStatement): PositionalStatement {
  return positional(statement, postgresText, (index) => `$${index + 1}`)
}

/** With `?`, one for each time that a name stands there. */
export function questionedStatement(statement: SqlStatement): PositionalStatement {
  return positional(statement, mysqlText, null)
}

function positional(
  { sql, parameters }: SqlStatement,
  pattern: RegExp,
  mark: ((index: number) => string) | null,
): PositionalStatement {
  if (Array.isArray(parameters)) return { sql, values: parameters as readonly JsonValue[] }
  const given = new Map(Object.entries(parameters))
  const order: string[] = []
  const text = sql.replace(pattern, (found: string, _tag: unknown, name: string | undefined) => {
    if (name === undefined) return found
    if (!given.has(name)) throw missingParameter(name, [...given.keys()])
    const known = mark === null ? -1 : order.indexOf(name)
    const index = known === -1 ? order.push(name) - 1 : known
    return mark === null ? '?' : mark(index)
  })
  return { sql: text, values: order.map((name) => given.get(name) ?? null) }
}

/** What a statement names and nobody gives. */
export function missingParameter(name: string, given: readonly string[]): SagasmithError {
  return new SagasmithError('task_input_invalid', {
    message: `The statement asks for :${name}, and there is no such parameter.`,
    hint: 'Add it under Parameters, or write what is there.',
    details: { field: 'parameters', name, given: [...given] },
  })
}
