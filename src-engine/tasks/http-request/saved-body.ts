/** The body of a response as a file, within its limit. */

import { createHash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import { writeBody } from '../body-file.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext } from '../task.ts'
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
  const hash = createHash('sha256')
  let bytes = 0
  const look = (chunk: Uint8Array): void => {
    bytes += chunk.length
    if (bytes > parameters.maxFileBytes) throw tooLarge(parameters.maxFileBytes)
    hash.update(chunk)
    context.beat()
  }
  const { file } = parameters
  await writeBody(body, { path, file, idempotencyKey: context.idempotencyKey, signal, look })
  return { path, bytes, sha256: hash.digest('hex') }
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
