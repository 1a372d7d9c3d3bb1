/** What goes to the disk as it comes, bodies and rows: complete there before it takes its place. */

import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unfinishedPath } from './files/kept.ts'
import { fileError } from './workflow-path.ts'

/** A file that nobody sees before it is complete. */
export interface UnfinishedFile {
  readonly handle: FileHandle
  /** Puts it in its place, in one piece, once the disk has all of it. */
  readonly keep: () => Promise<void>
  /** Closes it; what is not in its place is gone. Never throws for what is closed already. */
  readonly drop: () => Promise<void>
}

/** Opens one, in folders that are made where they are missing; what an attempt before left is gone. */
export async function openUnfinished({
  path,
  idempotencyKey,
}: {
  readonly path: string
  readonly idempotencyKey: string
}): Promise<UnfinishedFile> {
  const unfinished = unfinishedPath(path, idempotencyKey)
  await mkdir(dirname(path), { recursive: true })
  await rm(unfinished, { force: true })
  const handle = await open(unfinished, 'wx')
  return {
    handle,
    async keep() {
      await handle.sync()
      await handle.close()
      await rename(unfinished, path)
    },
    async drop() {
      await handle.close().catch(() => null)
      await rm(unfinished, { force: true })
    },
  }
}

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
  const { file, signal, look } = target
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
  let unfinished: UnfinishedFile | null = null
  try {
    unfinished = await openUnfinished(target)
    const { handle } = unfinished
    // Each goes to where the one before ended.
    const write = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) await handle.writeFile(chunk)
    }
    await pipeline(Readable.from(pieces()), write, { signal })
    await unfinished.keep()
  } catch (thrown) {
    // What the server did is no matter of the file.
    throw thrown === lost ? thrown : fileError(thrown, file)
  } finally {
    await unfinished?.drop()
  }
}
