/** What a request sends along, as bytes: data in some form, files, or a form with both. */

import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { requestBodyBytesMax } from '../../model/limits.ts'
import { assertNever } from '../../model/result.ts'
import { filePlace } from '../file-place.ts'
import type { TaskContext } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { HttpRequestParameters } from './spec.ts'

/** What reading files takes. */
export type BodyContext = Pick<TaskContext, 'baseDirectory' | 'approvedFolders' | 'signal'>

export interface Content {
  readonly type: string
  readonly bytes: Buffer
}

type Body = HttpRequestParameters['body']
type Part = Extract<Body, { readonly kind: 'multipart' }>['parts'][number]

/** The body; null for none. Throws what reading files throws, and `task_output_too_large`. */
export async function contentOf(body: Body, context: BodyContext): Promise<Content | null> {
  const content = await madeOf(body, context)
  if (content !== null && content.bytes.length > requestBodyBytesMax) throw tooLarge()
  return content
}

async function madeOf(body: Body, context: BodyContext): Promise<Content | null> {
  switch (body.kind) {
    case 'none':
      return null
    case 'json':
      return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body.value) ?? 'null') }
    case 'form': {
      const fields = Object.entries(body.fields).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      return {
        type: 'application/x-www-form-urlencoded',
        bytes: Buffer.from(String(new URLSearchParams(fields))),
      }
    }
    case 'text':
      return { type: body.contentType, bytes: Buffer.from(body.text) }
    case 'multipart':
      return multipart(body.parts, context)
    case 'file':
      return { type: body.contentType, bytes: await bytesOfFile(body.file, requestBodyBytesMax, context) }
    default:
      return assertNever(body)
  }
}

async function bytesOfFile(file: string, bytesMax: number, context: BodyContext): Promise<Buffer> {
  const path = await filePlace(file, context, 'read')
  try {
    const found = await stat(path)
    // A pipe or a device would never end.
    if (!found.isFile())
      throw Object.assign(new Error('no file'), { code: found.isDirectory() ? 'EISDIR' : 'EACCES' })
    if (found.size > bytesMax) throw tooLarge()
    const bytes = await readFile(path, { signal: context.signal })
    if (bytes.length > bytesMax) throw tooLarge()
    return bytes
  } catch (thrown) {
    throw fileError(thrown, file)
  }
}

async function multipart(parts: readonly Part[], context: BodyContext): Promise<Content> {
  const read: { readonly head: string; readonly bytes: Buffer }[] = []
  let left = requestBodyBytesMax
  for (const part of parts) {
    const isFile = part.file.trim() !== ''
    const bytes = isFile ? await bytesOfFile(part.file, left, context) : Buffer.from(String(part.value))
    left -= bytes.length
    if (left < 0) throw tooLarge()
    read.push({ head: headOf(part, isFile), bytes })
  }
  const boundary = boundaryOf(read)
  const chunks = read.flatMap(({ head, bytes }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}

function headOf({ name, file, contentType }: Part, isFile: boolean): string {
  const type = contentType.trim() === '' && isFile ? 'application/octet-stream' : contentType.trim()
  if (/[^\x20-\x7e]/.test(type)) {
    throw new SagasmithError('task_input_invalid', {
      message: `The content type of the part “${name}” holds a character that none may have.`,
      details: { field: 'body.parts' },
    })
  }
  const filename = isFile ? `; filename="${quoted(basename(file))}"` : ''
  const disposition = `Content-Disposition: form-data; name="${quoted(name)}"${filename}`
  return type === '' ? disposition : `${disposition}\r\nContent-Type: ${type}`
}

/** As browsers write names: nothing in one ends it, or the line. */
const quoted = (name: string): string =>
  name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')

/** Made of everything that it separates, so that nothing of that can hold it; and the same in every attempt. */
function boundaryOf(parts: readonly { readonly head: string; readonly bytes: Buffer }[]): string {
  const hash = createHash('sha256')
  for (const { head, bytes } of parts) hash.update(head).update(bytes)
  return `sagasmith-${hash.digest('hex')}`
}

function tooLarge(): SagasmithError {
  return new SagasmithError('task_output_too_large', {
    message: `The body of the request has more than ${requestBodyBytesMax} bytes.`,
    hint: 'Send fewer files at a time, pack them, or put them into an object store.',
    details: { bytesMax: requestBodyBytesMax },
  })
}
