/** A file from a place on, piece by piece. */

import type { FileHandle } from 'node:fs/promises'
import { throwIfAborted } from '../abort.ts'

const chunkBytes = 65_536
const lineEnd = 0x0a

/** Its bytes, to its end. Each piece is memory of its own. */
export async function* fileChunks(
  file: FileHandle,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let at = from
  for (;;) {
    throwIfAborted(signal)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Its lines, each with its end. One that has more than so many bytes is cut, and the last. */
export async function* fileLines(
  file: FileHandle,
  from: number,
  { bytesMax, signal }: { readonly bytesMax: number; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of fileChunks(file, from, signal)) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf(lineEnd) + 1
      if (end === 0) break
      yield rest.subarray(0, end)
      rest = rest.subarray(end)
    }
    if (rest.length > bytesMax) break
  }
  if (rest.length > 0) yield rest
}
