/** A body that goes to the disk as it comes: complete there before it takes its place. */

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SagasmithError } from '../../model/errors.ts'
import { filePlace } from '../file-place.ts'
import { unfinishedPath } from '../files/kept.ts'
import type { TaskContext } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { HttpRequestParameters } from './spec.ts'

/** What is handed on instead of a body. */
export interface SavedFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Throws `file_place_denied`, `http_too_large`, and what writing throws; then the file is as it was. */
export async function savedBody(
  body: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string>>,
  call: {
    readonly parameters: Pick<HttpRequestParameters, 'file' | 'maxFileBytes'>
    readonly context: TaskContext
    readonly signal: AbortSignal
  },
): Promise<SavedFile> {
  const { parameters, context, signal } = call
  refusePacked(headers)
  const path = await filePlace(parameters.file, context, 'write')
  const unfinished = unfinishedPath(path, context.idempotencyKey)
  const hash = createHash('sha256')
  let bytes = 0
  let lost: unknown = null
  async function* counted() {
    try {
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > parameters.maxFileBytes) throw tooLarge(parameters.maxFileBytes)
        hash.update(chunk)
        context.beat()
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
    const target = createWriteStream(unfinished, { flags: 'wx', flush: true })
    await pipeline(Readable.from(counted()), target, { signal })
    await rename(unfinished, path)
    return { path, bytes, sha256: hash.digest('hex') }
  } catch (thrown) {
    // What the server did is no matter of the file.
    throw thrown === lost ? thrown : fileError(thrown, parameters.file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** It was asked for as it is; what is packed all the same would be another file than the one that was meant. */
function refusePacked(headers: Readonly<Record<string, string>>): void {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return
  throw new SagasmithError('task_failed', {
    message: `The server packed the response with “${encoding}”, although it was asked not to.`,
    hint: 'Read the response in another way, such as Base64, and write it with a step of its own.',
    retryable: false,
  })
}

function tooLarge(bytesMax: number): SagasmithError {
  return new SagasmithError('http_too_large', {
    message: `The file has more than ${bytesMax} bytes.`,
    details: { bytesMax },
  })
}
