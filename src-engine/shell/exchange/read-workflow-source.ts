/** A workflow out of any file that carries one: told by its content, not by its name. */

import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import { pictureBytesMax } from '../../model/limits.ts'
import { workflowInFile } from '../../model/picture/workflow-in-file.ts'
import type { ReadDocument } from '../../model/read-document.ts'
import { fileError } from '../atomic-file.ts'
import { withPath } from '../library.ts'

/** Reads a workflow file, generated code or an exported picture. Throws what each of them is refused with. */
export async function readWorkflowSource(path: string): Promise<ReadDocument> {
  const { read } = workflowInFile(await bytesOf(path), (bytes) => Buffer.from(bytes).toString('utf8'))
  if (!read.ok) throw withPath(read.error, path)
  return read.value
}

async function bytesOf(path: string): Promise<Buffer> {
  let stats: Stats
  try {
    stats = await stat(path)
    if (stats.isFile() && stats.size <= pictureBytesMax) return await readFile(path)
  } catch (cause) {
    throw fileError(path, cause)
  }
  if (!stats.isFile()) {
    throw new SagasmithError('file_not_accessible', { message: `${path} is not a file.`, details: { path } })
  }
  throw new SagasmithError('document_too_large', {
    message: `${path} has ${stats.size} bytes; at most ${pictureBytesMax} are read.`,
    details: { path, bytes: stats.size, limit: pictureBytesMax },
  })
}
