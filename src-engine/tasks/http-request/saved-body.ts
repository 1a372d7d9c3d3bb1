/** The body of a response as a file, within its limit. */

import { createHash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import { writeBody } from '../body-file.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext } from '../task.ts'
import { refusePacked } from './incoming.ts'
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

function tooLarge(bytesMax: number): SagasmithError {
  return new SagasmithError('http_too_large', {
    message: `The file has more than ${bytesMax} bytes.`,
    details: { bytesMax },
  })
}
