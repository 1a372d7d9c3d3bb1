/** Short texts for cards on the canvas, made from raw parameters that may be missing or of any shape. */

import type { JsonObject } from './json.ts'

const summaryCharsMax = 60

/** The parameter as one line of text; the fallback when it isn't a text or number, or is empty. */
export function textParameter(parameters: JsonObject, name: string, fallback = ''): string {
  const value = parameters[name]
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return fallback
  const line = value.replace(/\s+/g, ' ').trim()
  return line === '' ? fallback : line
}

/** One word of a command line. An object's own text is whatever a file says, also nothing that is one. */
export const wordText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** The text cut to what a card can show. */
export function shortened(text: string, charsMax = summaryCharsMax): string {
  // By code points: half a character must not end a card.
  const chars = Array.from(text)
  return chars.length <= charsMax
    ? text
    : `${chars
        .slice(0, charsMax - 1)
        .join('')
        .trimEnd()}…`
}

/** A span in words: `1.5 s`, `20 min`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`
  if (ms < 3_600_000) return `${Number((ms / 60_000).toFixed(1))} min`
  return `${Number((ms / 3_600_000).toFixed(1))} h`
}
