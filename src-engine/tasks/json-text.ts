/** JSON texts from outside, and values as texts for people. */

import type { JsonValue } from '../model/json.ts'
import type { Result } from '../model/result.ts'
import { err, ok } from '../model/result.ts'

/** The value of a JSON text, or what is wrong with it in the parser's words. */
export function parseJson(text: string): Result<JsonValue, string> {
  try {
    // JSON.parse gives JSON by definition.
    return ok(JSON.parse(text) as JsonValue)
  } catch (thrown) {
    return err(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

/** One JSON value per line; empty lines are skipped. The error names the line. */
export function parseJsonLines(text: string): Result<readonly JsonValue[], string> {
  const values: JsonValue[] = []
  for (const [index, line] of linesOf(text).entries()) {
    if (line.trim() === '') continue
    const value = parseJson(line)
    if (!value.ok) return err(`line ${index + 1}: ${value.error}`)
    values.push(value.value)
  }
  return ok(values)
}

/** The lines of a text; a line break at the very end doesn't begin another one. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** A value as text: texts as they are, everything else as JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
