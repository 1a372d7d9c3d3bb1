/** Lines of a file that may be longer than a string can be. */

import { closeSync, existsSync, openSync, readSync } from 'node:fs'

const chunkBytes = 1_048_576
const newline = 10

/** Each line that isn't empty; of a file that isn't there, none. A last line without its end counts too. */
export function* linesOf(path: string): Generator<string> {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    let rest: Buffer[] = []
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      let start = 0
      for (;;) {
        const end = chunk.subarray(0, read).indexOf(newline, start)
        if (end === -1) break
        const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8')
        rest = []
        start = end + 1
        if (line !== '') yield line
      }
      // The chunk is written over by the next read.
      if (start < read) rest.push(Buffer.from(chunk.subarray(start, read)))
    }
    if (rest.length > 0) yield Buffer.concat(rest).toString('utf8')
  } finally {
    closeSync(file)
  }
}
