/** Texts over a stream, one per line. Only `\n` ends one: JSON may hold every other kind of line break. */

import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Calls with every line that has been completed. */
export function readLines(stream: Readable, receive: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  // Pieces are kept apart until their line ends, so that a long line isn't copied again for each piece.
  let pieces: string[] = []
  stream.on('data', (chunk: Buffer) => {
    const parts = decoder.write(chunk).split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      pieces.push(part)
      const line = pieces.join('')
      pieces = []
      receive(line)
    }
    pieces.push(last)
  })
}
