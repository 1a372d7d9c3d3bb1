/** A body that goes to the disk as it comes: complete there before it takes its place. */

import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unfinishedPath } from './files/kept.ts'
import { fileError } from './workflow-path.ts'

interface BodyFile {
  readonly path: string
  /** As the step names it, for what is told of it. */
  readonly file: string
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** Looks at each piece before it is written; what it throws ends the writing. */
  readonly look: (chunk: Uint8Array) => void
}

/** Throws what the body and `look` throw as it is, and what the disk says as an error of the file, which is then as it was. */
export async function writeBody(body: AsyncIterable<Uint8Array>, target: BodyFile): Promise<void> {
  const { path, file, idempotencyKey, signal, look } = target
  const unfinished = unfinishedPath(path, idempotencyKey)
  let lost: unknown = null
  async function* pieces() {
    try {
      for await (const chunk of body) {
        look(chunk)
        yield chunk
      }
    } catch (thrown) {
      lost = thrown
      throw thrown
    }
  }
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(unfinished, { force: true })
    await pipeline(Readable.from(pieces()), createWriteStream(unfinished, { flags: 'wx', flush: true }), {
      signal,
    })
    await rename(unfinished, path)
  } catch (thrown) {
    // What the server did is no matter of the file.
    throw thrown === lost ? thrown : fileError(thrown, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}
