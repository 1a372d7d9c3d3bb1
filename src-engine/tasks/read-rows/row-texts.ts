/** The next whole rows of a file, as they stand in it: no more of it is in memory than a batch. */

import type { FileHandle } from 'node:fs/promises'
import { throwIfAborted } from '../abort.ts'
import { rowTooLarge } from './row-too-large.ts'

const chunkBytes = 65_536
const lineEnd = 0x0a
const quote = 0x22

/** Rows, with where they end. */
export interface RowTexts {
  readonly texts: readonly string[]
  /** The first byte behind them. */
  readonly at: number
  readonly lines: number
  /** Whether nothing is behind them. */
  readonly isEnd: boolean
}

interface Wanted {
  readonly at: number
  readonly rows: number
  readonly bytesMax: number
  /** Whether a line end between quotes belongs to its row. */
  readonly hasQuotes: boolean
  readonly signal: AbortSignal
}

/** Reads them. Throws `task_output_too_large` for a row that is longer than a batch may be. */
export async function nextRowTexts(file: FileHandle, wanted: Wanted): Promise<RowTexts> {
  const { rows, bytesMax, hasQuotes, signal } = wanted
  const found = { texts: [] as string[], at: wanted.at, lines: 0 }
  let open = Buffer.alloc(0)
  let looked = 0
  let openLines = 0
  let isQuoted = false
  for (;;) {
    throwIfAborted(signal)
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(chunkBytes),
      0,
      chunkBytes,
      found.at + open.length,
    )
    open = Buffer.concat([open, buffer.subarray(0, bytesRead)])
    for (; looked < open.length; looked += 1) {
      if (hasQuotes && open[looked] === quote) isQuoted = !isQuoted
      if (open[looked] !== lineEnd) continue
      openLines += 1
      if (isQuoted) continue
      const text = open.subarray(0, looked + 1).toString('utf8')
      if (found.at + looked + 1 - wanted.at > bytesMax && found.texts.length > 0)
        return { ...found, isEnd: false }
      found.at += looked + 1
      found.lines += openLines
      open = open.subarray(looked + 1)
      looked = -1
      openLines = 0
      if (text.trim() !== '') found.texts.push(text)
      if (found.texts.length === rows) return { ...found, isEnd: bytesRead === 0 && open.length === 0 }
    }
    if (bytesRead === 0) return withLast(found, open)
    if (open.length > bytesMax) {
      if (found.texts.length > 0) return { ...found, isEnd: false }
      throw rowTooLarge(bytesMax, found.at)
    }
  }
}

/** The last row may have no line end. */
function withLast(found: Omit<RowTexts, 'isEnd'>, open: Buffer): RowTexts {
  const text = open.toString('utf8')
  const texts = text.trim() === '' ? found.texts : [...found.texts, text]
  return { texts, at: found.at + open.length, lines: found.lines + 1, isEnd: true }
}
