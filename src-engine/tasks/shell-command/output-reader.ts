/** Collects what a program prints: whole lines go to the log at once, the bytes are kept up to a limit. */

import { StringDecoder } from 'node:string_decoder'

export interface OutputReader {
  readonly push: (chunk: Buffer) => void
  /** Hands on a last line without a line break. */
  readonly end: () => void
  readonly text: () => string
}

/** A single line in the log; what is longer is cut there and whole in the output. */
const logLineCharsMax = 4_000

export function createOutputReader(options: {
  readonly bytesMax: number
  readonly onLine: (line: string) => void
  /** What of a line may be told, before it is cut; all of it when absent. */
  readonly tellable?: (line: string) => string
  /** Called once, when there is more than the limit. */
  readonly onTooLarge: () => void
}): OutputReader {
  const decoder = new StringDecoder('utf8')
  const chunks: Buffer[] = []
  let size = 0
  let open = ''
  const emit = (raw: string) => {
    const line = raw.length > logLineCharsMax ? (options.tellable?.(raw) ?? raw) : raw
    options.onLine(line.length > logLineCharsMax ? `${line.slice(0, logLineCharsMax)}…` : line)
  }
  return {
    push(chunk) {
      if (size > options.bytesMax) return
      size += chunk.length
      if (size > options.bytesMax) {
        options.onTooLarge()
        return
      }
      chunks.push(chunk)
      const lines = (open + decoder.write(chunk)).split(/\r?\n/)
      open = lines.pop() ?? ''
      for (const line of lines) emit(line)
    },
    end() {
      const rest = open + decoder.end()
      open = ''
      if (rest !== '') emit(rest)
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
