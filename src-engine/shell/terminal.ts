/** What commands print with: lines, colours where they are wanted, and a block that is redrawn in place. */

import { wantsColor } from './config.ts'
import type { Environment } from './places.ts'

export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

type Paint = (text: string) => string

export interface Colors {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly blue: Paint
}

export interface Terminal {
  readonly isTerminal: boolean
  readonly colors: Colors
  /** Prints a line for good; a live block stays below it. */
  readonly line: (text: string) => void
  /** Prints a line to stderr. */
  readonly errorLine: (text: string) => void
  /** Replaces the live block; does nothing where the output is no terminal. */
  readonly live: (lines: readonly string[]) => void
}

const escape = '\u001b['

function paints(enabled: boolean): Colors {
  const paint =
    (code: number): Paint =>
    (text) =>
      enabled && text !== ''
        ? `${escape}${code}m${text}${escape}${code === 1 || code === 2 ? 22 : 39}m`
        : text
  return {
    bold: paint(1),
    dim: paint(2),
    red: paint(31),
    green: paint(32),
    yellow: paint(33),
    blue: paint(34),
  }
}

/** The terminal of a command; the environment, which is the process's own when absent, says whether colours are wanted. */
export function createTerminal(
  stdout: OutputStream,
  stderr: OutputStream,
  environment?: Environment,
): Terminal {
  const isTerminal = stdout.isTTY === true
  let shown = 0
  let current: readonly string[] = []
  const clear = (): string => (shown === 0 ? '' : `${escape}${shown}A${escape}0J`)
  const draw = (before: string): void => {
    const width = stdout.columns ?? 80
    const cut = current.map((line) => cutToWidth(line, width))
    const erase = clear()
    shown = cut.length
    stdout.write(`${erase}${before}${cut.map((line) => `${line}\n`).join('')}`)
  }
  return {
    isTerminal,
    colors: paints(wantsColor(isTerminal, environment)),
    line: (text) => (isTerminal ? draw(`${text}\n`) : void stdout.write(`${text}\n`)),
    errorLine: (text) => void stderr.write(`${text}\n`),
    live: (lines) => {
      if (!isTerminal) return
      current = lines
      draw('')
    },
  }
}

/** The text cut to a width, colour codes not counted. A line that wraps could not be redrawn. */
function cutToWidth(text: string, width: number): string {
  let visible = 0
  let result = ''
  // oxlint-disable-next-line no-control-regex -- The colour codes are made of control characters.
  for (const part of text.split(/(\u001b\[\d+m)/)) {
    if (part.startsWith(escape)) result += part
    else {
      const chars = Array.from(part).slice(0, Math.max(0, width - 1 - visible))
      visible += chars.length
      result += chars.join('')
    }
  }
  return result
}

/** A span in words: `840 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** An instant for people, in the local zone: `2026-11-21 10:05:33`. */
export function instantText(at: number): string {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Rows as aligned columns. */
export function tableText(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, Array.from(cell).length)
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - Array.from(cell).length)))
      .join('  ')
      .trimEnd(),
  )
}
