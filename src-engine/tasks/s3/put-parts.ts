/**
 * A large file part by part: one of them is in memory at a time, one that fails is sent again, and nothing is
 * there before all are. Each part's SHA-256 is signed with it: a store takes none that was changed on its way.
 */

import type { FileHandle } from 'node:fs/promises'
import { SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { second } from '../../model/time.ts'
import { pause } from '../abort.ts'
import { parsedXml } from '../data/xml.ts'
import { responseText } from '../guarded-request.ts'
import { plainText } from '../json-text.ts'
import { objectAddress } from './address.ts'
import type { StoreCall } from './ask-store.ts'
import { askStore, toldOf } from './ask-store.ts'

/** S3 takes no more of one object. */
const partsMax = 10_000
const partTries = 3
const answerBytesMax = 1_000_000
/** To tell the store that nothing comes of it; then its own rules have to clean up. */
const giveUpMsMax = 10 * second

interface Upload {
  readonly call: StoreCall
  readonly handle: FileHandle
  readonly id: string
  readonly size: number
  readonly partBytes: number
}

/** Puts the file; what was sent of one that fails is taken back. */
export async function putParts(call: StoreCall, handle: FileHandle): Promise<JsonObject> {
  const before = await handle.stat()
  const { size } = before
  const partBytes = Math.max(call.parameters.partBytes, Math.ceil(size / partsMax))
  const id = await begun(call)
  try {
    const etags = await sentParts({ call, handle, id, size, partBytes })
    const after = await handle.stat()
    if (after.mtimeMs !== before.mtimeMs || after.size !== size) throw changed(call)
    return {
      key: call.parameters.key,
      bytes: size,
      etag: await completed(call, id, etags),
      parts: etags.length,
    }
  } catch (thrown) {
    await givenUp(call, id)
    throw thrown
  }
}

async function begun(call: StoreCall): Promise<string> {
  const { key, contentType } = call.parameters
  const url = objectAddress(call.parameters, key)
  url.searchParams.set('uploads', '')
  const headers = contentType.trim() === '' ? {} : { 'content-type': contentType.trim() }
  const answer = await askStore(call, { method: 'POST', url, body: null, headers }, (response) =>
    responseText(response, answerBytesMax),
  )
  const id = plainText((await answeredPart(answer, 'InitiateMultipartUploadResult'))['UploadId'] ?? '')
  if (id === '') throw strange('It began an upload without a name for it.')
  return id
}

async function sentParts(upload: Upload): Promise<readonly string[]> {
  const { call, size, partBytes } = upload
  const count = Math.ceil(size / partBytes)
  const etags: string[] = []
  const buffer = Buffer.allocUnsafe(partBytes)
  for (let number = 1; number <= count; number += 1) {
    const body = await partAt(upload, (number - 1) * partBytes, buffer)
    etags.push(await sentPart(upload, number, body))
    call.context.log({ level: 'info', stream: 'task', text: `Part ${number} of ${count} is there.` })
  }
  return etags
}

async function partAt(
  { call, handle, size, partBytes }: Upload,
  at: number,
  buffer: Buffer,
): Promise<Buffer> {
  const length = Math.min(partBytes, size - at)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(buffer, read, length - read, at + read)
    if (bytesRead === 0) throw changed(call)
    read += bytesRead
  }
  return buffer.subarray(0, length)
}

async function sentPart({ call, id }: Upload, number: number, body: Buffer): Promise<string> {
  const url = objectAddress(call.parameters, call.parameters.key)
  url.searchParams.set('partNumber', String(number))
  url.searchParams.set('uploadId', id)
  for (let tries = 1; ; tries += 1) {
    try {
      return await askStore(call, { method: 'PUT', url, body }, async (response) => {
        await responseText(response, answerBytesMax)
        return toldOf(response).etag
      })
    } catch (thrown) {
      if (tries === partTries || !(thrown instanceof SagasmithError) || !thrown.retryable) throw thrown
      const text = `Part ${number} is sent again: ${thrown.message}`
      call.context.log({ level: 'warn', stream: 'task', text })
      await pause(call.context.clock, tries * second, call.signal)
    }
  }
}

/** Makes one object of the parts. A store may say 200 and tell of an error then. */
async function completed(call: StoreCall, id: string, etags: readonly string[]): Promise<string> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${xmlText(etag)}"</ETag></Part>`,
  )
  const url = objectAddress(call.parameters, call.parameters.key)
  url.searchParams.set('uploadId', id)
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const headers = {
    'content-type': 'application/xml',
    ...(call.parameters.existing === 'fail' ? { 'if-none-match': '*' } : {}),
  }
  const answer = await askStore(call, { method: 'POST', url, body, headers }, (response) =>
    responseText(response, answerBytesMax),
  )
  const result = await answeredPart(answer, 'CompleteMultipartUploadResult')
  return plainText(result['ETag'] ?? '').replaceAll('"', '')
}

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

async function answeredPart(text: string, name: string): Promise<JsonObject> {
  const value = await parsedXml(text, [])
  const part = isJsonObject(value) ? value[name] : null
  if (isJsonObject(part)) return part
  const error = isJsonObject(value) && isJsonObject(value['Error']) ? value['Error'] : {}
  throw strange(`It says: ${plainText(error['Message'] ?? error['Code'] ?? 'nothing that is known')}.`)
}

/** Nothing of it is kept, and nothing has to be paid for. Never throws: what went wrong before counts. */
async function givenUp(call: StoreCall, id: string): Promise<void> {
  const { context } = call
  const url = objectAddress(call.parameters, call.parameters.key)
  url.searchParams.set('uploadId', id)
  const late = new AbortController()
  const cancel = context.clock.after(giveUpMsMax, () => late.abort())
  try {
    // The attempt may have ended, and this is what is left to do.
    await askStore({ ...call, signal: late.signal }, { method: 'DELETE', url, body: null }, (response) =>
      responseText(response, answerBytesMax),
    )
  } catch (thrown) {
    // What is not known there was completed, or given up before.
    if (thrown instanceof SagasmithError && thrown.code === 'object_not_found') return
    const text = 'The parts that were sent could not be taken back: the bucket’s rules have to remove them.'
    context.log({ level: 'warn', stream: 'task', text })
  } finally {
    cancel()
  }
}

const changed = ({ parameters: { file } }: StoreCall): SagasmithError =>
  new SagasmithError('task_failed', {
    message: `“${file}” was changed while it was sent.`,
    hint: 'Send it when nobody writes to it any more, or send a copy.',
    details: { file },
    retryable: true,
  })

const strange = (words: string): SagasmithError =>
  new SagasmithError('task_failed', {
    message: `The object store did not make one object of the parts. ${words}`,
    hint: 'Try again; some stores don’t know uploads in parts: then raise the size of a part.',
    retryable: true,
  })
