/** Reads a file, up to its limit. */

import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import { throwIfAborted } from '../abort.ts'
import { filePlace } from '../file-place.ts'
import { textOfBytes } from '../file-text.ts'
import { linesOf, parseJson } from '../json-text.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError, workflowPath } from '../workflow-path.ts'
import type { ReadFileParameters } from './spec.ts'

export const readFileRun: TaskRun<ReadFileParameters> = {
  async execute(parameters, context) {
    const path = workflowPath(parameters.path, context.baseDirectory)
    throwIfAborted(context.signal)
    const bytes = await readUpTo(await filePlace(parameters.path, context, 'read'), parameters.maxBytes)
    throwIfAborted(context.signal)
    context.log({ level: 'info', stream: 'task', text: `Read ${bytes.length} bytes from ${path}` })
    return completed({ path, bytes: bytes.length, content: contentOf(bytes, parameters, path) })
  },
}

async function readUpTo(path: string, bytesMax: number): Promise<Buffer> {
  let file: FileHandle | null = null
  try {
    file = await open(path, 'r')
    const stat = await file.stat()
    if (stat.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
    if (stat.size > bytesMax) throw tooLarge(path, { bytes: stat.size, bytesMax })
    // A pipe, or a file that grows meanwhile, says nothing true about its size: one byte more tells.
    const chunks: Buffer[] = []
    for await (const chunk of file.createReadStream({ end: bytesMax, autoClose: false }))
      chunks.push(Buffer.from(chunk))
    const bytes = Buffer.concat(chunks)
    if (bytes.length > bytesMax) throw tooLarge(path, { bytes: bytes.length, bytesMax })
    return bytes
  } catch (thrown) {
    throw fileError(thrown, path)
  } finally {
    await file?.close()
  }
}

function tooLarge(
  path: string,
  sizes: { readonly bytes: number; readonly bytesMax: number },
): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `“${path}” has ${sizes.bytes} bytes or more; this step reads up to ${sizes.bytesMax}.`,
    hint: 'Raise the limit in the node’s settings, or work on the file with a command.',
    details: { path, ...sizes },
  })
}

function contentOf(bytes: Buffer, parameters: ReadFileParameters, path: string): JsonValue {
  if (parameters.format === 'base64') return bytes.toString('base64')
  const text = textOfBytes(bytes, parameters.encoding)
  if (parameters.format === 'text') return text
  if (parameters.format === 'lines') return linesOf(text)
  const value = parseJson(text)
  if (value.ok) return value.value
  throw new SagasmithError('task_failed', {
    message: `“${path}” is not JSON: ${value.error}`,
    hint: 'Correct the file, or read it as text.',
    details: { path },
    retryable: false,
  })
}
